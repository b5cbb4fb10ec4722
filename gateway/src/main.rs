//! The gateway's process.
fn main() {}
