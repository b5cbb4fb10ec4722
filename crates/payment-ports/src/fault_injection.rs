//! Faults on request: a caller asks for one to test what its own code does when the gateway fails.
//!
//! Only a simulator injects faults. Everywhere else the port refuses each request for one, so that nobody takes a test without faults for
//! a passed test. The port answers from memory.

use std::time::Duration;
use thiserror::Error;

/// Reads which fault a call asks for.
pub trait FaultInjection: Send + Sync {
    /// The name of the header that asks for a fault, in lower case.
    fn header(&self) -> &'static str;

    /// The fault that this value of the header asks for.
    ///
    /// # Errors
    /// No faults are injected here, or the value asks for none that exists.
    fn parse(&self, value: &[u8]) -> Result<Fault, FaultError>;
}

/// What happens to one call in place of a plain answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The call is not carried out, and the connection closes without an answer.
    Drop,
    /// The call is not carried out, and the answer is a failure of the server.
    ServerError,
    /// The call is carried out, and the connection closes after a time without an answer.
    Timeout,
    /// The call is carried out after this delay.
    Delay(Duration),
}

/// No fault can be read. The text is a sentence for the caller, and names the header.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct FaultError(pub String);
