//! The wire: the shapes of the HTTP API and of the frame messages, and nothing else.
//!
//! Use it wherever bytes enter or leave: the gateway writes these types and the widget is held to
//! them by tests, so that a change of the contract is a change in one place. There are no rules in here: a value of
//! these types is well-formed, not valid. Rules live in `payframe-card-rules`.

#[cfg(feature = "merchant")]
pub mod acceptance;
pub mod api;
#[cfg(feature = "merchant")]
pub mod api_version;
#[cfg(feature = "merchant")]
pub mod back_office;
pub mod boot;
#[cfg(feature = "merchant")]
pub mod build;
pub mod build_messages;
#[cfg(feature = "merchant")]
pub mod catalogue;
#[cfg(feature = "merchant")]
pub mod contract;
#[cfg(feature = "merchant")]
pub mod dispute;
#[cfg(feature = "merchant")]
pub mod events;
pub mod field_id;
pub mod frame;
#[cfg(feature = "merchant")]
pub mod fulfilment;
#[cfg(feature = "merchant")]
pub mod hosted;
#[cfg(feature = "merchant")]
pub mod notice;
#[cfg(feature = "merchant")]
pub mod operation;
pub mod own_frames;
#[cfg(feature = "merchant")]
pub mod page_report;
#[cfg(feature = "merchant")]
pub mod reservation;
#[cfg(feature = "merchant")]
pub mod settlement;
#[cfg(feature = "merchant")]
pub mod test_clock;
#[cfg(feature = "merchant")]
pub mod three_step;
#[cfg(feature = "typescript")]
pub mod typescript;
#[cfg(feature = "merchant")]
pub mod wallet;
#[cfg(feature = "merchant")]
pub mod warning;
