//! Days, however a page writes them.

/// Names of months in the languages most pages are written in, by their first letters.
const MONTHS: [&[&str]; 12] = [
    &["jan", "ene", "gen", "jän", "janv"],
    &["feb", "fév", "fev"],
    &["mar", "mär", "mrz", "maa"],
    &["apr", "avr", "abr"],
    &["may", "mai", "mei", "mag"],
    &["jun", "juin", "giu"],
    &["jul", "juil", "lug"],
    &["aug", "aoû", "aou", "ago"],
    &["sep", "set"],
    &["oct", "okt", "ott", "out"],
    &["nov"],
    &["dec", "dez", "déc", "dic"],
];

/// The day of a text such as `2024-05-17T10:00:00Z`, `17 May 2024`, `May 17, 2024`, `17.05.2024`
/// or `Fri, 17 May 2024 10:00:00 GMT`, as `YYYY-MM-DD`.
pub fn day(text: &str) -> Option<String> {
    let text = text.trim();
    iso(text).or_else(|| dotted(text)).or_else(|| named(text))
}

/// The day in the path of an address, such as `/2024/05/17/`.
pub fn in_path(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split(['/', '-', '_']).filter(|part| !part.is_empty()).collect();
    parts.windows(3).find_map(|three| match three {
        [year, month, day] if year.len() == 4 && (1..=2).contains(&month.len()) && (1..=2).contains(&day.len()) => {
            from_parts(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
        }
        _ => None,
    })
}

fn iso(text: &str) -> Option<String> {
    let numbers: Vec<&str> = text.get(..text.len().min(24))?.split(|c: char| !c.is_ascii_digit()).take(3).collect();
    match numbers.as_slice() {
        [year, month, day, ..] if year.len() == 4 && !month.is_empty() && !day.is_empty() => {
            from_parts(year.parse().ok()?, month.parse().ok()?, day.get(..day.len().min(2))?.parse().ok()?)
        }
        [whole, ..] if matches!(whole.len(), 8 | 14) => {
            from_parts(whole[..4].parse().ok()?, whole[4..6].parse().ok()?, whole[6..8].parse().ok()?)
        }
        _ => None,
    }
}

/// `17.05.2024`. With slashes nobody knows which number is the month, unless one is above 12.
fn dotted(text: &str) -> Option<String> {
    let at = text.find(|c: char| c.is_ascii_digit())?;
    let rest: String =
        text[at..].chars().take_while(|c| c.is_ascii_digit() || matches!(c, '.' | '/' | ' ')).filter(|c| *c != ' ').collect();
    let slashes = rest.contains('/');
    let numbers: Vec<u32> = rest.split(['.', '/']).filter_map(|part| part.parse().ok()).collect();
    match numbers.as_slice() {
        [first, second, year, ..] if *year > 1900 && (!slashes || *first > 12) => from_parts(*year, *second, *first),
        [first, second, year, ..] if *year > 1900 && *second > 12 => from_parts(*year, *first, *second),
        _ => None,
    }
}

fn named(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).take(12).collect();
    let (place, month) = words.iter().enumerate().find_map(|(place, word)| Some((place, month(word)?)))?;
    let number = |word: &str| word.trim_end_matches(|c: char| c.is_alphabetic()).parse::<u32>().ok();
    let year = words.iter().skip(place + 1).take(3).filter_map(|word| number(word)).find(|number| (1900..2200).contains(number))?;
    let before = place.checked_sub(1).and_then(|at| number(words[at]));
    // `17 de mayo de 2024`
    let before = before.or_else(|| place.checked_sub(2).filter(|_| words[place - 1] == "de").and_then(|at| number(words[at])));
    let after = words.get(place + 1).and_then(|word| number(word)).filter(|number| *number <= 31);
    from_parts(year, month, before.filter(|day| *day <= 31).or(after)?)
}

fn month(word: &str) -> Option<u32> {
    if word.chars().count() > 12 || !word.chars().all(char::is_alphabetic) {
        return None;
    }
    MONTHS.iter().position(|names| names.iter().any(|name| word.starts_with(name))).and_then(|index| u32::try_from(index + 1).ok())
}

fn from_parts(year: u32, month: u32, day: u32) -> Option<String> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    ((1900..2200).contains(&year) && (1..=days).contains(&day)).then(|| format!("{year:04}-{month:02}-{day:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_in_many_forms() {
        for text in [
            "2024-05-17",
            "2024-05-17T10:00:00+02:00",
            "2024/5/17",
            "20240517",
            "17.05.2024",
            "17. 5. 2024, 10:00 Uhr",
            "17/05/2024",
            "05/17/2024",
            "17 May 2024",
            "May 17, 2024",
            "May 17th, 2024 at 5 pm",
            "Friday, 17. Mai 2024",
            "17 mai 2024",
            "17 de mayo de 2024",
            "Fri, 17 May 2024 10:00:00 GMT",
        ] {
            assert_eq!(day(text).as_deref(), Some("2024-05-17"), "{text}");
        }
        for text in ["", "yesterday", "2024-13-01", "2024-02-30", "05/06/2024", "1234", "Maybe 2024", "12345678901"] {
            assert_eq!(day(text), None, "{text}");
        }
        assert_eq!(in_path("/news/2024/05/17/title").as_deref(), Some("2024-05-17"));
        assert_eq!(in_path("/2024-05-17-title").as_deref(), Some("2024-05-17"));
        assert_eq!(in_path("/rooms/2024/99/title"), None);
    }
}
