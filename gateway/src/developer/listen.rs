//! `payframe-gateway listen`: passes the events of a running gateway on to a program on the developer's machine, which no notification
//! from outside would reach.
//!
//! It only reads the feed, so it can be used with any gateway. An event is posted once, whatever is answered: the feed can be read again.

use super::client::{CallError, GatewayClient, RunningGateway, client};
use clap::Args;
use payframe_notifier::signature::sign;
use payframe_payment_ports::Clock;
use payframe_protocol::api_version::ApiVersion;
use payframe_vault::random_notification_secret;
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

/// What is listened to, and where it goes.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct Listening {
    /// The address to which each event is posted.
    #[arg(long, value_name = "URL")]
    pub forward_to: String,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its members are described")]
    pub at: RunningGateway,
    /// The secret that signs the events. Without it one is made and printed.
    #[arg(long)]
    pub secret: Option<String>,
    /// Begins behind this cursor of the feed instead of now. `oldest`: with the oldest event that is kept.
    #[arg(long, value_name = "CURSOR", default_value = "latest")]
    pub after: String,
}

/// Posts the events of the feed one after the other.
pub struct Forwarder {
    gateway: GatewayClient,
    http: reqwest::Client,
    clock: Clock,
    forward_to: String,
    secret: String,
    /// `None`: with the oldest event.
    after: Option<String>,
}

/// A part of the feed.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    events: Vec<Event>,
    next_cursor: String,
    has_more: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    cursor: String,
    event_id: String,
    event_type: String,
    recorded_time: String,
    /// As the gateway wrote it, also where this program does not know a member. `null` in events that are not about money.
    #[serde(default)]
    notification: Value,
    #[serde(default)]
    attack: Value,
    #[serde(default)]
    refund_approval: Value,
    #[serde(default)]
    dispute: Value,
    #[serde(default)]
    page_change: Value,
}

impl Event {
    /// The body of the notification about it. `None`: none is sent.
    fn body(&self) -> Option<Value> {
        if !self.notification.is_null() {
            return Some(self.notification.clone());
        }
        let (name, value) = self.notice()?;
        let (id, kind, time) = (&self.event_id, &self.event_type, &self.recorded_time);
        Some(json!({ "eventId": id, "eventTime": time, "eventType": kind, name: value }))
    }

    /// What it tells of that is no money, with the name of its member. `None`: it is about money, or is not known.
    fn notice(&self) -> Option<(&'static str, &Value)> {
        let known = [
            ("attack", &self.attack),
            ("refundApproval", &self.refund_approval),
            ("dispute", &self.dispute),
            ("pageChange", &self.page_change),
        ];
        known.into_iter().find(|(_, value)| !value.is_null())
    }

    /// What it says, in short.
    fn short(&self) -> String {
        let text = |value: &Value, name: &str| value[name].as_str().unwrap_or("?").to_owned();
        let (about, of, state) = match self.notice() {
            None => {
                let operation = &self.notification["operation"];
                let result = text(operation, "operationResult");
                let result = format!("{}/{result}", text(operation, "operationType"));
                ("order", text(operation, "orderId"), result)
            }
            Some(("attack", attack)) => (
                "terminal",
                text(attack, "terminalId"),
                text(attack, "state"),
            ),
            Some(("pageChange", change)) => ("page", text(change, "page"), String::from("CHANGED")),
            Some((_, told)) => ("order", text(told, "orderId"), text(told, "state")),
        };
        format!("{about} {of} {state}")
    }
}

impl Listening {
    /// Passes events on until the process ends, and gives `tell` a line for each.
    ///
    /// # Errors
    /// The gateway refuses to give its events, for a reason that does not pass.
    pub async fn run(&self, mut tell: impl FnMut(&str)) -> Result<(), CallError> {
        let mut forwarder = Forwarder::new(self, Clock::system())?;
        tell(&forwarder.greeting());
        let mut is_silent = false;
        loop {
            match forwarder.forward(&mut tell).await {
                Ok(true) => is_silent = false,
                Ok(false) => {
                    is_silent = false;
                    tokio::time::sleep(PAUSE).await;
                }
                Err(problem) if problem.is_temporary() => {
                    if !is_silent {
                        tell(&format!("{problem}; trying again"));
                    }
                    is_silent = true;
                    tokio::time::sleep(PAUSE).await;
                }
                Err(problem) => return Err(problem),
            }
        }
    }
}

impl Forwarder {
    /// Nothing is called yet.
    ///
    /// # Errors
    /// There is no client, or there are no random bytes for a secret.
    pub fn new(listening: &Listening, clock: Clock) -> Result<Forwarder, CallError> {
        Ok(Forwarder {
            gateway: GatewayClient::of(&listening.at)?,
            http: client()?,
            clock,
            forward_to: listening.forward_to.clone(),
            secret: match &listening.secret {
                Some(secret) => secret.clone(),
                None => random_notification_secret()?,
            },
            after: Some(listening.after.clone()).filter(|after| after != OLDEST),
        })
    }

    /// What goes where, and the secret that a receiver verifies with.
    pub fn greeting(&self) -> String {
        let (gateway, forward_to) = (self.gateway.gateway(), &self.forward_to);
        format!(
            "events of {gateway} go to {forward_to}, signed with {}",
            self.secret
        )
    }

    /// Reads the feed once and posts what is new. Returns whether there is more.
    ///
    /// # Errors
    /// The feed cannot be read. What was posted before is not posted again.
    pub async fn forward(&mut self, mut tell: impl FnMut(&str)) -> Result<bool, CallError> {
        let path = match &self.after {
            Some(after) => {
                let query = url::form_urlencoded::Serializer::new(String::new())
                    .append_pair("after", after)
                    .finish();
                format!("/events?{query}")
            }
            None => String::from("/events"),
        };
        let page = self.gateway.get(&path).await?;
        let page: Page = serde_json::from_value(page).map_err(|_| self.gateway.unreadable())?;
        for event in page.events {
            let Some(body) = event.body() else {
                let (cursor, kind) = (&event.cursor, &event.event_type);
                tell(&format!(
                    "{cursor} {kind} -> not posted: there is no notification about it"
                ));
                self.after = Some(event.cursor);
                continue;
            };
            let outcome = self.post(&event.event_id, &body).await;
            tell(&format!(
                "{} {} {} -> {outcome}",
                event.cursor,
                event.event_type,
                event.short(),
            ));
            self.after = Some(event.cursor);
        }
        self.after = Some(page.next_cursor);
        Ok(page.has_more)
    }

    /// Posts an event as the notifier does, and returns the status, or why there is none.
    async fn post(&self, event_id: &str, body: &Value) -> String {
        let body = body.to_string();
        let mut request = self.http.post(&self.forward_to);
        let signed = sign(&[&self.secret], self.clock.now_ms(), event_id, &body);
        for (name, value) in signed {
            request = request.header(name, value);
        }
        let answer = request
            .header("Content-Type", "application/json")
            .header("X-Event-Id", event_id)
            .header("X-Event-Attempt", 1)
            .header("Payframe-Version", ApiVersion::default().date())
            .body(body)
            .send()
            .await;
        match answer {
            Ok(answer) => answer.status().as_u16().to_string(),
            Err(problem) if problem.is_builder() => String::from("not an address"),
            Err(problem) if problem.is_timeout() => String::from("no answer in time"),
            Err(_) => String::from("nobody answers"),
        }
    }
}

/// The value of `--after` that begins with the oldest event.
const OLDEST: &str = "oldest";

/// How long to wait before the feed is read again.
const PAUSE: Duration = Duration::from_secs(1);
