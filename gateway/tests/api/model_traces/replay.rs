//! Does the steps of a walk through the model with a real gateway, and compares both after each step.

mod beside;
mod comparison;
mod issuer;

use super::gate::{Gate, GateDecision, gate, number_of};
use crate::harness::{Answer as HttpAnswer, TestApp, build_form, card, token_of};
use axum::body::Body;
use axum::http::{Method, Request};
use beside::AskedBeside;
use comparison::answer_of;
use payframe_checkout_flow::flow::{
    Answer, CaptureInitiator, Failure, Outcome, SessionSnapshot, Verdict,
};
use payframe_model::{Ask, Client, GatewayStep, GatewayView, Key, Observed, Setting, sum_of};
use payframe_payment_domain::operation::AuthorizationResult;
use payframe_payment_domain::session::{Limit, StepUp};
use payframe_storage::{Store, query};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::task::JoinHandle;

/// Replays steps on a gateway of their own. The error is the first difference, with the steps that led to it.
pub(super) async fn replay(setting: &Setting, steps: &[Observed]) -> Result<(), String> {
    let mut replay = Replay::begin(setting).await;
    for (number, observed) in steps.iter().enumerate() {
        if let Err(mismatch) = replay.step(observed).await {
            let steps: Vec<String> = steps[..=number]
                .iter()
                .map(|observed| format!("{:?}", observed.step))
                .collect();
            return Err(format!("{mismatch}\nafter\n  {}", steps.join("\n  ")));
        }
    }
    Ok(())
}

struct Replay {
    /// Absent only while it crashes.
    app: Option<TestApp>,
    gate: Gate,
    acquirer: Store,
    session: String,
    /// The page of the latest submission's device check.
    device_token: String,
    in_flight: Option<InFlight>,
    /// The gateway's ids by the model's.
    ids: BTreeMap<String, String>,
    /// How often the sum was changed.
    sum: u8,
    beside: AskedBeside,
}

/// The request that is at the acquirer now.
enum InFlight {
    /// A call and its idempotency key.
    Call(JoinHandle<HttpAnswer>, Ask),
    /// A call whose caller disconnected.
    Abandoned(Ask),
    /// The issuer's page.
    Page(JoinHandle<HttpAnswer>),
    Recovery(JoinHandle<()>),
}

impl Replay {
    async fn begin(setting: &Setting) -> Replay {
        let (mut gate, replace) = gate();
        let change = |config: &mut payframe_gateway::config::Config| {
            config.idle = LIMIT;
            config.challenge = LIMIT;
            config.hard = LIMIT * 100;
            config.pending = LIMIT * 1_000;
            config.offer = OFFER;
            let dist = config.data.join("dist");
            crate::dist::write(&dist);
            config.assets = Some(dist);
        };
        let app = TestApp::with_ports(change, replace).await;
        let mut beside = AskedBeside::begin(setting.beside, &app, &mut gate).await;
        let mut request = beside.request(ORDER);
        if setting.capture_initiator == CaptureInitiator::Server {
            request["form"]["closing"] = json!("SERVER");
        }
        if setting.with_method {
            request["paymentSession"]["paymentService"] = Value::Null;
        }
        let session = app.open(&request).await;
        beside.show(&app, &session).await;
        Replay {
            session,
            acquirer: app.acquirer().await,
            app: Some(app),
            gate,
            device_token: String::new(),
            in_flight: None,
            ids: BTreeMap::new(),
            sum: 0,
            beside,
        }
    }

    fn app(&self) -> &TestApp {
        self.app.as_ref().unwrap()
    }

    async fn step(&mut self, Observed { step, view }: &Observed) -> Result<(), String> {
        let told = match step {
            GatewayStep::Called(client, ask, answer) => self
                .call(*client, *ask, answer.is_some())
                .await?
                .map(|heard| (heard, answer.clone())),
            GatewayStep::CallerLeft => {
                self.hang_up()?;
                None
            }
            GatewayStep::AcquirerAnswered => {
                self.is_asking()?;
                self.gate.decide(GateDecision::Pass);
                self.gate.request().await?;
                None
            }
            GatewayStep::Booked(answer) => {
                self.is_asking()?;
                self.gate.decide(GateDecision::Pass);
                let heard = self.land().await?;
                heard.map(|heard| (heard, answer.clone()))
            }
            GatewayStep::DemandBooked => {
                self.is_asking()?;
                self.gate.decide(GateDecision::Pass);
                self.gate.request().await?;
                None
            }
            GatewayStep::StepUpBooked(step_up, answer) => {
                self.is_asking()?;
                self.gate.decide(match step_up {
                    StepUp::NotPossible => GateDecision::Silence,
                    StepUp::Challenge
                    | StepUp::Confirmation
                    | StepUp::Decoupled { .. }
                    | StepUp::Refused => GateDecision::Pass,
                });
                let heard = self.land().await?;
                heard.map(|heard| (heard, answer.clone()))
            }
            GatewayStep::BookedThenCrashed => {
                self.is_asking()?;
                self.gate.decide(GateDecision::Pass);
                let key = self.key_in_flight();
                self.land().await?;
                if let Some(key) = key {
                    self.lose_answer(&key).await;
                }
                self.crash().await;
                None
            }
            GatewayStep::Crashed => {
                self.is_asking()?;
                self.gate.decide(GateDecision::Crash);
                self.in_flight = None;
                self.crash().await;
                None
            }
            GatewayStep::AcquirerSilent => {
                self.is_asking()?;
                self.gate.decide(GateDecision::Silence);
                match self.in_flight.take() {
                    Some(InFlight::Call(call, ask)) => {
                        let heard = call.await.map_err(|_| PANICKED)?;
                        Some(((ask, heard), Some(Answer::Failed(Failure::Service))))
                    }
                    Some(InFlight::Page(page)) => {
                        page.await.map_err(|_| PANICKED)?;
                        None
                    }
                    Some(InFlight::Recovery(recovery)) => {
                        recovery.await.map_err(|_| PANICKED)?;
                        None
                    }
                    Some(InFlight::Abandoned(_)) | None => None,
                }
            }
            GatewayStep::RecoveryBegun => {
                let app = self.app().app.clone();
                let recovery =
                    tokio::spawn(async move { payframe_gateway::maintenance::recover(&app).await });
                self.in_flight = Some(InFlight::Recovery(recovery));
                self.gate.request().await?;
                None
            }
            GatewayStep::DeviceReported => {
                let path = format!("/threeds/device/{}", self.device_token);
                let request = Request::post(path).body(Body::empty()).unwrap();
                self.app().send(request).await;
                None
            }
            GatewayStep::ChallengeAnswered(reply) => {
                self.answer_challenge(*reply, view.state == AUTHORIZING)
                    .await?;
                None
            }
            GatewayStep::ConfirmationAnswered(reply) => {
                self.answer_confirmation(*reply, view.state == AUTHORIZING)
                    .await?;
                None
            }
            GatewayStep::LimitPassed(limit) => {
                let limit = match limit {
                    Limit::Idle | Limit::Challenge => LIMIT,
                    other => return Err(format!("the model has no limit {other:?}")),
                };
                self.app().pass(limit.as_secs() + 1).await;
                None
            }
            GatewayStep::OutcomeForgotten => {
                self.app().pass(86_401).await;
                self.app().lose_answers().await;
                None
            }
            GatewayStep::SumChanged => {
                self.sum += 1;
                let amount = sum_of(self.sum).amount.to_string();
                let change = json!({ "sessionId": self.session, "amount": amount });
                let headers = [("content-type", "application/json")];
                let body = Body::from(change.to_string());
                let merchant = self.app().merchant();
                let request = merchant.request(Method::PATCH, "/build/session", &headers, body);
                self.app().send(request).await;
                None
            }
            GatewayStep::OfferMade(number) => {
                self.make_offer(*number).await?;
                None
            }
            GatewayStep::OffersEnded => {
                self.app().pass(OFFER.as_secs() + 1).await;
                None
            }
            GatewayStep::SavedCardRemoved => {
                self.remove_saved_card().await?;
                None
            }
            GatewayStep::PendingResolved(result) => {
                self.resolve_pending(*result).await;
                None
            }
        };
        let heard = told.map(|((ask, heard), expected)| (answer_of(ask, &heard), expected));
        self.compare(view).await?;
        match heard {
            Some((heard, Some(expected))) => self.same("the answer", &expected, &heard),
            _ => Ok(()),
        }
    }

    /// Makes a call. Returns its answer, unless the acquirer is asked first.
    async fn call(
        &mut self,
        client: Client,
        ask: Ask,
        is_answered: bool,
    ) -> Result<Option<(Ask, HttpAnswer)>, String> {
        // The rate of a frame's calls is limited by the clock that the test moves.
        self.app().clock.advance(Duration::from_millis(200));
        let mut call = self.app().send_apart(self.request(client, ask));
        if is_answered {
            let heard = tokio::select! {
                heard = &mut call => heard.map_err(|_| PANICKED)?,
                Ok(()) = self.gate.request() => {
                    return Err(format!("the acquirer is asked for {ask:?}"));
                }
            };
            if let Some(url) = heard.body["gdiStatus"]["gdiUrl"].as_str()
                && heard.header("idempotency-replayed").is_none()
            {
                self.device_token = token_of(url).to_owned();
            }
            return Ok(Some((ask, heard)));
        }
        tokio::select! {
            heard = &mut call => {
                let heard = heard.map_err(|_| PANICKED)?;
                Err(format!("{ask:?} is answered {} at once", heard.refusal()))
            }
            asked = self.gate.request() => {
                self.in_flight = Some(InFlight::Call(call, ask));
                asked.map(|()| None)
            }
        }
    }

    fn request(&self, client: Client, ask: Ask) -> Request<Body> {
        let fresh = uuid::Uuid::new_v4().to_string();
        let named = json!({ "sessionId": self.session });
        let (method, path, key, body) = match ask {
            Ask::ChooseCard => (
                Method::POST,
                "/fe/build/action/PAY_WITH_CARD",
                fresh,
                json!({}),
            ),
            Ask::SendCard {
                key,
                card: sent,
                sum,
                // No terminal is under attack.
                proof: _,
                beside,
            } => {
                let mut items = self.beside.items(sent, beside);
                let shown = json!({ "id": "SHOWN_SUM", "value": sum_of(sum).to_string() });
                items.as_array_mut().unwrap().push(shown);
                (Method::POST, "/fe/build/text", text_of(key), items)
            }
            Ask::Agree { sum } => {
                let shown = json!({ "shownSum": sum_of(sum).to_string() });
                (Method::POST, "/fe/build/sum", fresh, shown)
            }
            Ask::CheckDevice { last: true } => (Method::GET, LAST_QUESTION, fresh, Value::Null),
            Ask::CheckDevice { last: false } => (Method::GET, FIRST_QUESTION, fresh, Value::Null),
            Ask::SkipDevice => (Method::POST, "/fe/build/skip_gdi", fresh, json!({})),
            Ask::ReadState => (Method::GET, "/build/state", fresh, Value::Null),
            Ask::Close { key, sum } => {
                let mut body = named;
                if let Some(sum) = sum {
                    body["shownSum"] = json!(sum_of(sum).to_string());
                }
                (Method::POST, "/build/finalize_payment", text_of(key), body)
            }
            Ask::LeaveChallenge => (Method::POST, "/fe/build/leave_challenge", fresh, json!({})),
            Ask::Cancel => (Method::POST, "/build/cancel", fresh, named),
        };
        let caller = match client {
            Client::Tab(_) => self.app().frame(&self.session),
            Client::Server => self.app().merchant(),
        };
        if method == Method::GET {
            let joint = if path.contains('?') { '&' } else { '?' };
            let path = format!("{path}{joint}sessionId={}", self.session);
            return caller.request(method, &path, &[], Body::empty());
        }
        let headers = [
            ("content-type", "application/json"),
            ("idempotency-key", key.as_str()),
        ];
        caller.request(method, path, &headers, Body::from(body.to_string()))
    }

    fn is_asking(&self) -> Result<(), String> {
        match self.in_flight {
            Some(_) => Ok(()),
            None => Err(String::from("the gateway does not ask for money")),
        }
    }

    /// Closes the caller's connection before the answer arrives.
    fn hang_up(&mut self) -> Result<(), String> {
        match self.in_flight.take() {
            Some(InFlight::Call(call, ask)) => {
                call.abort();
                self.in_flight = Some(InFlight::Abandoned(ask));
                Ok(())
            }
            _ => Err(String::from("no call is under way")),
        }
    }

    /// Waits until the outcome is booked and the answer to the call is stored. Returns that answer, if a caller waits for it.
    async fn land(&mut self) -> Result<Option<(Ask, HttpAnswer)>, String> {
        match self.in_flight.take() {
            Some(InFlight::Call(call, ask)) => {
                let heard = call.await.map_err(|_| PANICKED)?;
                Ok(Some((ask, heard)))
            }
            Some(InFlight::Abandoned(ask)) => {
                let key = key_of(ask).unwrap_or_default();
                for _ in 0..POLLS {
                    if self.has_answer(&key).await {
                        return Ok(None);
                    }
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                Err(String::from("the answer to an abandoned call is not kept"))
            }
            Some(InFlight::Page(page)) => {
                page.await.map_err(|_| PANICKED)?;
                Ok(None)
            }
            Some(InFlight::Recovery(recovery)) => {
                recovery.await.map_err(|_| PANICKED)?;
                Ok(None)
            }
            None => Ok(None),
        }
    }

    fn key_in_flight(&self) -> Option<String> {
        match &self.in_flight {
            Some(InFlight::Call(_, ask) | InFlight::Abandoned(ask)) => key_of(*ask),
            _ => None,
        }
    }

    async fn has_answer(&self, key: &str) -> bool {
        let found = query("SELECT count(*) FROM stored_answer WHERE key = ?").bind(key);
        let rows = self.app().app.store().ask(found).await.unwrap();
        rows[0].first::<i64>().unwrap() > 0
    }

    /// As if the process had ended before the answer was stored.
    async fn lose_answer(&self, key: &str) {
        let lost = query("DELETE FROM stored_answer WHERE key = ?").bind(key);
        self.app().app.store().change(lost).await.unwrap();
    }

    async fn crash(&mut self) {
        if let Some(app) = self.app.take() {
            self.app = Some(app.crashed().await);
        }
    }

    /// The acquirer decides now, and the gateway asks it.
    async fn resolve_pending(&self, result: AuthorizationResult) {
        let (iso, result) = match result {
            AuthorizationResult::Approved => ("000", "APPROVED"),
            _ => ("907", "DECLINED"),
        };
        let decided = query(
            "UPDATE charge SET final_ms = 0, final_iso = ?, final_settlement = ? WHERE settlement = 'PENDING'",
        );
        let decided = decided.bind(iso).bind(result);
        self.acquirer.change(decided).await.unwrap();
        self.app()
            .change("UPDATE operation SET settle_ms = 0 WHERE settle_ms IS NOT NULL")
            .await;
        payframe_gateway::maintenance::run_due_work(&self.app().app).await;
    }
}

fn key_of(ask: Ask) -> Option<String> {
    match ask {
        Ask::SendCard { key, .. } | Ask::Close { key, .. } => Some(text_of(key)),
        _ => None,
    }
}

fn text_of(key: Key) -> String {
    format!("{key:?}")
}

const ORDER: &str = "M1";
const AUTHORIZING: &str = "AUTHORIZING";
const PANICKED: &str = "the call panicked";
const FIRST_QUESTION: &str = "/fe/build/check_gdi_result?attemptNumber=1";
const LAST_QUESTION: &str = "/fe/build/check_gdi_result?attemptNumber=10";
/// The limit of an idle session and of a challenge: long enough for thousands of calls.
const LIMIT: Duration = Duration::from_secs(3 * 3_600);
/// The limit of an offer: some of them can end while the session goes on.
const OFFER: Duration = Duration::from_secs(600);
/// How often the test looks for an answer, every 5 ms.
const POLLS: usize = 4_000;
