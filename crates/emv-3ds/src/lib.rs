//! EMV 3-D Secure 2.2.0 and 2.3.1: the messages, and what is wrong with them.

pub mod element;
pub mod fault;
pub mod message;
