//! The commands that register and prove the origins of pages that may contain a terminal's forms.
//!
//! A file at the origin proves it: the file contains the token that the gateway gave to this terminal for this origin. Only the shop
//! can put it there. Redirects are not followed, because many shops redirect to an address that a parameter names.

use super::{CommandContext, CommandError, must_exist};
use crate::config::Config;
use clap::Subcommand;
use payframe_outbound_address::{AddressError, AllowedAddresses, OutboundAddress};
use payframe_payment_domain::calendar::instant;
use payframe_payment_service::merchant_urls::merchant_origin;
use payframe_storage::origins::{self, PageOrigin};
use payframe_storage::{StoreError, Subject};
use payframe_vault;
use reqwest::StatusCode;
use std::time::Duration;
use thiserror::Error;

/// What can be done with the origins of a terminal's pages.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum OriginCommand {
    /// Prints the origins of a terminal, and when each was proven.
    List {
        /// The terminal's id.
        terminal: String,
    },
    /// Registers an origin, and says how to prove it.
    Add {
        /// The terminal's id.
        terminal: String,
        /// The origin, such as https://shop.example.
        origin: String,
    },
    /// Proves an origin: asks it for the file.
    Verify {
        /// The terminal's id.
        terminal: String,
        /// The origin, as it was registered.
        origin: String,
    },
    /// Removes an origin; no new form opens for it.
    Remove {
        /// The terminal's id.
        terminal: String,
        /// The origin, as it was registered.
        origin: String,
    },
}

impl CommandContext<'_> {
    /// Carries out a subcommand of `terminal origin`.
    pub(super) async fn origin(&self, command: OriginCommand) -> Result<String, CommandError> {
        match command {
            OriginCommand::List { terminal } => self.origins(&terminal).await,
            OriginCommand::Add { terminal, origin } => {
                let origin = read(&origin, self.config)?;
                self.add_origin(&terminal, origin).await
            }
            OriginCommand::Verify { terminal, origin } => {
                let origin = read(&origin, self.config)?;
                self.verify_origin(&terminal, &origin).await
            }
            OriginCommand::Remove { terminal, origin } => {
                let origin = read(&origin, self.config)?;
                self.remove_origin(&terminal, &origin).await
            }
        }
    }

    async fn remove_origin(&self, terminal_id: &str, origin: &str) -> Result<String, CommandError> {
        let mut change = self.store.write(Subject::Gateway).await?;
        if !origins::remove(&mut change, terminal_id, origin).await? {
            return Err(not_registered(terminal_id, origin));
        }
        let detail = format!("removed the origin {origin}");
        self.log_terminal_change(&mut change, terminal_id, &detail)
            .await?;
        change.commit().await.map_err(StoreError::from)?;
        Ok(format!(
            "{origin} is not registered for terminal {terminal_id} any more; forms that are open go on\n"
        ))
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
        if origins::add(&mut change, &added, self.now_ms).await? {
            let detail = format!("registered the origin {}", added.origin);
            self.log_terminal_change(&mut change, terminal_id, &detail)
                .await?;
        } else {
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

    async fn verify_origin(&self, terminal_id: &str, origin: &str) -> Result<String, CommandError> {
        let registered = {
            let mut connection = self.store.read().await?;
            must_exist(&mut connection, terminal_id).await?;
            let found = origins::find(&mut connection, terminal_id, origin).await?;
            found.ok_or_else(|| not_registered(terminal_id, origin))?
        };
        let found =
            tokio::time::timeout(LONGEST, holds(origin, &registered.token, self.config)).await;
        found
            .unwrap_or(Err(OriginProofError::Late))
            .map_err(|why| {
                CommandError::Failed(format!("{origin} is not proven: {origin}{FILE} {why}"))
            })?;
        let mut change = self.store.write(Subject::Gateway).await?;
        if !origins::prove(&mut change, &registered, self.now_ms).await? {
            return Err(not_registered(terminal_id, origin));
        }
        let detail = format!("proved the origin {origin}");
        self.log_terminal_change(&mut change, terminal_id, &detail)
            .await?;
        change.commit().await.map_err(StoreError::from)?;
        Ok(format!(
            "{origin} is proven: its pages may hold forms of terminal {terminal_id} from now on\n"
        ))
    }
}

/// Whether the origin's file contains the token, in a line of its own.
async fn holds(origin: &str, token: &str, config: &Config) -> Result<(), OriginProofError> {
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
                AddressError::PrivateAddress => OriginProofError::Private,
                AddressError::BadUrl | AddressError::Unresolvable => OriginProofError::Unreachable,
            })?;
    let client = receiver
        .client("gateway-origins/1")
        .map_err(|_| OriginProofError::Unreachable)?;
    let asked = client.get(receiver.url.clone()).send();
    let mut answer = asked.await.map_err(|_| OriginProofError::Unreachable)?;
    if answer.status() != StatusCode::OK {
        return Err(OriginProofError::NotFound(answer.status().as_u16()));
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = answer
        .chunk()
        .await
        .map_err(|_| OriginProofError::Unreachable)?
    {
        if bytes.len() + chunk.len() > LARGEST {
            return Err(OriginProofError::TooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
    let text = String::from_utf8_lossy(&bytes);
    if text.lines().any(|line| line.trim() == token) {
        Ok(())
    } else {
        Err(OriginProofError::OtherText)
    }
}

/// Why an origin is not proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
enum OriginProofError {
    #[error("cannot be reached")]
    Unreachable,
    #[error("is not on the public internet")]
    Private,
    #[error("took too long")]
    Late,
    #[error("is answered with {0}; a redirect is not followed")]
    NotFound(u16),
    #[error("is larger than 16 KiB")]
    TooLarge,
    #[error("does not have the line; `terminal origin add` shows it again")]
    OtherText,
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

/// The path of the proof (RFC 8615).
const FILE: &str = "/.well-known/payframe-origins.txt";

/// In bytes. A shop with several terminals has a line for each.
const LARGEST: usize = 16 << 10;

const LONGEST: Duration = Duration::from_secs(20);
