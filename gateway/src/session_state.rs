//! The life of a session, pure, for those who examine it from outside: the model checker in `crates/model`.
//!
//! It is the very [`step`] that serves payments, with the types that it speaks. Whoever calls it carries out
//! the [`Effect`]s. Nothing here serves a request; for that there is [`crate::router`].

pub use crate::domain::card::{ConsentMark, DeviceMark, EnteredCard, Funding};
pub use crate::domain::method::Method;
pub use crate::domain::offer::AcceptedOffer;
pub use crate::domain::operation::{
    ActionType, AlreadyFinal, AuthorizationResult, Capture, OperationResult,
};
pub use crate::domain::session::{
    AfterRefusal, Authentication, BookedOn, Challenge, ChallengeReply, CheckProgress, Closing,
    ClosingCall, Counters, DeviceCheck, Effect, Event, Limit, Limits, MethodReply, Recorded,
    Redirect, Session, Stage, State, Step, TransitionError, Verdict, next_limit, step,
};
pub use crate::domain::terms::Version;
