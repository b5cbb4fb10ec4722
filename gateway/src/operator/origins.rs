//! The commands that register and prove the origins of pages that may hold a terminal's forms.
//!
//! An origin is proven by a file of it that holds what the gateway gave to this terminal for this origin: who can put it
//! there has the shop. A redirect is not followed, because many shops redirect to wherever an address says.

use super::{CommandContext, CommandError, must_exist};
use crate::config::Config;
use crate::routes::merchant_origin;
use payframe_outbound_address::{AddressError, AllowedAddresses, OutboundAddress};
use payframe_payment_domain::calendar::instant;
use payframe_storage::origins::{self, PageOrigin};
use payframe_storage::{StoreError, Subject};
use reqwest::StatusCode;
use std::time::Duration;

impl CommandContext {
    /// Carries out what stands behind `terminal origin`.
    pub(super) async fn origin(
        &self,
        config: &Config,
        words: &[&str],
    ) -> Result<String, CommandError> {
        match words {
            ["list", terminal_id] => self.origins(terminal_id).await,
            ["add", terminal_id, url] => {
                let origin = read(url, config)?;
                self.add_origin(terminal_id, origin).await
            }
            ["verify", terminal_id, url] => {
                let origin = read(url, config)?;
                self.verify_origin(config, terminal_id, &origin).await
            }
            ["remove", terminal_id, url] => {
                let origin = read(url, config)?;
                let mut change = self.store.write(Subject::Gateway).await?;
                if !origins::remove(&mut change, terminal_id, &origin).await? {
                    return Err(not_registered(terminal_id, &origin));
                }
                change.commit().await.map_err(StoreError::from)?;
                Ok(format!(
                    "{origin} is not registered for terminal {terminal_id} any more; forms that are open go on\n"
                ))
            }
            _ => Err(CommandError::Unknown),
        }
    }

    async fn origins(&self, terminal_id: &str) -> Result<String, CommandError> {
        let mut connection = self.store.read().await?;
        must_exist(&mut connection, terminal_id).await?;
        let origins = origins::of_terminal(&mut connection, terminal_id).await?;
        let line = |registered: &PageOrigin| {
            let proven = registered
                .proven_ms
                .map_or_else(|| String::from("not yet"), instant);
            format!("{:<40}{proven}\n", registered.origin)
        };
        let mut text = format!("{:<40}proven\n", "origin");
        text.extend(origins.iter().map(line));
        Ok(text)
    }

    async fn add_origin(&self, terminal_id: &str, origin: String) -> Result<String, CommandError> {
        let mut added = PageOrigin {
            terminal_id: terminal_id.to_owned(),
            origin,
            token: payframe_vault::random_token()?,
            proven_ms: None,
        };
        let mut change = self.store.write(Subject::Gateway).await?;
        must_exist(&mut change, terminal_id).await?;
        if !origins::add(&mut change, &added, self.now_ms).await? {
            let there = origins::find(&mut change, terminal_id, &added.origin).await?;
            added = there.ok_or_else(|| not_registered(terminal_id, &added.origin))?;
        }
        change.commit().await.map_err(StoreError::from)?;
        let PageOrigin { origin, token, .. } = added;
        Ok(format!(
            "{origin} is registered for terminal {terminal_id}. The shop puts this line into the file {origin}{FILE}\n{token}\n\
             and then: payframe-gateway terminal origin verify {terminal_id} {origin}\n"
        ))
    }

    async fn verify_origin(
        &self,
        config: &Config,
        terminal_id: &str,
        origin: &str,
    ) -> Result<String, CommandError> {
        let registered = {
            let mut connection = self.store.read().await?;
            must_exist(&mut connection, terminal_id).await?;
            let found = origins::find(&mut connection, terminal_id, origin).await?;
            found.ok_or_else(|| not_registered(terminal_id, origin))?
        };
        let found = tokio::time::timeout(LONGEST, holds(origin, &registered.token, config)).await;
        found.unwrap_or(Err(Unproven::Late)).map_err(|why| {
            CommandError::Failed(format!("{origin} is not proven: {origin}{FILE} {why}"))
        })?;
        let mut change = self.store.write(Subject::Gateway).await?;
        if !origins::prove(&mut change, &registered, self.now_ms).await? {
            return Err(not_registered(terminal_id, origin));
        }
        change.commit().await.map_err(StoreError::from)?;
        Ok(format!(
            "{origin} is proven: its pages may hold forms of terminal {terminal_id} from now on\n"
        ))
    }
}

/// Whether the origin's file holds the token, in a line of its own.
async fn holds(origin: &str, token: &str, config: &Config) -> Result<(), Unproven> {
    let reach = if config.mode.allows_insecure_urls() {
        AllowedAddresses::PublicOrLoopback
    } else {
        AllowedAddresses::Public
    };
    let address = format!("{origin}{FILE}");
    let receiver =
        OutboundAddress::find(&address, reach)
            .await
            .map_err(|refusal| match refusal {
                AddressError::PrivateAddress => Unproven::Private,
                AddressError::BadUrl | AddressError::Unresolvable => Unproven::Unreachable,
            })?;
    let client = receiver
        .client("gateway-origins/1")
        .map_err(|_| Unproven::Unreachable)?;
    let asked = client.get(receiver.url.clone()).send();
    let mut answer = asked.await.map_err(|_| Unproven::Unreachable)?;
    if answer.status() != StatusCode::OK {
        return Err(Unproven::NotFound(answer.status().as_u16()));
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|_| Unproven::Unreachable)? {
        if bytes.len() + chunk.len() > LARGEST {
            return Err(Unproven::TooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
    let text = String::from_utf8_lossy(&bytes);
    if text.lines().any(|line| line.trim() == token) {
        Ok(())
    } else {
        Err(Unproven::OtherText)
    }
}

/// Why an origin is not proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unproven {
    Unreachable,
    Private,
    Late,
    NotFound(u16),
    TooLarge,
    OtherText,
}

impl std::fmt::Display for Unproven {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unproven::Unreachable => f.write_str("cannot be reached"),
            Unproven::Private => f.write_str("is not on the public internet"),
            Unproven::Late => f.write_str("took too long"),
            Unproven::NotFound(status) => {
                write!(f, "is answered with {status}; a redirect is not followed")
            }
            Unproven::TooLarge => f.write_str("is larger than 16 KiB"),
            Unproven::OtherText => {
                f.write_str("does not have the line; `terminal origin add` shows it again")
            }
        }
    }
}

fn read(url: &str, config: &Config) -> Result<String, CommandError> {
    merchant_origin(url, config.mode.allows_insecure_urls()).ok_or_else(|| {
        CommandError::Failed(String::from(
            "an origin is https, a host and perhaps a port, as in https://shop.example",
        ))
    })
}

fn not_registered(terminal_id: &str, origin: &str) -> CommandError {
    CommandError::Failed(format!(
        "{origin} is not registered for terminal {terminal_id}; `terminal origin list` names what is"
    ))
}

/// Where the proof lies (RFC 8615).
const FILE: &str = "/.well-known/payframe-origins.txt";

/// In bytes. A shop with several terminals has a line for each.
const LARGEST: usize = 16 << 10;

const LONGEST: Duration = Duration::from_secs(20);
