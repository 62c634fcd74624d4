//! A connection to a database.

use std::sync::Arc;
use std::time::Duration;

use nexi_core::{ports::DatabaseCause, text::innermost};
use rustls::{
    ClientConfig,
    pki_types::{CertificateDer, pem::PemObject},
};
use rustls_platform_verifier::Verifier;
use tokio::task::JoinHandle;
use tokio_postgres::config::SslMode;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, NoTls, Row};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::{
    Address,
    failure::{self, DatabaseKind},
    write::Statements,
};

/// The oldest version of PostgreSQL that has what is used here.
const OLDEST_SERVER: i32 = 150_000;

/// An open connection.
pub struct Database {
    pub(crate) client: Client,
    address: Address,
    kind: DatabaseKind,
    pub(crate) statements: Statements,
    /// Carries the connection; ends with it.
    connection_task: JoinHandle<()>,
}

impl Drop for Database {
    fn drop(&mut self) {
        self.connection_task.abort();
    }
}

impl Database {
    /// Connects; certificates are judged as the system judges them, which trusts those of `roots` besides: each is a file in
    /// PEM form.
    ///
    /// # Errors
    /// Which of the many things that can go wrong did.
    pub async fn connect(address: &Address, password: Option<&str>, roots: &[Vec<u8>], kind: DatabaseKind) -> Result<Self, DatabaseCause> {
        let config = address.config(password);
        let failed = |error: &tokio_postgres::Error| connecting(address, password.is_some(), error, kind);
        let (client, connection_task) = if config.get_ssl_mode() == SslMode::Disable {
            let (client, connection) = config.connect(NoTls).await.map_err(|error| failed(&error))?;
            (client, tokio::spawn(async move { carry(connection.await) }))
        } else {
            let tls = tls(roots).map_err(|message| DatabaseCause::NoTls { host: address.host().to_owned(), message })?;
            let (client, connection) = config.connect(MakeRustlsConnect::new(tls)).await.map_err(|error| failed(&error))?;
            (client, tokio::spawn(async move { carry(connection.await) }))
        };
        let database = Self { client, address: address.clone(), kind, statements: Statements::default(), connection_task };
        let row =
            database.client.query_one("SELECT current_setting('server_version_num')::int, current_setting('server_version')", &[]).await;
        let row = row.map_err(|error| database.problem(&error))?;
        if row.get::<_, i32>(0) < OLDEST_SERVER {
            return Err(DatabaseCause::OldServer { found: row.get(1) });
        }
        Ok(database)
    }

    /// Fails where the database cannot keep every letter.
    pub(crate) async fn check_encoding(&self) -> Result<(), DatabaseCause> {
        let found: String = self.row("SELECT current_setting('server_encoding')", &[]).await?.get(0);
        if found == "UTF8" { Ok(()) } else { Err(DatabaseCause::OtherEncoding { found }) }
    }

    /// Whether it still stands.
    pub fn is_open(&self) -> bool {
        !self.client.is_closed()
    }

    /// Lets nothing take longer than this from now on.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn limit(&self, most: Duration) -> Result<(), DatabaseCause> {
        self.client.batch_execute(&format!("SET statement_timeout = {}", most.as_millis())).await.map_err(|error| self.problem(&error))
    }

    pub(crate) async fn execute(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<u64, DatabaseCause> {
        self.client.execute(sql, values).await.map_err(|error| self.problem(&error))
    }

    pub(crate) async fn rows(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, DatabaseCause> {
        self.client.query(sql, values).await.map_err(|error| self.problem(&error))
    }

    pub(crate) async fn row(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<Row, DatabaseCause> {
        self.client.query_one(sql, values).await.map_err(|error| self.problem(&error))
    }

    pub(crate) async fn row_if_any(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<Option<Row>, DatabaseCause> {
        self.client.query_opt(sql, values).await.map_err(|error| self.problem(&error))
    }

    pub(crate) fn problem(&self, error: &tokio_postgres::Error) -> DatabaseCause {
        failure::cause(error, self.address.host(), self.address.user(), self.kind)
    }
}

fn tls(roots: &[Vec<u8>]) -> Result<ClientConfig, String> {
    let mut extra = Vec::new();
    for certificate in roots.iter().flat_map(|pem| CertificateDer::pem_slice_iter(pem)) {
        extra.push(certificate.map_err(|error| error.to_string())?);
    }
    let builder = ClientConfig::builder();
    let verifier = Verifier::new_with_extra_roots(extra, builder.crypto_provider().clone()).map_err(|error| error.to_string())?;
    Ok(builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth())
}

fn carry(ended: Result<(), tokio_postgres::Error>) {
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection to a database ended");
    }
}

fn connecting(address: &Address, has_password: bool, error: &tokio_postgres::Error, kind: DatabaseKind) -> DatabaseCause {
    let (host, user) = (address.host().to_owned(), address.user().to_owned());
    match error.code() {
        Some(&SqlState::INVALID_PASSWORD | &SqlState::INVALID_AUTHORIZATION_SPECIFICATION) if has_password => {
            DatabaseCause::WrongPassword { host, user }
        }
        Some(&SqlState::INVALID_PASSWORD) => DatabaseCause::PasswordMissing { host, user },
        Some(&SqlState::INVALID_CATALOG_NAME) => DatabaseCause::NoDatabase { name: address.database().to_owned() },
        Some(_) => failure::cause(error, &host, &user, kind),
        None => of_connection(error, host, user, has_password),
    }
}

/// What goes wrong before the server says anything; tokio-postgres tells the kinds apart by their sources alone.
fn of_connection(error: &tokio_postgres::Error, host: String, user: String, has_password: bool) -> DatabaseCause {
    let message = innermost(error);
    let mut source: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(at) = source {
        if let Some(io) = at.downcast_ref::<std::io::Error>() {
            let is_tls = matches!(io.get_ref(), Some(inner) if inner.is::<rustls::Error>());
            return if is_tls { DatabaseCause::NoTls { host, message } } else { DatabaseCause::Unreached { host, message } };
        }
        if at.is::<rustls::Error>() {
            return DatabaseCause::NoTls { host, message };
        }
        source = at.source();
    }
    match (has_password, error.to_string().as_str()) {
        // The client itself says that it was asked for a password and has none.
        (false, text) if text.starts_with("invalid configuration") => DatabaseCause::PasswordMissing { host, user },
        (_, text) if text.starts_with("error performing TLS handshake") => DatabaseCause::NoTls { host, message },
        _ => DatabaseCause::Unreached { host, message },
    }
}
