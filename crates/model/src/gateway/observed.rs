//! The observable events of the gateway in a walk, and the recorder for them.

use super::{Ask, Client, Gateway};
use payframe_checkout_flow::flow::Answer;
use payframe_payment_domain::operation::AuthorizationResult;
use payframe_payment_domain::session::{ChallengeReply, ConfirmationReply, Limit, State, StepUp};
use std::hash::{Hash, Hasher};

/// One event at the gateway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GatewayStep {
    /// The gateway begins to answer a call. `None`: the acquirer has to be asked first.
    Called(Client, Ask, Option<Answer>),
    /// The caller of the running call stops waiting for its answer.
    CallerLeft,
    /// The acquirer gets the request, and answers.
    AcquirerAnswered,
    /// The acquirer's answer is booked. Holds the answer to the running call, if there is one.
    Booked(Option<Answer>),
    /// The acquirer's answer demands an authentication. The decline is booked, and the 3-D Secure server is asked for a challenge.
    DemandBooked,
    /// The 3-D Secure server's answer is booked. Holds the answer to the running call, if there is one.
    StepUpBooked(StepUp, Option<Answer>),
    /// The acquirer's answer is booked; the process crashes before the answer to the call is stored or sent.
    BookedThenCrashed,
    /// The process crashes during a charge.
    Crashed,
    /// The acquirer gives no answer.
    AcquirerSilent,
    /// The gateway continues a charge that a crash or a missing answer interrupted.
    RecoveryBegun,
    /// The page of the device check reports.
    DeviceReported,
    /// The buyer answers on the issuer's page.
    ChallengeAnswered(ChallengeReply),
    /// The issuer answers to the outcome of a confirmation by the buyer's device, or has answered before.
    ConfirmationAnswered(ConfirmationReply),
    /// The session's next limit passes.
    LimitPassed(Limit),
    /// A day after the outcome: the gateway does not report it, and stores no answers.
    OutcomeForgotten,
    /// The merchant's server changes the sum: the next of [`sum_of`](crate::sum_of).
    SumChanged,
    /// The gateway makes a currency offer for a card that is typed: by its number.
    OfferMade(usize),
    /// The time of the offers is over.
    OffersEnded,
    /// The customer's saved card is removed, not by this form.
    SavedCardRemoved,
    /// A pending charge becomes final.
    PendingResolved(AuthorizationResult),
}

/// What can be seen of a gateway with one session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatewayView {
    /// The state's name in the database.
    pub state: &'static str,
    /// How many completion calls may still end in a refusal.
    pub attempts_left: u8,
    /// How often card data was sent.
    pub submissions: u8,
    /// Operations by id, each with its result on the wire.
    pub operations: Vec<(String, &'static str)>,
    /// The acquirer's charges by reference.
    pub charges: Vec<(String, AuthorizationResult)>,
    /// What `GET /build/state` answers.
    pub snapshot: Answer,
    /// The sum of the offer that the session's card was taken with: see [`sum_of`](crate::sum_of).
    pub taken_offer: Option<u8>,
}

/// A step, and the model's view of the gateway after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// What happened.
    pub step: GatewayStep,
    /// The state of the gateway after it.
    pub view: GatewayView,
}

/// Steps that were not read yet; `None` if they are not recorded. Not part of the gateway's state: states that differ only in this
/// are equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder(pub(crate) Option<Vec<Observed>>);

impl PartialEq for Recorder {
    fn eq(&self, _: &Recorder) -> bool {
        true
    }
}

impl Eq for Recorder {}

impl Hash for Recorder {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Gateway {
    /// Records an event.
    pub(crate) fn record(&mut self, step: impl FnOnce() -> GatewayStep) {
        if self.recorder.0.is_none() {
            return;
        }
        let view = self.view();
        if let Some(steps) = &mut self.recorder.0 {
            steps.push(Observed { step: step(), view });
        }
    }

    fn view(&self) -> GatewayView {
        GatewayView {
            state: state_name(&self.session.state),
            attempts_left: self.session.counters.attempts_left,
            submissions: self.session.counters.submissions,
            operations: self.operation_results(),
            charges: self.charges.clone().into_iter().collect(),
            snapshot: self.snapshot(),
            taken_offer: self.taken_offer(),
        }
    }
}

fn state_name(state: &State) -> &'static str {
    match state {
        State::ChoosingMethod => "CHOOSING_METHOD",
        State::CollectingCard(_) => "COLLECTING_CARD",
        State::CheckingDevice { .. } => "CHECKING_DEVICE",
        State::Ready { .. } => "READY",
        State::VerifyingDevice { .. } => "VERIFYING_DEVICE",
        State::Challenged { .. } => "CHALLENGED",
        State::Redirected { .. } => "REDIRECTED",
        State::Authorizing { .. } | State::SteppingUp { .. } | State::AuthorizingMethod { .. } => {
            "AUTHORIZING"
        }
        State::Complete { .. } => "COMPLETE",
        State::Cancelled { .. } => "CANCELLED",
        State::Dead => "DEAD",
    }
}
