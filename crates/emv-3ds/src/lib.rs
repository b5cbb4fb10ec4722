//! EMV 3-D Secure 2.2.0 and 2.3.1: a 3-D Secure server that speaks to the directory servers of card networks.
//!
//! [`message`] are the messages of the protocol, with the conditions of their elements. [`EmvThreeDsServer`] implements the port
//! [`payframe_payment_ports::ThreeDsServer`]: it asks directory servers over mutual TLS, keeps their card ranges in memory and their answers
//! in the gateway's tables, and takes the results of challenges. [`ThreeDsFile`] are the operator's settings.
//!
//! Only payments of buyers in browsers are supported: no apps, no message extensions. An issuer may ask the buyer apart from the browser
//! (decoupled authentication), while a page of the gateway waits.

mod call;
mod card_ranges;
pub mod element;
mod error;
pub mod fault;
mod journal;
pub mod message;
mod server;
mod settings;
mod transport;

pub use error::ExchangeError;
pub use journal::belongs_to;
pub use server::EmvThreeDsServer;
pub use settings::ThreeDsFile;
