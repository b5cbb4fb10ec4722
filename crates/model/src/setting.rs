//! What is searched: the participants, the cards, the number of faults, and what is broken on purpose.

use super::beside::Beside;
use super::card::Card;
use payframe_checkout_flow::flow::CaptureInitiator;

/// A search: its participants and bounds.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Who makes the completion call.
    pub capture_initiator: CaptureInitiator,
    /// In how many tabs the buyer has the form.
    pub tabs: usize,
    /// The cards that the buyer may pay with.
    pub cards: &'static [Card],
    /// The buyer is asked for a method first.
    pub with_method: bool,
    /// What is asked beside the card.
    pub beside: &'static [Beside],
    /// The form counts the time that is left, and watches the issuer's page.
    pub is_timed: bool,
    /// Somebody tries out cards at the terminal, so that the gateway asks for proofs of work.
    pub is_attacked: bool,
    /// How often things may happen.
    pub bounds: Bounds,
    /// How the composition is broken, for tests of the search itself.
    pub broken: Option<Broken>,
}

/// How often things may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// Losses, repetitions, delays, outages, crashes, silences.
    pub faults: u8,
    /// Presses of Pay that do something.
    pub presses: u8,
    /// How often a page is loaded again.
    pub loads: u8,
    /// Times that the buyer gives up.
    pub cancels: u8,
    /// Completion calls of the merchant's server.
    pub server_asks: u8,
    /// Sessions that the page brings in place of one that died or was refused for good. With any, there is one tab.
    pub renewals: u8,
    /// Times that the merchant's server changes the session's sum.
    pub changes: u8,
    /// Offers in the card's currency that the gateway makes.
    pub offers: u8,
    /// Waits for the acquirer's answer that end in a reversal.
    pub reversals: u8,
}

/// How the composition is broken on purpose, to test that the search finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// The acquirer is asked with a new reference each time.
    FreshReference,
    /// The intent is not stored before the acquirer is asked: a crash loses it.
    IntentForgotten,
    /// An acquirer without an answer counts as a refusal.
    SilenceIsRefusal,
    /// An answer that comes after the reversal is booked.
    LateAnswerBooked,
    /// A payment without an answer counts as reversed before the acquirer has acknowledged that.
    ReversalForgotten,
    /// After a crash nobody asks the acquirer again.
    NoRecovery,
    /// The form treats the hint of a page as the outcome.
    HintIsOutcome,
    /// The form treats the end of its time as the end of the payment.
    EndIsOutcome,
    /// The form forgets to wait.
    WaitsForgotten,
    /// The form makes the completion call although the buyer gave up.
    GivingUpCloses,
    /// The gateway keeps no answers: a repeated call is a new one.
    AnswersForgotten,
    /// The form treats every dead session as unpaid, however long it was suspended.
    DeathIsUnpaid,
    /// The form treats every new session as one with the same terms.
    TermsUnread,
    /// The gateway takes an offer that is over, or was for another sum.
    OfferUnchecked,
    /// The form chooses for the buyer what must still be chosen at a press of Pay.
    ChoosesForBuyer,
    /// The gateway charges the session's sum even if the form showed another one.
    SumUnchecked,
    /// The form shows another sum while a press is on its way, and continues with that press.
    SumSlipsIn,
    /// After a decline for want of an authentication, the acquirer is asked again without a challenge.
    RepeatsWithoutChallenge,
    /// After a decline for want of an authentication, the acquirer is asked again with the same reference.
    RepeatsSameReference,
    /// The gateway goes on after every confirmation by the buyer's device, whatever the issuer says.
    EveryConfirmationPasses,
    /// The gateway takes another outcome of a confirmation after the issuer has answered to the first.
    SecondOutcomeCounts,
    /// The gateway takes every proof of work that it ever asked for.
    ProofsStayGood,
    /// The form takes a new key for every try of a completion call.
    KeyForEachTry,
}
