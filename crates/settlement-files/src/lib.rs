//! Reads an acquirer's clearing file: CSV, by the operator's mapping.
//!
//! [`Mapping`] is the operator's TOML file, which says what the columns mean. [`read`] makes [`ClearingLine`]s of a file, or says in which
//! line and column it can not be read: a file is read whole or not at all. Files and mappings come as text and bytes; nothing here opens
//! a file, asks a clock, or knows what is stored.
//!
//! [`ClearingLine`]: payframe_payment_domain::settlement::ClearingLine

mod fields;
mod mapping;
mod reading;

pub use mapping::{Mapping, MappingError};
pub use reading::{MOST_LINES, ReadError, read};
