//! A database that several people share, in PostgreSQL: where it is, who asks, and the connection that requests share.

use std::sync::Arc;
use std::time::{Duration, Instant};

use nexi_core::ports::DatabaseCause;
pub(crate) use nexi_postgres::DatabaseKind;
use nexi_postgres::{Address, Database};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Mutex;

use crate::password_file::password_for;

/// How long a request may take.
const REQUEST_LIMIT: Duration = Duration::from_secs(20);
/// How long connecting may take.
const CONNECTING: Duration = Duration::from_secs(12);
/// For how long a connection that failed is not tried again.
const FAILED: Duration = Duration::from_secs(5);

/// The connection that requests share, or why there is none.
#[derive(Default)]
struct Kept {
    connection: Option<Arc<Database>>,
    failed: Option<(Instant, DatabaseCause)>,
}

/// Where a database is, and who asks.
#[derive(Clone)]
pub(crate) struct SharedDatabase {
    address: Address,
    password: Option<SecretString>,
    /// It is of PostgreSQL's own file, and may be an old one.
    by_file: bool,
    /// Certificates that are trusted besides those of the system, in PEM form.
    roots: Vec<Vec<u8>>,
    kind: DatabaseKind,
    kept: Arc<Mutex<Kept>>,
}

impl SharedDatabase {
    /// At this address, without connecting yet; where no password is given, that of the file of PostgreSQL's programs is used.
    /// `roots` are certificates that are trusted besides those of the system, in PEM form. Blocks.
    ///
    /// # Errors
    /// When it is no address, or holds a password.
    pub(crate) fn at(
        address: &str,
        password: Option<SecretString>,
        roots: Vec<Vec<u8>>,
        kind: DatabaseKind,
    ) -> Result<Self, DatabaseCause> {
        let address = Address::parse(address)?;
        let kept = if password.is_none() { password_for(&address) } else { None };
        let by_file = kept.is_some();
        Ok(Self { address, password: password.or(kept), by_file, roots, kind, kept: Arc::default() })
    }

    /// The same with a password.
    #[must_use]
    pub(crate) fn with_password(self, password: SecretString) -> Self {
        Self { password: Some(password), by_file: false, kept: Arc::default(), ..self }
    }

    /// A connection, whatever there is in the database.
    ///
    /// # Errors
    /// When there is none to be had.
    pub(crate) async fn connect(&self) -> Result<Database, DatabaseCause> {
        let connected =
            Database::connect(&self.address, self.password.as_ref().map(ExposeSecret::expose_secret), &self.roots, self.kind).await;
        match connected {
            Err(DatabaseCause::WrongPassword { host, user }) if self.by_file => {
                tracing::warn!(%host, %user, "the password of the file of PostgreSQL's programs is not taken any more");
                Err(DatabaseCause::PasswordMissing { host, user })
            }
            connected => connected,
        }
    }

    /// A connection of one's own to what is looked for.
    ///
    /// # Errors
    /// When there is none to be had, or the database holds something else.
    pub(crate) async fn open(&self) -> Result<Database, DatabaseCause> {
        let database = self.connect().await?;
        match self.kind {
            DatabaseKind::Corpus => database.check_version().await?,
            DatabaseKind::Team => database.check_team().await?,
        }
        Ok(database)
    }

    /// Asks over the connection that requests share, which is made anew where it has broken meanwhile.
    ///
    /// # Errors
    /// When there is none to be had, or what `work` returns.
    pub(crate) async fn asked<T, F>(&self, work: impl Fn(Arc<Database>) -> F) -> Result<T, DatabaseCause>
    where
        F: Future<Output = Result<T, DatabaseCause>>,
    {
        self.asked_for(Duration::ZERO, work).await
    }

    /// The same, with so much more time: for what is long to send.
    ///
    /// # Errors
    /// When there is no connection, no answer in time, or what `work` returns.
    pub(crate) async fn asked_for<T, F>(&self, more: Duration, work: impl Fn(Arc<Database>) -> F) -> Result<T, DatabaseCause>
    where
        F: Future<Output = Result<T, DatabaseCause>>,
    {
        match self.attempt(more, &work).await {
            Err(DatabaseCause::Gone { .. }) => self.attempt(more, &work).await,
            done => done,
        }
    }

    async fn attempt<T, F>(&self, more: Duration, work: impl Fn(Arc<Database>) -> F) -> Result<T, DatabaseCause>
    where
        F: Future<Output = Result<T, DatabaseCause>>,
    {
        let database = self.shared().await?;
        // The database keeps to its limit by itself; the way there may be blocked.
        if let Ok(done) = tokio::time::timeout(REQUEST_LIMIT + Duration::from_secs(5) + more, work(database)).await {
            return done;
        }
        self.kept.lock().await.connection = None;
        Err(self.silent())
    }

    async fn shared(&self) -> Result<Arc<Database>, DatabaseCause> {
        let mut kept = self.kept.lock().await;
        if let Some(database) = kept.connection.as_ref().filter(|database| database.is_open()) {
            return Ok(database.clone());
        }
        // Requests that wait for each other do not find the same out one by one.
        if let Some((_, cause)) = kept.failed.as_ref().filter(|(when, _)| when.elapsed() < FAILED) {
            return Err(cause.clone());
        }
        let connect = async {
            let database = self.open().await?;
            database.limit(REQUEST_LIMIT).await?;
            Ok(Arc::new(database))
        };
        match tokio::time::timeout(CONNECTING, connect).await.unwrap_or_else(|_| Err(self.silent())) {
            Ok(database) => {
                *kept = Kept { connection: Some(database.clone()), failed: None };
                Ok(database)
            }
            Err(cause) => {
                *kept = Kept { connection: None, failed: Some((Instant::now(), cause.clone())) };
                Err(cause)
            }
        }
    }

    fn silent(&self) -> DatabaseCause {
        DatabaseCause::Silent { host: self.address.host().to_owned() }
    }
}
