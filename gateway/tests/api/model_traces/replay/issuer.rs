//! The buyer's answers on the issuer's page, and those of the buyer's device, at the real gateway.

use super::*;
use payframe_payment_domain::session::{ChallengeReply, ConfirmationReply};

impl Replay {
    pub(super) async fn answer_challenge(
        &mut self,
        reply: ChallengeReply,
        is_charged: bool,
    ) -> Result<(), String> {
        let state = self.app().state(&self.session).await;
        let url = state["url"].as_str().ok_or("there is no challenge")?;
        let answer = match reply {
            ChallengeReply::Right => "answer=approve",
            ChallengeReply::No => "answer=reject",
            other => return Err(format!("no walk has {other:?}")),
        };
        let path = format!("/threeds/result/{}", token_of(url));
        self.send_form(&path, answer, is_charged).await
    }

    pub(super) async fn answer_confirmation(
        &mut self,
        reply: ConfirmationReply,
        is_charged: bool,
    ) -> Result<(), String> {
        let state = self.app().state(&self.session).await;
        let url = state["url"].as_str().ok_or("there is no confirmation")?;
        let answer = match reply {
            ConfirmationReply::Passed(_) => SIGNED,
            ConfirmationReply::Challenge => "outcome=CANCELLED",
            ConfirmationReply::Refused => "outcome=TIMED_OUT",
        };
        let path = format!("/threeds/confirmation/{}", token_of(url));
        self.send_form(&path, answer, is_charged).await
    }

    async fn send_form(
        &mut self,
        path: &str,
        answer: &'static str,
        is_charged: bool,
    ) -> Result<(), String> {
        let request = Request::post(path)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(Body::from(answer))
            .unwrap();
        let page = self.app().send_apart(request);
        if is_charged {
            self.in_flight = Some(InFlight::Page(page));
            self.gate.request().await
        } else {
            page.await.map_err(|_| PANICKED)?;
            Ok(())
        }
    }
}

/// A confirmation that a device has signed, as the page sends it.
const SIGNED: &str = "outcome=CONFIRMED&assertion=%7B%22id%22%3A%22AA%22%2C%22response%22%3A%7B%22clientDataJSON%22%3A%22AA%22%2C\
     %22authenticatorData%22%3A%22AA%22%2C%22signature%22%3A%22AA%22%7D%7D";
