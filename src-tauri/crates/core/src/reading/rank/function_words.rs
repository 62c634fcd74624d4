//! Words that carry no topic, by language.

use std::collections::BTreeSet;

/// Function words and words of questions of each language, sorted; English first, which counts where nothing tells.
const LANGUAGES: [&[&str]; 6] = [
    &[
        "a", "about", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because", "been", "before",
        "being", "between", "both", "but", "by", "can", "cannot", "could", "did", "do", "does", "doing", "done", "down", "during", "each",
        "either", "few", "for", "from", "get", "gets", "give", "got", "had", "has", "have", "having", "he", "her", "here", "hers", "him",
        "his", "how", "i", "if", "in", "into", "is", "it", "its", "itself", "just", "let", "like", "may", "me", "might", "more", "most",
        "much", "must", "my", "no", "nor", "not", "of", "off", "on", "once", "only", "or", "other", "our", "out", "over", "own", "please",
        "same", "shall", "she", "should", "so", "some", "such", "tell", "than", "that", "the", "their", "them", "then", "there", "these",
        "they", "this", "those", "through", "to", "too", "under", "until", "up", "us", "very", "was", "we", "were", "what", "when",
        "where", "which", "while", "who", "whom", "whose", "why", "will", "with", "would", "you", "your",
    ],
    &[
        "aber", "als", "am", "an", "auch", "auf", "aus", "bei", "beim", "bin", "bis", "da", "damit", "dann", "das", "dass", "dein",
        "deine", "dem", "den", "denn", "der", "des", "die", "dies", "diese", "diesem", "diesen", "dieser", "dieses", "dir", "doch", "du",
        "durch", "ein", "eine", "einem", "einen", "einer", "eines", "er", "es", "etwas", "euch", "euer", "für", "gab", "gibt", "hab",
        "habe", "haben", "hast", "hat", "hatte", "hatten", "hier", "ich", "ihm", "ihn", "ihr", "ihre", "ihrem", "ihren", "ihrer", "im",
        "in", "ins", "ist", "ja", "kann", "kannst", "kein", "keine", "können", "man", "mein", "meine", "meinem", "meinen", "meiner",
        "mich", "mir", "mit", "muss", "müssen", "nach", "nicht", "noch", "nur", "ob", "oder", "ohne", "sein", "seine", "seinem", "seinen",
        "seiner", "seit", "sich", "sie", "sind", "so", "soll", "sollen", "sollte", "sonst", "um", "und", "uns", "unser", "unsere", "unter",
        "vom", "von", "vor", "wann", "war", "waren", "warum", "was", "weil", "welche", "welchem", "welchen", "welcher", "welches", "wem",
        "wen", "wenn", "wer", "werde", "werden", "wessen", "wie", "wieso", "will", "wir", "wird", "wo", "woher", "wohin", "womit",
        "worden", "worüber", "wovon", "wozu", "wurde", "wurden", "während", "zu", "zum", "zur", "zwischen", "über",
    ],
    &[
        "ai", "ait", "as", "au", "aux", "avait", "avec", "avez", "avons", "c", "ce", "cela", "ces", "cet", "cette", "combien", "comme",
        "comment", "dans", "de", "depuis", "des", "du", "elle", "elles", "en", "entre", "est", "et", "eu", "il", "ils", "j", "je", "l",
        "la", "laquelle", "le", "lequel", "les", "lesquels", "leur", "leurs", "lui", "m", "ma", "mais", "me", "mes", "mon", "n", "ne",
        "nos", "notre", "nous", "on", "ont", "ou", "où", "par", "pas", "pendant", "peut", "pour", "pourquoi", "qu", "quand", "que", "quel",
        "quelle", "quelles", "quels", "qui", "quoi", "s", "sa", "sans", "se", "sera", "ses", "si", "son", "sont", "sous", "sur", "t", "ta",
        "te", "tes", "ton", "tu", "un", "une", "vos", "votre", "vous", "y", "à", "étaient", "était", "été", "être",
    ],
    &[
        "a", "al", "algo", "ante", "como", "con", "cual", "cuales", "cuando", "cuanta", "cuantas", "cuanto", "cuantos", "cuál", "cuáles",
        "cuándo", "cuánta", "cuántas", "cuánto", "cuántos", "cómo", "de", "del", "desde", "donde", "dónde", "e", "el", "ella", "ellas",
        "ellos", "en", "entre", "era", "eran", "es", "esa", "ese", "eso", "esta", "estas", "este", "esto", "estos", "está", "están", "fue",
        "fueron", "ha", "hace", "hacia", "han", "hasta", "hay", "la", "las", "le", "les", "lo", "los", "me", "mi", "mis", "muy", "más",
        "ni", "no", "nos", "o", "para", "pero", "por", "porque", "puede", "que", "quien", "quienes", "quién", "quiénes", "qué", "se",
        "sea", "ser", "si", "sin", "sobre", "son", "su", "sus", "también", "te", "tiene", "tienen", "tu", "un", "una", "unas", "uno",
        "unos", "y", "ya", "yo",
    ],
    &[
        "a", "ad", "agli", "ai", "al", "alla", "alle", "allo", "che", "chi", "ci", "come", "con", "cosa", "cui", "da", "dai", "dal",
        "dalla", "dalle", "de", "degli", "dei", "del", "della", "delle", "dello", "di", "dove", "e", "ed", "era", "erano", "fu", "furono",
        "gli", "ha", "hanno", "ho", "i", "il", "in", "io", "la", "le", "lei", "lo", "loro", "lui", "ma", "mi", "mia", "mie", "mio", "nei",
        "nel", "nella", "nelle", "noi", "non", "o", "per", "perché", "più", "può", "qual", "quale", "quali", "quando", "quanta", "quante",
        "quanti", "quanto", "questa", "queste", "questi", "questo", "se", "si", "sono", "sta", "su", "sua", "sue", "sul", "sulla", "suo",
        "suoi", "ti", "tra", "tu", "un", "una", "uno", "vi", "voi", "è",
    ],
    &[
        "aan", "al", "als", "bij", "dan", "dat", "de", "deze", "die", "dit", "door", "een", "en", "er", "geen", "haar", "had", "hadden",
        "heb", "hebben", "heeft", "hem", "het", "hij", "hoe", "hoeveel", "ik", "in", "is", "je", "kan", "kon", "maar", "me", "meer", "met",
        "mijn", "naar", "niet", "nog", "of", "om", "onder", "ons", "onze", "ook", "op", "over", "te", "tot", "uit", "van", "voor", "waar",
        "waarom", "wanneer", "waren", "was", "wat", "we", "wel", "welk", "welke", "werd", "werden", "wie", "wij", "worden", "wordt", "zal",
        "ze", "zich", "zij", "zijn", "zo", "zonder",
    ],
];

/// The function words of the language of which a text has the most different ones; one alone tells nothing.
pub fn of_language<'a>(words: impl Iterator<Item = &'a str>) -> &'static [&'static str] {
    let words: BTreeSet<&str> = words.collect();
    let count = |list: &[&str]| words.iter().filter(|word| list.binary_search(word).is_ok()).count();
    // The first one of equals.
    let most = LANGUAGES.iter().rev().copied().max_by_key(|list| count(list)).filter(|list| count(list) > 1);
    most.unwrap_or(LANGUAGES[0])
}

/// Whether a lower-case word is a function word of English.
pub fn is_stop(word: &str) -> bool {
    LANGUAGES[0].binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted() {
        assert!(LANGUAGES.iter().all(|list| list.is_sorted_by(|a, b| a < b)));
    }
}
