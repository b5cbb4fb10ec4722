//! Reading the creation calls of hosted pages and payment links (contract 8.1.1 to 8.1.3).

use super::error::{ApiError, Findings};
use super::fields::{Presence, Section};
use super::order_request::{
    Headers, MethodOffer, Rules, Services, country_of, read_payment, sketched,
};
use super::request_schema;
use crate::error_code::ErrorCode::{PS0008, PS0011, PS0026, PS0042};
use crate::payments::create_session::FormWishes;
use crate::payments::hosted::HostedOpening;
use payframe_card_rules::expiry::Date;
use payframe_payment_domain::card_on_file::CardOnFileTerms;
use payframe_payment_domain::hosted::{EndTime, Kind, Term};
use payframe_payment_domain::operation::ActionType;
use payframe_payment_domain::terms::{CaptureInitiator, RedirectHandler, Version};
use serde_json::Value;

/// Which creation call is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HostedCall {
    /// `POST /orders/hpp`
    Page,
    /// `POST /v1/orders/paybylink`
    LinkOne,
    /// `POST /v2/orders/paybylink`
    LinkTwo,
}

/// Reads the request. Every problem of the first failing group is told.
pub(super) fn read(
    body: &Value,
    call: HostedCall,
    headers: &Headers<'_>,
    rules: &Rules<'_>,
    now_ms: i64,
) -> Result<HostedOpening, ApiError> {
    let mut findings = Findings::default();
    let whole = Section::body(body, &mut findings);
    let read = HostedReader {
        call,
        headers,
        rules,
        now_ms,
    };
    let opening = read.body(&whole, country_of(body).as_deref(), &mut findings);
    findings.into_result()?;
    // Without a finding everything mandatory was read.
    opening.ok_or(ApiError::Ours)
}

/// Reads what a terminal with everything takes, for the documents.
pub(super) fn sketch(call: HostedCall, body: &Section<'_>, findings: &mut Findings) {
    sketched(|headers, rules| {
        let read = HostedReader {
            call,
            headers,
            rules,
            now_ms: 0,
        };
        // Only what is asked for counts.
        let _ = read.body(body, None, findings);
    });
}

/// What a request is read with.
struct HostedReader<'a> {
    call: HostedCall,
    headers: &'a Headers<'a>,
    rules: &'a Rules<'a>,
    now_ms: i64,
}

impl HostedReader<'_> {
    fn body(
        &self,
        whole: &Section<'_>,
        country: Option<&str>,
        findings: &mut Findings,
    ) -> Option<HostedOpening> {
        let (headers, rules) = (self.headers, self.rules);
        let returns = match self.call {
            HostedCall::Page => Presence::Mandatory,
            HostedCall::LinkOne | HostedCall::LinkTwo => Presence::Optional,
        };
        if self.call == HostedCall::LinkTwo && whole.sent_array("paymentSessions") {
            findings.add(
                PS0026,
                "paymentSessions is not read: a link has one paymentSession",
            );
        }
        let asked = (returns, Services::Methods);
        let payment = read_payment(whole, country, headers, rules, asked, findings);
        let term = match self.call {
            HostedCall::Page => None,
            HostedCall::LinkOne | HostedCall::LinkTwo => Some(self.term(whole, findings)),
        };
        let payment = payment?;
        if self.call == HostedCall::LinkOne && payment.session.action == ActionType::PreAuth {
            findings.add(
                PS0042,
                "paymentSession.actionType PREAUTH needs version 2 of this call",
            );
        }
        let kind = match self.call {
            HostedCall::Page => Kind::Page,
            HostedCall::LinkOne | HostedCall::LinkTwo => Kind::Link,
        };
        let form = FormWishes {
            closer: CaptureInitiator::Frame,
            attempts: kind.tries(),
            card_summary: String::from("NONE"),
            life: None,
            leader: RedirectHandler::Frame,
            installments: Vec::new(),
            keeping: CardOnFileTerms::default(),
        };
        let origin = rules.config.origin.clone();
        let offer = MethodOffer::All;
        let terms_ids = payment.order.terms_ids.clone();
        let opening = payment.opening(Version::Three, origin, Some(form), offer, headers, rules);
        Some(HostedOpening {
            opening,
            terms_ids,
            term: match term {
                None => None,
                Some(term) => Some(term?),
            },
        })
    }

    /// Until when the link is to be good.
    fn term(&self, whole: &Section<'_>, findings: &mut Findings) -> Option<Term> {
        let is_two = self.call == HostedCall::LinkTwo;
        let day = whole.value_of("expirationDate", Presence::Optional, request_schema::date);
        let time = match is_two {
            true => whole.value_of("expirationTime", Presence::Optional, end_time),
            false => None,
        };
        // Version 2 reads both inside the payment too, where they are not said outside of it.
        let inner = whole.sent_object("paymentSession").filter(|_| is_two);
        let within = |name: &str| inner?.get(name).filter(|value| !value.is_null());
        let day = day.or_else(|| within("expirationDate"));
        let time = match time.or_else(|| within("expirationTime")) {
            None => None,
            Some(time) => {
                let time = time.as_str().and_then(EndTime::parse);
                if time.is_none() {
                    findings.add(
                        PS0011,
                        "expirationTime must be HH:mm with its zone, as in 18:30+02:00 or 16:30Z",
                    );
                }
                Some(time?)
            }
        };
        let term = match day {
            None if is_two => {
                findings.add(PS0026, "expirationDate is missing");
                return None;
            }
            None => Term::usual(self.rules.today),
            Some(day) => {
                let last_day = day.as_str().and_then(Date::parse);
                if last_day.is_none() {
                    findings.add(PS0008, "expirationDate must be a date, YYYY-MM-DD");
                }
                Term {
                    last_day: last_day?,
                    time,
                }
            }
        };
        if !term.is_acceptable(self.rules.today, self.now_ms) {
            findings.add(
                PS0042,
                "expirationDate must not be past, and at most 90 days ahead",
            );
            return None;
        }
        Some(term)
    }
}

fn end_time() -> Value {
    request_schema::pattern(
        r"^([01][0-9]|2[0-3]):[0-5][0-9](Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])$",
        "18:30+02:00",
    )
}
