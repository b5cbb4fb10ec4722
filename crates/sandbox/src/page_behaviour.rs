//! The behaviour of the sandbox's own pages: the device check and the challenge by the card's scenario, the page of a method by its
//! buttons (contract 11.4, 11.8).

use super::cards::{AccessControl, ChallengeScript, DeviceCheckScript, Scenario};
use super::methods::{APPROVING, REFUSING, WAITING};
use super::payment_credentials::CredentialIssuer;
use async_trait::async_trait;
use payframe_card_rules::secret::Secret;
use payframe_payment_domain::session::ChallengeReply;
use payframe_payment_ports::simulator_pages::{
    ChallengeAnswer, ChallengePage, DeviceCheckPage, Enrolment, EnrolmentError, MethodAnswer,
    Registration, SimulatorPages,
};

/// Decides the behaviour of pages.
pub(crate) struct SandboxPageBehaviour {
    pub(crate) issuer: CredentialIssuer,
}

#[async_trait]
impl SimulatorPages for SandboxPageBehaviour {
    fn device_check(&self, number: &Secret) -> DeviceCheckPage {
        // Exposed because the number of a test card defines its behaviour.
        match Scenario::of(number.expose()).device_check() {
            DeviceCheckScript::Silent => DeviceCheckPage::NeverReports,
            DeviceCheckScript::Slow => DeviceCheckPage::Reports {
                after_ms: SLOW_CHECK_MS,
            },
            DeviceCheckScript::Quick | DeviceCheckScript::NotDue => {
                DeviceCheckPage::Reports { after_ms: 0 }
            }
        }
    }

    fn challenge(&self, number: &Secret) -> ChallengePage {
        match script(number) {
            ChallengeScript::Endless => ChallengePage::NeverEnds,
            ChallengeScript::Regular | ChallengeScript::Failing => ChallengePage::TakesAnswers,
        }
    }

    fn reply_to(&self, number: &Secret, answer: &ChallengeAnswer) -> ChallengeReply {
        reply_to(number, answer)
    }

    fn reply_in_app(&self, number: &Secret, waited_ms: i64) -> ChallengeReply {
        // Exposed because the number of a test card defines its behaviour.
        match Scenario::of(number.expose()).access_control() {
            AccessControl::Decoupled if waited_ms >= APP_WAIT_MS => ChallengeReply::Right,
            _ => ChallengeReply::Undecided,
        }
    }

    fn return_data(&self, answer: MethodAnswer) -> Option<String> {
        let data = match answer {
            MethodAnswer::Approve => APPROVING,
            MethodAnswer::Refuse => REFUSING,
            MethodAnswer::Pending => WAITING,
            MethodAnswer::Cancel => return None,
        };
        Some(data.to_owned())
    }

    fn enrolment(&self) -> Option<Enrolment> {
        self.issuer.enrolment()
    }

    async fn enrol(&self, registration: &Registration) -> Result<bool, EnrolmentError> {
        let kept = self.issuer.enrol(registration).await;
        kept.map_err(|problem| EnrolmentError(Box::new(problem)))
    }
}

fn reply_to(number: &Secret, answer: &ChallengeAnswer) -> ChallengeReply {
    judge(script(number), answer)
}

/// The verdict on a buyer's answer.
pub(crate) fn judge(script: ChallengeScript, answer: &ChallengeAnswer) -> ChallengeReply {
    match (script, answer) {
        (ChallengeScript::Endless, _) => ChallengeReply::Undecided,
        (ChallengeScript::Failing, _) => ChallengeReply::No,
        (ChallengeScript::Regular, ChallengeAnswer::Code(code)) => {
            if code.trim() == RIGHT_CODE {
                ChallengeReply::Right
            } else {
                ChallengeReply::Wrong
            }
        }
        (ChallengeScript::Regular, ChallengeAnswer::Approve) => ChallengeReply::Right,
        (ChallengeScript::Regular, ChallengeAnswer::Reject | ChallengeAnswer::Cancel) => {
            ChallengeReply::No
        }
    }
}

/// The behaviour of a card's challenge. A card without one accepts the correct code.
pub(crate) fn script(number: &Secret) -> ChallengeScript {
    // Exposed because the number of a test card defines its behaviour.
    match Scenario::of(number.expose()).access_control() {
        AccessControl::Challenge(script) => script,
        AccessControl::Pass(_)
        | AccessControl::Confirmation
        | AccessControl::Decoupled
        | AccessControl::Refused
        | AccessControl::OnDemand => ChallengeScript::Regular,
    }
}

/// How long a slow device check takes (scenario 309).
pub(crate) const SLOW_CHECK_MS: u64 = 5_000;

/// After how long the buyer confirms in the issuer's app (scenario 315).
pub(crate) const APP_WAIT_MS: i64 = 3_000;

/// The code that passes every challenge (contract 11.8).
const RIGHT_CODE: &str = "123456";

#[cfg(test)]
mod tests {
    use super::*;
    use ChallengeReply::{No, Right, Undecided, Wrong};

    #[test]
    fn answers_are_judged_by_the_cards_case() {
        let code = |code: &str| ChallengeAnswer::Code(code.to_owned());
        for (number, answer, expected) in [
            ("4761730000003007", code("123456"), Right),
            ("4761730000003007", code(" 123456 "), Right),
            ("4761730000003007", code("654321"), Wrong),
            ("4761730000003007", ChallengeAnswer::Approve, Right),
            ("4761730000003007", ChallengeAnswer::Reject, No),
            ("4761730000003007", ChallengeAnswer::Cancel, No),
            ("4761730000003015", code("123456"), No),
            ("4761730000003015", ChallengeAnswer::Approve, No),
            ("4761730000003023", code("123456"), Undecided),
            ("4761730000003023", ChallengeAnswer::Cancel, Undecided),
        ] {
            let number = Secret::new(number.to_owned());
            assert_eq!(reply_to(&number, &answer), expected);
        }
    }
}
