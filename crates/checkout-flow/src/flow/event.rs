//! What happens to the flow, and what its caller has to do.

use super::challenge_failure::ChallengeFailure;
use super::countdown::TimeLeft;
use super::exchange::{Answer, Call, Generation};
use super::issuer_frame::FrameContent;
use super::new_session::NewSession;
use super::outcome::Verdict;
use super::waiting_for::WaitingFor;
use crate::choices::{Asked, ChoiceEffect, ChoiceEvent};

/// Something happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The state in which the session was when the page was made.
    Opened(Answer),
    /// The buyer chose to pay by card.
    MethodChosen,
    /// The buyer chose the method with this code, which is paid on another page.
    ElsewhereChosen(String),
    /// The buyer asks to be taken to the page of the method.
    LeaveRequested,
    /// The buyer or the page submitted fields that are complete and valid, at this time in milliseconds.
    Submitted(u64),
    /// What the session asks beside the card is shown from now on.
    ChoicesOpened {
        /// What it asks.
        asked: Asked,
        /// The buyer has begun to type a card.
        types_card: bool,
    },
    /// Something was chosen, or offered.
    Choice(ChoiceEvent),
    /// The time that [`ChoiceEffect::Wait`] asked for has passed. The time is now this number of milliseconds.
    OfferWaitOver(u64),
    /// The fields can not be submitted: the answer to [`Effect::CheckFields`] if it is not [`Event::Submitted`].
    FieldsIncomplete,
    /// The buyer or the page submitted while the browser knows that it is offline.
    SubmittedOffline,
    /// The buyer leaves the issuer's page, for another card or another try.
    ChallengeLeft,
    /// The issuer's frame shows this.
    IssuerPageSeen(FrameContent),
    /// The issuer's page has not come for so long that another way is offered.
    IssuerPageLate,
    /// Something went wrong around the issuer's page. Only the first problem of a challenge counts.
    ChallengeTroubled(ChallengeFailure),
    /// The buyer or the page wants the issuer's page in the whole window.
    WindowRequested,
    /// From now on time is counted. The time, in milliseconds since 1970 by the clock of this device.
    TimingStarted(u64),
    /// The gateway told how long session or issuer's page last.
    TimeTold(TimeLeft),
    /// The time that [`Effect::CountOn`] asked for has passed. The time is now this number of milliseconds.
    TimePassed(u64),
    /// The gateway takes long to answer.
    WaitIsLong,
    /// The buyer typed or pressed something, at this time in milliseconds.
    BuyerActive(u64),
    /// The buyer is back from another tab, the bank's app, sleep, or from being offline.
    BuyerReturned,
    /// The buyer or the page asks how the session stands.
    RefreshRequested,
    /// The buyer wants to try again with another session.
    RetryRequested,
    /// The page brought another session, asked for or not.
    Renewed(NewSession),
    /// The page has no other session.
    RenewalFailed,
    /// The buyer wants to give up, and has to confirm that.
    GivingUpRequested,
    /// The buyer does not give up after all.
    GivingUpDropped,
    /// The buyer or the page gives up.
    CancelRequested,
    /// The buyer asks again for the outcome of an unknown payment.
    RecheckRequested,
    /// A page inside the frame says that it is done, or the buyer is back from another page. This is only a hint.
    Hinted,
    /// The session's state, read outside of the flow while the form waited for the buyer in this generation.
    StatePeeked(Generation, Answer),
    /// A call has an answer.
    Answered(Generation, Answer),
    /// A wait is over.
    WaitOver(Generation),
    /// The puzzle of this generation is solved. `None`: it can not be read.
    PuzzleSolved(Generation, Option<String>),
}

/// What to do next. Carry out in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Make a call and report its answer with this generation.
    Call(Call, Generation),
    /// Wait so many milliseconds and report [`Event::WaitOver`] with this generation.
    Wait(u32, Generation),
    /// Solve this puzzle beside all that the buyer does, and report [`Event::PuzzleSolved`] with this generation.
    SolvePuzzle(String, Generation),
    /// Take the browser to the page of a method, at this address. Where the session says that the merchant's page does this, the caller only tells the page the
    /// state. The flow does not know who does it: nothing that it decides depends on that.
    Leave(String),
    /// What follows from the buyer's choices.
    Choice(ChoiceEffect),
    /// Read card data for display; its answer does not concern the flow.
    ReadCard,
    /// The gateway has the security code: remove it from input and memory.
    ForgetSecurityCode,
    /// A refusal ended the attempt: the next completion call needs a new idempotency key.
    NewAttempt,
    /// The payment is finished or given up: remove all card data from inputs and memory.
    WipeCard,
    /// Read the session's state outside of the flow, and report [`Event::StatePeeked`] with this generation.
    PeekState(Generation),
    /// The form waits for somebody else now.
    BeginWait(WaitingFor),
    /// Report [`Event::TimePassed`] after so many milliseconds, and no more for an earlier effect of this kind; after none, at once.
    CountOn(u64),
    /// Tell the buyer and the page how many seconds are left.
    Warn(u32),
    /// Tell the buyer why nothing happens.
    ExplainWait,
    /// Something else is in the place of the issuer's page of this address: remove the frame, find the cause, and report
    /// [`Event::ChallengeTroubled`].
    RemoveIssuerPage(String),
    /// Tell the page about a problem of the issuer's page.
    ReportTrouble(ChallengeFailure),
    /// Open the issuer's page at this address in the whole window.
    OpenIssuerWindow(String),
    /// Ask the merchant's page for another session and report [`Event::Renewed`] or [`Event::RenewalFailed`].
    AskForSession,
    /// Tell the buyer that the sum has changed.
    ShowNewTerms,
    /// Tell the buyer that the sum has changed since the press of Pay, which does not count for it.
    AskToPayAgain,
    /// A press of Pay goes on with a new session: check what was typed and report [`Event::Submitted`],
    /// [`Event::SubmittedOffline`] or [`Event::FieldsIncomplete`].
    CheckFields,
    /// Report to the page an outcome after which the buyer may try again, and the problem of the issuer's page.
    ReportRefusal(Verdict, Option<ChallengeFailure>),
    /// Report the final outcome to the page. It is reported once, except that the true outcome may follow `Unknown`.
    /// The report includes the problem of the issuer's page.
    ReportOutcome(Verdict, Option<ChallengeFailure>),
}
