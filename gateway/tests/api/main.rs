//! The gateway's API, called as its callers do: through the router, without a network.

mod build_calls;
mod build_request;
mod frame_calls;
mod harness;
mod payment;
mod pipeline;
mod storage;
mod time;
