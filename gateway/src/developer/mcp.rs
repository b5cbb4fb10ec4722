//! `payframe-gateway mcp`: serves a merchant's coding assistant, by the Model Context Protocol over standard input and output.
//!
//! An assistant that builds the form into a shop asks here for documents, codes and test cards, and reads what became of its orders. It
//! gets what the API of a running gateway answers to the merchant's key, less the tokens that prove notifications. It reads only, unless
//! `--allow-writes` is given and the gateway says that it is a sandbox.
//!
//! The protocol is that of the crate `rmcp`. Standard output belongs to it: nothing else is printed there.

mod codes;
mod docs;
mod prompt;
mod server;
mod tools;
mod writing;

use super::client::{CallError, RunningGateway};
use clap::Args;
use rmcp::ServiceExt;
use rmcp::transport::stdio;
use server::AssistantServer;
use thiserror::Error;

/// Which gateway an assistant reads, and whether it may do more.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct AssistantAccess {
    #[command(flatten)]
    #[allow(missing_docs, reason = "its members are described")]
    pub at: RunningGateway,
    /// Also opens sessions and makes test payments, at a sandbox. A gateway in production is only read.
    #[arg(long)]
    pub allow_writes: bool,
}

/// Why an assistant is not served.
#[derive(Debug, Error)]
pub enum AssistantError {
    /// There is no client for the gateway.
    #[error(transparent)]
    Client(#[from] CallError),
    /// What came in is not the protocol, or ended before it began.
    #[error("no assistant has begun to speak the Model Context Protocol at standard input: {0}")]
    Start(String),
    /// The server has stopped by itself.
    #[error("the conversation with the assistant broke off: {0}")]
    End(String),
}

impl AssistantAccess {
    /// Answers an assistant until it closes standard input.
    ///
    /// # Errors
    /// There is no assistant, or the conversation broke off.
    pub async fn serve(self) -> Result<(), AssistantError> {
        let server = AssistantServer::new(self.at, self.allow_writes)?;
        let running = server.serve(stdio()).await;
        let running = running.map_err(|problem| AssistantError::Start(problem.to_string()))?;
        let ended = running.waiting().await;
        ended.map_err(|problem| AssistantError::End(problem.to_string()))?;
        Ok(())
    }
}
