//! What a press in the plain form does: the calls that the form with scripts would make, in their order.
//!
//! The card and the payment are two calls. If the answer of the first one is a repetition, the second one is not made: the first press
//! made it, or the page shows the card and asks for another press.

use super::billing::asked_fields;
use super::card_fields::{FieldRules, Problem, Typed, refused};
use super::form_token::FormToken;
use super::payment::Payment;
use super::screen::Refusal;
use crate::App;
use crate::pages::browser_headers::browser_of;
use crate::routes::inner_api::{Browser, InnerAnswer, InnerApi, InnerCall};
use axum::http::StatusCode;
use payframe_card_rules::network::NetworkSet;
use payframe_error_codes::ErrorCode::{GW9015, PS0026};
use payframe_payment_domain::billing_address::BillingAddressFields;
use payframe_payment_domain::session::State;
use payframe_payment_domain::terms::{CaptureInitiator, CardField};
use payframe_payment_service::card_keys::OpenedItems;
use payframe_payment_service::report;
use payframe_payment_service::session_status::CARD_BUTTON;
use payframe_storage::sessions::SessionRow;
use serde_json::{Value, json};

/// The button that was pressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Press {
    /// Pay, below the fields.
    Card,
    /// Pay, with the card that was sent before.
    Pay,
    /// Cancel the payment.
    Cancel,
    /// Leave the issuer's page for the fields.
    Leave,
    /// Another method, by its code.
    Method(String),
}

impl Press {
    /// From the value of the button.
    pub(super) fn read(act: &str) -> Option<Press> {
        Some(match act {
            "card" => Press::Card,
            "pay" => Press::Pay,
            "cancel" => Press::Cancel,
            "leave" => Press::Leave,
            other => {
                let code = other.strip_prefix("method ")?;
                let is_code = |c: u8| c.is_ascii_alphanumeric() || c == b'_';
                if code.is_empty() || !code.bytes().all(is_code) {
                    return None;
                }
                Press::Method(code.to_owned())
            }
        })
    }
}

/// One form that was sent, with a token that holds.
pub(super) struct Step {
    pub(super) browser: Browser,
    pub(super) session_id: String,
    pub(super) token: FormToken,
    /// The sum that the page showed.
    pub(super) shown: String,
    pub(super) press: Press,
}

impl Step {
    /// Carries it out. The refusal that the page has to show; `None`: the page shows where the payment stands.
    pub(super) async fn carry_out(
        self,
        app: &App,
        api: &InnerApi,
        payment: &Payment,
        typed: Typed,
    ) -> Option<Refusal> {
        // One at a time: a second press of the same form waits for the first, and finds what it did.
        let name = format!("plain form {}", self.token.as_str());
        let _held = app.idempotency_keys().lock(&name).await;
        match &self.press {
            Press::Card => self.send_card(app, api, payment, typed).await,
            Press::Pay => self.pay(app, api, &self.present(app).await?).await,
            Press::Cancel => {
                let body = json!({ "sessionId": self.session_id });
                self.call(api, "cancel", "/build/cancel", body).await;
                None
            }
            Press::Leave => {
                let path = "/fe/build/leave_challenge";
                self.call(api, "leave", path, Value::Null).await;
                None
            }
            Press::Method(code) => {
                let path = format!("/fe/build/action/{code}");
                self.call(api, "method", &path, Value::Null).await;
                None
            }
        }
    }

    async fn send_card(
        &self,
        app: &App,
        api: &InnerApi,
        payment: &Payment,
        typed: Typed,
    ) -> Option<Refusal> {
        let boot = &payment.view.boot;
        let fields: Vec<CardField> = boot
            .fields
            .iter()
            .filter_map(|id| CardField::from_id(id))
            .collect();
        let billing_address = asked_fields(boot.billing.as_ref());
        let rules = FieldRules {
            fields: &fields,
            accepted: NetworkSet::from_codes(boot.networks.iter().map(String::as_str)),
            today: app.payments().today(),
            bins: app.payments().bin_lookup(),
            billing_address,
        };
        let mut refusal = Refusal {
            billing: match billing_address {
                BillingAddressFields::None => Vec::new(),
                asked => typed.billing(asked).problems(),
            },
            ..Refusal::default()
        };
        let items = match typed.items(&rules, &self.shown) {
            Ok(items) if refusal.billing.is_empty() => items,
            Ok(_) => return Some(refusal),
            Err(problems) => {
                refusal.problems = problems;
                return Some(refusal);
            }
        };
        drop(typed);
        if payment.row.session.state == State::ChoosingMethod {
            let path = format!("/fe/build/action/{CARD_BUTTON}");
            self.call(api, "choose", &path, Value::Null).await;
        }
        let answer = self
            .send(
                api,
                "card",
                "/fe/build/text",
                items.others,
                Some(items.card),
            )
            .await;
        if answer.status == StatusCode::OK {
            refusal.problems = refused_fields(&answer.body);
            refusal.consent = is_refused(&answer.body, "CONTRACT_CONSENT");
            if !refusal.problems.is_empty() || has_refusals(&answer.body) {
                return Some(refusal);
            }
            if answer.is_replayed {
                return None;
            }
            let row = self.present(app).await?;
            return self.pay(app, api, &row).await;
        }
        refusal.notice = if answer.is_refusal(PS0026) {
            let due = self.present(app).await?.sum().to_string();
            Some(match due == self.shown {
                true => "form_incomplete",
                false => "terms_changed",
            })
        } else {
            // The form cannot compute what is due, and has had its try.
            let is_passing =
                answer.status == StatusCode::TOO_MANY_REQUESTS || answer.is_refusal(GW9015);
            (is_passing || answer.status.is_server_error()).then_some("service_fault")
        };
        // Of any other refusal the page says by itself where the payment stands.
        refusal.notice.is_some().then_some(refusal)
    }

    /// Continues with the card that the session has: without its device check, which needs scripts, and with this press for the sum.
    async fn pay(&self, app: &App, api: &InnerApi, row: &SessionRow) -> Option<Refusal> {
        if let State::CheckingDevice { .. } = row.session.state {
            let submission = row.session.counters.submissions;
            let url = app.payments().device_check_url(&row.hash, submission);
            let token = url.rsplit('/').next().unwrap_or_default();
            let peer = self.browser.peer.map(|peer| peer.ip());
            let browser = browser_of(app, &self.browser.headers, peer);
            if let Err(problem) = app.buyer_pages().keep_browser(token, &browser).await {
                report("the data of a browser", &problem);
            }
            self.call(api, "check", "/fe/build/skip_gdi", Value::Null)
                .await;
        }
        if row.terms.capture_initiator == CaptureInitiator::Server {
            let body = json!({ "shownSum": self.shown });
            self.call(api, "sum", "/fe/build/sum", body).await;
            return None;
        }
        let body = json!({ "sessionId": self.session_id, "shownSum": self.shown });
        let answer = self.call(api, "pay", "/build/finalize_payment", body).await;
        // The page shows another sum by itself. Of other refusals nothing has begun; of a failure that is not known.
        let is_refused = answer.status.is_client_error() && !answer.is_refusal(PS0026);
        let is_ready = matches!(self.present(app).await?.session.state, State::Ready { .. });
        (is_refused && is_ready).then(|| Refusal {
            notice: Some("service_fault"),
            ..Refusal::default()
        })
    }

    async fn present(&self, app: &App) -> Option<SessionRow> {
        let hash = payframe_vault::hash(&self.session_id);
        app.sessions().find(&hash).await.ok().flatten()
    }

    async fn call(&self, api: &InnerApi, name: &str, path: &str, body: Value) -> InnerAnswer {
        self.send(api, name, path, body, None).await
    }

    async fn send(
        &self,
        api: &InnerApi,
        name: &str,
        path: &str,
        body: Value,
        card: Option<OpenedItems>,
    ) -> InnerAnswer {
        let call = InnerCall {
            session_id: &self.session_id,
            key: self.token.key(name),
            path,
            body,
            card,
        };
        api.post(&self.browser, call).await
    }
}

fn statuses(answer: &Value) -> impl Iterator<Item = (&str, &str)> {
    let statuses = answer.get("fieldStatus").and_then(Value::as_array);
    statuses.into_iter().flatten().filter_map(|status| {
        let id = status.get("id")?.as_str()?;
        Some((id, status.get("errorCode")?.as_str()?))
    })
}

fn refused_fields(answer: &Value) -> Vec<(CardField, Problem)> {
    statuses(answer)
        .filter_map(|(id, code)| Some((CardField::from_id(id)?, refused(code))))
        .collect()
}

fn is_refused(answer: &Value, id: &str) -> bool {
    statuses(answer).any(|(refused, _)| refused == id)
}

fn has_refusals(answer: &Value) -> bool {
    statuses(answer).next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_buttons_are_pressed() {
        for (act, expected) in [
            ("card", Some(Press::Card)),
            ("pay", Some(Press::Pay)),
            ("method PAYPAL", Some(Press::Method(String::from("PAYPAL")))),
            ("method ", None),
            ("method ../text", None),
            ("method PAY_WITH_CARD?x=1", None),
            ("", None),
            ("refund", None),
        ] {
            assert_eq!(Press::read(act), expected, "{act}");
        }
    }
}
