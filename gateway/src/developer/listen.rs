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
use serde_json::Value;
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
    /// As the gateway wrote it, also where this program does not know a member. `null` where no notification is sent.
    #[serde(default)]
    notification: Value,
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
            if event.notification.is_null() {
                let (cursor, kind) = (&event.cursor, &event.event_type);
                tell(&format!(
                    "{cursor} {kind} -> not posted: there is no notification about it"
                ));
                self.after = Some(event.cursor);
                continue;
            }
            let outcome = self.post(&event).await;
            let operation = &event.notification["operation"];
            let text = |name: &str| operation[name].as_str().unwrap_or("?");
            tell(&format!(
                "{} {} order {} {}/{} -> {outcome}",
                event.cursor,
                event.event_type,
                text("orderId"),
                text("operationType"),
                text("operationResult"),
            ));
            self.after = Some(event.cursor);
        }
        self.after = Some(page.next_cursor);
        Ok(page.has_more)
    }

    /// Posts an event as the notifier does, and returns the status, or why there is none.
    async fn post(&self, event: &Event) -> String {
        let body = event.notification.to_string();
        let mut request = self.http.post(&self.forward_to);
        let signed = sign(&[&self.secret], self.clock.now_ms(), &event.event_id, &body);
        for (name, value) in signed {
            request = request.header(name, value);
        }
        let answer = request
            .header("Content-Type", "application/json")
            .header("X-Event-Id", &event.event_id)
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
