//! Confirmations by the buyer's device: what the issuer says to their outcome, and outcomes that come when the issuer has answered already.

use super::observed::GatewayStep;
use super::{Broken, Gateway};
use payframe_payment_domain::session::{
    Authentication, Challenge, ChallengeMeans, ConfirmationReply, Event, State,
};

impl Gateway {
    /// Whether the buyer's device is asked.
    pub(crate) fn asks_device(&self) -> bool {
        self.challenge_means() == Some(ChallengeMeans::Confirmation)
    }

    /// The issuer answers to the outcome of a confirmation.
    pub(crate) fn reply_to_confirmation(
        &mut self,
        said: ConfirmationReply,
        broken: Option<Broken>,
    ) {
        let booked = match broken {
            Some(Broken::EveryConfirmationPasses) => {
                ConfirmationReply::Passed(Authentication::Full)
            }
            _ => said,
        };
        self.book_reply(said, booked);
        self.record(|| GatewayStep::ConfirmationAnswered(said));
    }

    /// The page of another document sends an outcome, and the issuer has asked for a challenge before. Its first answer counts.
    pub(crate) fn hear_second_outcome(&mut self, broken: Option<Broken>) {
        let said = ConfirmationReply::Challenge;
        let mut booked = said;
        if broken == Some(Broken::SecondOutcomeCounts)
            && let State::Challenged { challenge, .. } = &mut self.session.state
        {
            challenge.means = ChallengeMeans::Confirmation;
            booked = ConfirmationReply::Passed(Authentication::Full);
        }
        self.book_reply(said, booked);
        self.record(|| GatewayStep::ConfirmationAnswered(said));
    }

    fn book_reply(&mut self, said: ConfirmationReply, booked: ConfirmationReply) {
        let State::Challenged { completion, .. } = &self.session.state else {
            return;
        };
        let operation_id = completion.operation_id.clone();
        let event = Event::ConfirmationAnswered {
            operation_id,
            reply: booked,
        };
        if self.apply(event).is_ok() && self.waits_for_answer() {
            self.is_unconfirmed |= !matches!(said, ConfirmationReply::Passed(_));
            self.begin_alone();
        }
    }

    fn challenge_means(&self) -> Option<ChallengeMeans> {
        match &self.session.state {
            State::Challenged {
                challenge: Challenge { means, .. },
                ..
            } => Some(*means),
            _ => None,
        }
    }
}
