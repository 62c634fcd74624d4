//! Pages that are none: what stands in the way of robots and of those who have not logged in.

use nexi_core::ports::{Cause, Page};
use nexi_core::text;

/// A page with more words than this says something, whatever else it says.
const FEW_WORDS: usize = 160;
/// Walls that are told by words which pages about them have, too, have at most so many.
const FEW_LEFT: usize = 60;
/// With so few, a single word of a wall is enough.
const HARDLY_ANY: usize = 40;

/// What stands in the way of a page's text, if anything does.
pub fn wall(page: &Page) -> Option<Cause> {
    // Where no blanks stand between words, three letters are one.
    let wide = page.text.chars().filter(|c| *c as u32 >= 0x2e80).count();
    let words = text::word_count(&page.text) + wide / 3;
    if words == 0 {
        return Some(Cause::NoText);
    }
    if words > FEW_WORDS {
        return None;
    }
    let (title, body) = (page.title.to_lowercase(), page.text.to_lowercase());
    let says = |list: &[&str]| list.iter().any(|words| title.contains(words) || body.contains(words));
    // In the first words, and not somewhere in an explanation.
    let head: String = body.chars().take(200).collect();
    let begins = |list: &[&str]| list.iter().any(|words| title.contains(words) || head.contains(words));
    let titled = |list: &[&str]| list.iter().any(|words| title.trim_start().starts_with(words));
    if says(BOT) || (words <= FEW_LEFT && titled(BOT_TITLES) && says_in(&body, SIGNS)) {
        Some(Cause::AsksForRobots)
    } else if says(SCRIPTS) && (words <= HARDLY_ANY || titled(SCRIPTS)) {
        Some(Cause::ScriptsOnly)
    } else if (words <= FEW_LEFT && begins(LOGIN)) || (words <= HARDLY_ANY && titled(LOGIN_TITLES) && says_in(&body, PASSWORDS)) {
        Some(Cause::WantsLogin)
    } else if words <= FEW_LEFT && begins(COOKIES) {
        Some(Cause::CookieNotice)
    } else {
        None
    }
}

fn says_in(text: &str, list: &[&str]) -> bool {
    list.iter().any(|words| text.contains(words))
}

/// Words of which a title that sounds like a wall needs one in the text.
const SIGNS: &[&str] = &[
    "ray id",
    "cloudflare",
    "captcha",
    "robot",
    "human",
    "security",
    "your browser",
    "permission",
    "blocked",
    "javascript",
    "cookies",
    "reference #",
    "incident",
    "forbidden",
    "to check",
    "to access",
    "akamai",
    "nginx",
];

const PASSWORDS: &[&str] = &["password", "passwort", "mot de passe", "contraseña", "parola", "wachtwoord"];

const BOT: &[&str] = &[
    "making sure you're not a bot",
    "making sure you&#39;re not a bot",
    "n'êtes pas un robot",
    "n’êtes pas un robot",
    "verify you are human",
    "verify that you are human",
    "verifying you are human",
    "verify you are not a robot",
    "are you a robot",
    "you are not a robot",
    "i'm not a robot",
    "prove you're not a robot",
    "confirm you are human",
    "confirm you’re a human",
    "checking your browser",
    "checking if the site connection is secure",
    "needs to review the security of your connection",
    "unusual traffic from your",
    "automated access to",
    "performing security verification",
    "ddos protection by",
    "complete the captcha",
    "solve the captcha",
    "complete the security check",
    "press & hold to confirm",
    "enable javascript and cookies to continue",
    "request unsuccessful. incapsula",
    "sicherheitsüberprüfung",
    "sind sie ein mensch",
    "kein roboter",
    "êtes-vous un robot",
    "vous n'êtes pas un robot",
    "no eres un robot",
    "non sei un robot",
];

const BOT_TITLES: &[&str] = &[
    "just a moment",
    "attention required",
    "access denied",
    "access to this page has been denied",
    "security check",
    "please wait...",
    "403 forbidden",
    "pardon our interruption",
    "bot verification",
    "robot check",
    "human verification",
    "captcha",
    "un instant",
    "einen moment",
    "un momento",
];

const SCRIPTS: &[&str] = &[
    "please enable javascript",
    "enable javascript to",
    "javascript is required",
    "javascript is disabled",
    "requires javascript",
    "without javascript enabled",
    "javascript aktivieren",
    "activer javascript",
    "habilita javascript",
];

const LOGIN: &[&str] = &[
    "log in to read",
    "sign in to read",
    "subscribe to continue reading",
    "subscribe to read",
    "sign in to continue",
    "log in to continue",
    "login to continue",
    "please log in",
    "please sign in",
    "you must be logged in",
    "you need to be logged in",
    "create an account to continue",
    "create a free account to",
    "sign up to continue",
    "sign in to your account",
    "bitte melden sie sich an",
    "bitte loggen sie sich ein",
    "melden sie sich an, um",
    "veuillez vous connecter",
    "connectez-vous pour",
    "inicia sesión para",
    "accedi per continuare",
];

const LOGIN_TITLES: &[&str] = &["log in", "login", "sign in", "sign-in", "anmelden", "anmeldung", "connexion", "iniciar sesión", "accedi"];

const COOKIES: &[&str] = &[
    "before you continue to search",
    "before you continue to our site",
    "we and our partners store",
    "we and our partners use cookies",
    "we value your privacy",
    "accept cookies to continue",
    "accept all cookies",
    "your consent is required",
    "consent to the use of cookies",
    "alle cookies akzeptieren",
    "mit werbung weiterlesen",
    "ihre zustimmung",
    "wir und unsere partner",
    "nous et nos partenaires",
    "accepter et continuer",
    "nosotros y nuestros socios",
    "noi e i nostri partner",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn page(title: &str, text: &str) -> Page {
        Page { title: title.into(), text: text.into(), ..Page::default() }
    }

    #[test]
    fn walls_are_told_from_pages() {
        for (title, text) in [
            ("Just a moment...", "example.org needs to check something."),
            ("Shop", "Please verify you are human by completing the action below."),
            ("News", "Bitte melden Sie sich an, um weiterzulesen."),
            ("", "You need to enable JavaScript to run this app."),
            ("Before you continue to Search", "We use cookies and data."),
            ("News", "We value your privacy. We and our partners store information."),
            ("Login", "User name\n\nPassword"),
            ("Empty", "  "),
        ] {
            assert!(wall(&page(title, text)).is_some(), "{title} {text}");
        }
        for (title, text) in [
            ("Robots", "A robot is a machine. Some of them walk."),
            (
                "How to log in",
                "Open the page, write your name and your password, and press the button. After that your desk is shown to you. It remembers where you stopped, and nobody else sees it. If it does not, clear the cache and try again, or ask the people who run it to have a look at the list of errors.",
            ),
            ("Cookies", "Cookies are small cakes made of flour, butter and sugar."),
            ("A short note", "It opened in 1931."),
            (
                "Billing",
                "To stop paying for the plan at the end of the month, open the menu in the upper corner and choose your name. You may have to sign in to your account again, because this cannot be undone. Then open Billing and choose Cancel plan. Your data stays for thirty days, and a letter confirms that the plan has ended, so keep it in a safe place until then.",
            ),
            ("Just a moment in time", "A song of the year 1974, sung by Ann Lee and written by Bo Ek."),
            ("Access denied (film)", "A film of the year 1999 about a harbour."),
            ("Backups", "Before you continue to the next step, back up your data."),
            (
                "Access denied errors",
                "An object store answers so when the key has no right to read the object. Open the policy of the bucket, look for the action GetObject, and add the role that your program runs under. If the object belongs to somebody else, its owner has to give you the right. Wait for a minute until the change is known everywhere, then try again with the same key and the same object as before.",
            ),
        ] {
            assert_eq!(wall(&page(title, text)), None, "{title}");
        }
        let long = "word ".repeat(400) + "please log in";
        assert_eq!(wall(&page("Long", &long)), None);
    }
}
