//! Passwords of databases in the file that PostgreSQL's own programs take them from: `~/.pgpass`, or what `PGPASSFILE` names.

use std::path::{Path, PathBuf};

use nexi_postgres::Address;
use secrecy::SecretString;

/// The password for this address; none where the file has none, or others may read it. Blocks.
pub(crate) fn password_for(address: &Address) -> Option<SecretString> {
    let path = place()?;
    let text = std::fs::read_to_string(&path).ok()?;
    if is_open_to_others(&path) {
        tracing::warn!(path = %path.display(), "a file of passwords is not used, because others may read it; chmod 600 makes it private");
        return None;
    }
    let port = address.port().to_string();
    found(&text, [address.host(), &port, address.database(), address.user()]).map(SecretString::from)
}

fn place() -> Option<PathBuf> {
    let named = std::env::var_os("PGPASSFILE").filter(|name| !name.is_empty()).map(PathBuf::from);
    named.or_else(|| match cfg!(windows) {
        true => std::env::var_os("APPDATA").map(|folder| Path::new(&folder).join("postgresql").join("pgpass.conf")),
        false => std::env::home_dir().map(|home| home.join(".pgpass")),
    })
}

#[cfg(unix)]
fn is_open_to_others(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).is_ok_and(|facts| facts.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_open_to_others(_: &Path) -> bool {
    false
}

/// The password of the first line that fits: `host:port:database:user:password`, where an asterisk is anything.
fn found(text: &str, wanted: [&str; 4]) -> Option<String> {
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let mut fields = fields(line);
        let password = fields.pop().filter(|password| fields.len() == 4 && !password.is_empty())?;
        let fits = fields.iter().zip(wanted).all(|(field, wanted)| field == "*" || field == wanted);
        fits.then_some(password)
    })
}

/// The five fields of a line; a backslash stands before a colon or a backslash that is part of one.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        let last = fields.len() - 1;
        match letter {
            // Colons of the password need no backslash.
            ':' if last < 4 => fields.push(String::new()),
            '\\' => fields[last].extend(letters.next()),
            letter => fields[last].push(letter),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_fits_has_the_password() {
        let text = "# one:1:a:b:no\nother:5432:archive:anna:no\ndb:5432:archive:ben:no\ndb:*:archive:anna:a\\:b\\\\c:d\ndb:5432:archive:anna:later\n";
        assert_eq!(found(text, ["db", "5432", "archive", "anna"]).as_deref(), Some("a:b\\c:d"));
        assert_eq!(found(text, ["db", "5433", "archive", "ben"]), None);
        assert_eq!(found("*:*:*:*:all", ["x", "1", "y", "z"]).as_deref(), Some("all"));
        for broken in ["", "db:5432:archive:anna", "db:5432:archive:anna:", "db"] {
            assert_eq!(found(broken, ["db", "5432", "archive", "anna"]), None, "{broken}");
        }
    }
}
