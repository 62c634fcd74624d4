//! Where a database is.

use std::time::Duration;

use nexi_core::{ports::DatabaseCause, text::innermost};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

/// How long reaching a database may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// PostgreSQL's default port.
const DEFAULT_PORT: u16 = 5432;
/// How long a connection may hear nothing of what it has sent.
const SILENCE: Duration = Duration::from_secs(40);

/// Where a database is and who asks it; without a password, which is found elsewhere.
#[derive(Debug, Clone)]
pub struct Address {
    config: Config,
    host: String,
    user: String,
}

impl Address {
    /// Reads `postgres://USER@HOST[:PORT]/DATABASE[?sslmode=…]`, or what libpq takes besides.
    ///
    /// # Errors
    /// When it is something else, holds a password, or would send everything unencrypted to another computer.
    pub fn parse(text: &str) -> Result<Self, DatabaseCause> {
        let bad = |message: String| DatabaseCause::BadAddress { message };
        // Certificates are always judged, whichever of these words asks for it.
        let text = text.trim().replace("sslmode=verify-full", "sslmode=require").replace("sslmode=verify-ca", "sslmode=require");
        let mut config: Config = text.parse().map_err(|error: tokio_postgres::Error| bad(innermost(&error)))?;
        if config.get_password().is_some() {
            return Err(DatabaseCause::PasswordInAddress);
        }
        let [host] = config.get_hosts() else { return Err(bad("it needs one host".into())) };
        let (host, is_here) = match host {
            Host::Tcp(name) => (name.clone(), is_loopback(name.as_str())),
            #[cfg(unix)]
            Host::Unix(path) => (path.display().to_string(), true),
        };
        // Where there is an address, that is where the connection goes, whatever the host is called.
        let is_here = is_here && config.get_hostaddrs().iter().all(std::net::IpAddr::is_loopback);
        let Some(user) = config.get_user().map(str::to_owned) else {
            return Err(bad("it needs a user, as postgres://USER@HOST/DATABASE".into()));
        };
        match config.get_ssl_mode() {
            SslMode::Disable if !is_here => return Err(DatabaseCause::Unencrypted { host }),
            // Without encryption somebody in between could read all of it.
            SslMode::Prefer if !is_here => drop(config.ssl_mode(SslMode::Require)),
            SslMode::Prefer => drop(config.ssl_mode(SslMode::Disable)),
            _ => {}
        }
        config.connect_timeout(CONNECT_TIMEOUT).application_name("nexi").keepalives_idle(Duration::from_secs(60)).tcp_user_timeout(SILENCE);
        Ok(Self { config, host, user })
    }

    /// What messages call the computer.
    pub fn host(&self) -> &str {
        &self.host
    }

    pub fn user(&self) -> &str {
        &self.user
    }

    pub fn port(&self) -> u16 {
        self.config.get_ports().first().copied().unwrap_or(DEFAULT_PORT)
    }

    /// The name of the database; that of the user where none is given.
    pub fn database(&self) -> &str {
        self.config.get_dbname().unwrap_or(&self.user)
    }

    pub(crate) fn config(&self, password: Option<&str>) -> Config {
        let mut config = self.config.clone();
        if let Some(password) = password {
            config.password(password);
        }
        config
    }
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.trim_matches(['[', ']']).parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_passwords_refused() {
        let address = Address::parse("postgres://anna@db.example.org/archive").unwrap();
        assert_eq!((address.host(), address.user(), address.database()), ("db.example.org", "anna", "archive"));
        assert_eq!(address.config(None).get_ssl_mode(), SslMode::Require);
        assert_eq!(Address::parse("postgres://anna@localhost:5433/a").unwrap().config(None).get_ssl_mode(), SslMode::Disable);
        assert_eq!(Address::parse("postgres://anna@127.0.0.1/a?sslmode=require").unwrap().config(None).get_ssl_mode(), SslMode::Require);
        assert_eq!(
            Address::parse("postgres://anna@localhost/a?sslmode=verify-full").unwrap().config(None).get_ssl_mode(),
            SslMode::Require
        );
        assert!(matches!(Address::parse("postgres://anna:secret@localhost/a"), Err(DatabaseCause::PasswordInAddress)));
        assert!(matches!(Address::parse("postgres://anna@db.example.org/a?sslmode=disable"), Err(DatabaseCause::Unencrypted { .. })));
        assert_eq!(
            Address::parse("postgres://anna@localhost/a?hostaddr=192.0.2.7").unwrap().config(None).get_ssl_mode(),
            SslMode::Require,
            "the address counts"
        );
        for bad in ["postgres://localhost/a", "nonsense", "postgres://a@b,c/d", "postgres://a@b/d?sslmode=maybe", ""] {
            assert!(matches!(Address::parse(bad), Err(DatabaseCause::BadAddress { .. })), "{bad}");
        }
    }
}
