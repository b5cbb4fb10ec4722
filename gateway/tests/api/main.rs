//! The gateway's API, called as its callers do: through the router, without a network.

mod harness;
mod payment;
