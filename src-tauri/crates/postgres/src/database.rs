//! A connection to a database.

use nexi_core::text::innermost;
use rustls_platform_verifier::ConfigVerifierExt as _;
use tokio::task::JoinHandle;
use tokio_postgres::config::SslMode;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, NoTls, Row};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::{Address, DatabaseProblem};

/// The oldest version of PostgreSQL that has what is used here.
const OLDEST_SERVER: i32 = 150_000;

/// An open connection.
pub struct Database {
    pub(crate) client: Client,
    address: Address,
    /// Carries the connection; ends with it.
    carrier: JoinHandle<()>,
}

impl Drop for Database {
    fn drop(&mut self) {
        self.carrier.abort();
    }
}

impl Database {
    /// Connects; certificates are judged as the system judges them.
    ///
    /// # Errors
    /// Which of the many things that can go wrong did.
    pub async fn connect(address: &Address, password: Option<&str>) -> Result<Self, DatabaseProblem> {
        let config = address.config(password);
        let failed = |error: &tokio_postgres::Error| connecting(address, password.is_some(), error);
        let (client, carrier) = if config.get_ssl_mode() == SslMode::Disable {
            let (client, connection) = config.connect(NoTls).await.map_err(|error| failed(&error))?;
            (client, tokio::spawn(async move { carry(connection.await) }))
        } else {
            let tls = rustls::ClientConfig::with_platform_verifier()
                .map_err(|error| DatabaseProblem::NoTls { host: address.host().to_owned(), message: error.to_string() })?;
            let (client, connection) = config.connect(MakeRustlsConnect::new(tls)).await.map_err(|error| failed(&error))?;
            (client, tokio::spawn(async move { carry(connection.await) }))
        };
        let database = Self { client, address: address.clone(), carrier };
        let row =
            database.client.query_one("SELECT current_setting('server_version_num')::int, current_setting('server_version')", &[]).await;
        let row = row.map_err(|error| database.problem(&error))?;
        if row.get::<_, i32>(0) < OLDEST_SERVER {
            return Err(DatabaseProblem::OldServer { found: row.get(1) });
        }
        Ok(database)
    }

    /// Whether it still stands.
    pub fn is_open(&self) -> bool {
        !self.client.is_closed()
    }

    pub(crate) async fn execute(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<u64, DatabaseProblem> {
        self.client.execute(sql, values).await.map_err(|error| self.problem(&error))
    }

    pub(crate) async fn rows(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, DatabaseProblem> {
        self.client.query(sql, values).await.map_err(|error| self.problem(&error))
    }

    pub(crate) async fn row(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<Row, DatabaseProblem> {
        self.client.query_one(sql, values).await.map_err(|error| self.problem(&error))
    }

    pub(crate) async fn row_if_any(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<Option<Row>, DatabaseProblem> {
        self.client.query_opt(sql, values).await.map_err(|error| self.problem(&error))
    }

    pub(crate) fn problem(&self, error: &tokio_postgres::Error) -> DatabaseProblem {
        DatabaseProblem::of(error, self.address.host(), self.address.user())
    }
}

fn carry(ended: Result<(), tokio_postgres::Error>) {
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection to a database ended");
    }
}

fn connecting(address: &Address, has_password: bool, error: &tokio_postgres::Error) -> DatabaseProblem {
    let (host, user) = (address.host().to_owned(), address.user().to_owned());
    match error.code() {
        Some(&SqlState::INVALID_PASSWORD | &SqlState::INVALID_AUTHORIZATION_SPECIFICATION) if has_password => {
            DatabaseProblem::WrongPassword { host, user }
        }
        Some(&SqlState::INVALID_PASSWORD) => DatabaseProblem::PasswordMissing { user },
        Some(&SqlState::INVALID_CATALOG_NAME) => DatabaseProblem::NoDatabase { name: address.database().to_owned() },
        Some(_) => DatabaseProblem::of(error, &host, &user),
        None => of_connection(error, host, user, has_password),
    }
}

/// What goes wrong before the server says anything; tokio-postgres tells the kinds apart by their sources alone.
fn of_connection(error: &tokio_postgres::Error, host: String, user: String, has_password: bool) -> DatabaseProblem {
    let message = innermost(error);
    let mut source: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(at) = source {
        if let Some(io) = at.downcast_ref::<std::io::Error>() {
            let is_tls = matches!(io.get_ref(), Some(inner) if inner.is::<rustls::Error>());
            return if is_tls { DatabaseProblem::NoTls { host, message } } else { DatabaseProblem::Unreached { host, message } };
        }
        if at.is::<rustls::Error>() {
            return DatabaseProblem::NoTls { host, message };
        }
        source = at.source();
    }
    match (has_password, error.to_string().as_str()) {
        // The client itself says that it was asked for a password and has none.
        (false, text) if text.starts_with("invalid configuration") => DatabaseProblem::PasswordMissing { user },
        (_, text) if text.starts_with("error performing TLS handshake") => DatabaseProblem::NoTls { host, message },
        _ => DatabaseProblem::Unreached { host, message },
    }
}
