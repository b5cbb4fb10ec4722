//! Which server to connect to: an address can name several, of which one takes changes.
//!
//! `postgres://user:password@first:5432,second:5432/database?target_session_attrs=read-write`: the hosts are tried in this order, and with
//! `target_session_attrs=read-write` one that takes no changes is passed over. So a gateway finds the new primary after a failover. The
//! words are those of PostgreSQL's own clients, of which the driver knows only one host at a time.

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions, Connection, Error, Row};
use std::str::FromStr;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// The servers of an address.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    options: Vec<PgConnectOptions>,
    takes_changes: bool,
}

/// Whether this is the address of a PostgreSQL server, or of several.
pub fn is_server_address(text: &str) -> bool {
    let is_of_postgres = ["postgres://", "postgresql://"]
        .iter()
        .any(|scheme| text.starts_with(scheme));
    is_of_postgres && Hosts::parse(text, |options| options).is_ok()
}

impl Hosts {
    /// Reads an address, and sets the same options for each of its hosts.
    pub(crate) fn parse(
        address: &str,
        with: impl Fn(PgConnectOptions) -> PgConnectOptions,
    ) -> Result<Hosts, Error> {
        let (address, takes_changes) = without_attributes(address)?;
        let options = single_addresses(&address)
            .iter()
            .map(|address| Ok(with(PgConnectOptions::from_str(address)?)))
            .collect::<Result<Vec<_>, Error>>()?;
        Ok(Hosts {
            options,
            takes_changes,
        })
    }

    /// A connection to the first host that accepts one. While all of them are starting or changing their roles, they are tried again for
    /// this time.
    pub(crate) async fn connect(&self, limit: Duration) -> Result<PgConnection, Error> {
        Ok(self.first(limit).await?.0)
    }

    /// The options of the first host that accepts a connection now, for a caller that makes its own.
    pub(crate) async fn find(&self, limit: Duration) -> Result<PgConnectOptions, Error> {
        let (connection, options) = self.first(limit).await?;
        connection.close().await?;
        Ok(options.clone())
    }

    async fn first(&self, limit: Duration) -> Result<(PgConnection, &PgConnectOptions), Error> {
        let end = Instant::now() + limit;
        let mut pause = FIRST_PAUSE;
        loop {
            let mut problem = Error::PoolTimedOut;
            for options in &self.options {
                match timeout_at(end, self.one(options)).await {
                    Ok(Ok(connection)) => return Ok((connection, options)),
                    Ok(Err(refused)) if is_passing(&refused) => problem = refused,
                    Ok(Err(refused)) => return Err(refused),
                    // A host that does not answer must not take the time of the next one, but here no time is left.
                    Err(_) => return Err(problem),
                }
            }
            if Instant::now() + pause >= end {
                return Err(problem);
            }
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    async fn one(&self, options: &PgConnectOptions) -> Result<PgConnection, Error> {
        let limit = Instant::now() + ONE_HOST;
        let connecting = async {
            let mut connection = options.connect().await?;
            if self.takes_changes && is_read_only(&mut connection).await? {
                let _ = connection.close().await;
                return Err(no_changes());
            }
            Ok(connection)
        };
        match timeout_at(limit, connecting).await {
            Ok(answer) => answer,
            Err(_) => Err(Error::Io(std::io::ErrorKind::TimedOut.into())),
        }
    }
}

async fn is_read_only(connection: &mut PgConnection) -> Result<bool, Error> {
    let row = sqlx::query("SHOW transaction_read_only").fetch_one(connection);
    Ok(row.await?.try_get::<String, _>(0)? == "on")
}

fn no_changes() -> Error {
    Error::Io(std::io::Error::new(
        std::io::ErrorKind::ConnectionRefused,
        "the server takes no changes",
    ))
}

/// Whether the same host may accept a connection a moment later.
fn is_passing(problem: &Error) -> bool {
    match problem {
        Error::Io(_) => true,
        // The server is starting, or has no free connection.
        Error::Database(problem) => matches!(problem.code().as_deref(), Some("57P03" | "53300")),
        _ => false,
    }
}

/// The address without `target_session_attrs`, and whether that wants a server that takes changes.
fn without_attributes(address: &str) -> Result<(String, bool), Error> {
    let Some((front, query)) = address.split_once('?') else {
        return Ok((address.to_owned(), false));
    };
    let mut takes_changes = false;
    let mut others = Vec::new();
    for part in query.split('&') {
        match part.split_once('=') {
            Some(("target_session_attrs", "read-write" | "primary")) => takes_changes = true,
            Some(("target_session_attrs", "any")) => takes_changes = false,
            Some(("target_session_attrs", _)) => {
                return Err(Error::Configuration(
                    "target_session_attrs must be read-write, primary or any".into(),
                ));
            }
            _ => others.push(part),
        }
    }
    let query = others.join("&");
    let mark = if query.is_empty() { "" } else { "?" };
    Ok((format!("{front}{mark}{query}"), takes_changes))
}

/// One address for each host.
fn single_addresses(address: &str) -> Vec<String> {
    let Some((scheme, rest)) = address.split_once("://") else {
        return vec![address.to_owned()];
    };
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at(end);
    // A password is percent-encoded, but some write an `@` in it all the same.
    let (user, hosts) = match authority.rsplit_once('@') {
        Some((user, hosts)) => (format!("{user}@"), hosts),
        None => (String::new(), authority),
    };
    hosts
        .split(',')
        .map(|host| format!("{scheme}://{user}{host}{tail}"))
        .collect()
}

/// How long one host may take to accept a connection, so that the next one has its turn.
const ONE_HOST: Duration = Duration::from_secs(2);
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_host_has_an_address_of_its_own() {
        for (address, singles) in [
            ("postgres://h/d", &["postgres://h/d"][..]),
            (
                "postgres://u:p@one:5432,two:5433/d?sslmode=require",
                &[
                    "postgres://u:p@one:5432/d?sslmode=require",
                    "postgres://u:p@two:5433/d?sslmode=require",
                ],
            ),
            (
                "postgres://u@%2Frun%2Fpostgresql:5433/d",
                &["postgres://u@%2Frun%2Fpostgresql:5433/d"],
            ),
            (
                "postgres://u:a@b,c@one,[::1]:5432",
                &["postgres://u:a@b,c@one", "postgres://u:a@b,c@[::1]:5432"],
            ),
        ] {
            assert_eq!(single_addresses(address), singles);
        }
    }

    #[test]
    fn an_address_names_one_server_or_several() {
        for (text, expected) in [
            ("postgres://user@host/payframe", true),
            (
                "postgresql://user:password@host:5433/payframe?sslmode=require",
                true,
            ),
            (
                "postgres://user@one:5432,two:5433/payframe?target_session_attrs=read-write",
                true,
            ),
            ("postgres://one,[::1]:5432/payframe", true),
            ("postgres://user@%2Fvar%2Frun%2Fpostgresql/payframe", true),
            ("postgres://user@one:5432,two:port/payframe", false),
            (
                "postgres://one,two/payframe?target_session_attrs=standby",
                false,
            ),
            ("mysql://localhost/payframe", false),
            ("payframe", false),
            ("", false),
        ] {
            assert_eq!(is_server_address(text), expected, "{text}");
        }
    }

    #[test]
    fn the_wanted_kind_of_server_is_taken_out_of_the_address() {
        for (address, left, takes_changes) in [
            ("postgres://h/d", "postgres://h/d", false),
            (
                "postgres://h/d?target_session_attrs=read-write",
                "postgres://h/d",
                true,
            ),
            (
                "postgres://h/d?sslmode=require&target_session_attrs=primary",
                "postgres://h/d?sslmode=require",
                true,
            ),
            (
                "postgres://h/d?target_session_attrs=any",
                "postgres://h/d",
                false,
            ),
        ] {
            let read = without_attributes(address).unwrap();
            assert_eq!(read, (left.to_owned(), takes_changes));
        }
        assert!(without_attributes("postgres://h/d?target_session_attrs=standby").is_err());
    }
}
