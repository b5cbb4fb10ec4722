//! The types of requests and answers, with members named as on the wire but in snake case.
//!
//! They are made from the gateway's OpenAPI document by `tools/types.mjs`; only what follows from them is written here. A request is written with the members
//! that it needs and `..Default::default()`. Answers can be stored as JSON, which is that of the wire.

mod answers;
mod choices;
mod file_content;
mod requests;

pub use answers::*;
pub use choices::*;
pub use file_content::DisputeFileContent;
pub use requests::*;

use crate::money::Money;
use serde::{Deserialize, Serialize};

/// The answer of a call that has nothing more to say than that it was carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Done {}

impl From<Money> for CaptureRequest {
    fn from(sum: Money) -> Self {
        Self {
            amount: sum.amount,
            currency: Some(sum.currency),
            ..Self::default()
        }
    }
}

impl From<Money> for RefundRequest {
    fn from(sum: Money) -> Self {
        Self {
            amount: sum.amount,
            currency: Some(sum.currency),
            ..Self::default()
        }
    }
}
