//! The life of a session, pure, for those who examine it from outside: the model checker in `crates/model`.
//!
//! It is the very [`step`] that serves payments, with the types that it speaks. Whoever calls it carries out
//! the [`Effect`]s. Nothing here serves a request; for that there is [`crate::router`].

pub use payframe_payment_domain::card::{ConsentMark, DeviceMark, EnteredCard, Funding};
pub use payframe_payment_domain::method::Method;
pub use payframe_payment_domain::offer::AcceptedOffer;
pub use payframe_payment_domain::operation::{
    ActionType, AlreadyFinal, AuthorizationResult, Capture, OperationResult,
};
pub use payframe_payment_domain::session::{
    AfterRefusal, Authentication, BookedOn, Challenge, ChallengeReply, CheckProgress, Closing,
    ClosingCall, Counters, DeviceCheck, Effect, Event, Limit, Limits, MethodReply, Recorded,
    Redirect, Session, Stage, State, Step, TransitionError, Verdict, next_limit, step,
};
pub use payframe_payment_domain::terms::Version;
