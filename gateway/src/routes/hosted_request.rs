//! Reads the creation calls of hosted pages and payment links (contract 8.1.1 to 8.1.3).

use super::creation_rules::{Headers, Rules};
use super::error::{ApiError, RequestErrors};
use super::fields::{Presence, Section};
use super::form_request::read_billing_address;
use super::payment_part::{MethodOffer, SentSession, Services, read_payment};
use super::requests::Part;
use super::requests::creation::{CreatePaymentLink, CreatePaymentLinkV1, OpenHostedPage, PageForm};
use super::requests::order::Order;
use payframe_card_rules::expiry::Date;
use payframe_error_codes::ErrorCode::{PS0008, PS0011, PS0026, PS0042};
use payframe_payment_domain::billing_address::BillingAddressFields;
use payframe_payment_domain::hosted::{EndTime, Kind, LinkValidity};
use payframe_payment_domain::operation::ActionType;
use payframe_payment_domain::terms::{FramingPages, Version};
use payframe_payment_service::create_session::FormOptions;
use payframe_payment_service::hosted::NewHostedPage;
use serde_json::Value;

/// The creation call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HostedCall {
    /// `POST /orders/hpp`
    Page,
    /// `POST /v1/orders/paybylink`
    LinkOne,
    /// `POST /v2/orders/paybylink`
    LinkTwo,
}

/// Reads the request. Every error of the first group with an error is reported.
pub(super) fn read(
    body: &Value,
    call: HostedCall,
    headers: &Headers<'_>,
    rules: &Rules<'_>,
    now_ms: i64,
) -> Result<NewHostedPage, ApiError> {
    let mut findings = RequestErrors::default();
    let reader = HostedRequestReader {
        call,
        headers,
        rules,
        now_ms,
    };
    let page = match call {
        HostedCall::Page => reader.page(&Part::of(body), &mut findings),
        HostedCall::LinkOne => reader.link_one(&Part::of(body), &mut findings),
        HostedCall::LinkTwo => reader.link_two(&Part::of(body), &mut findings),
    };
    findings.into_result()?;
    // Without a finding, all mandatory members were read.
    page.ok_or(ApiError::Ours)
}

/// Reads a request.
struct HostedRequestReader<'a> {
    call: HostedCall,
    headers: &'a Headers<'a>,
    rules: &'a Rules<'a>,
    now_ms: i64,
}

/// What the form of a page asks of the billing address.
pub(super) fn read_page_form(
    whole: &Section,
    form: &Part<PageForm>,
    findings: &mut RequestErrors,
) -> BillingAddressFields {
    if !form.is_there() {
        return BillingAddressFields::None;
    }
    let mut section = whole.section("form", form, Presence::Optional, findings);
    read_billing_address(&mut section, &form.members().billing_address, findings)
}

impl HostedRequestReader<'_> {
    fn page(
        &self,
        body: &Part<OpenHostedPage>,
        findings: &mut RequestErrors,
    ) -> Option<NewHostedPage> {
        let whole = Section::body(body, findings);
        let sent = body.members();
        let payment = (&sent.order, &sent.payment_session);
        self.new_page(&whole, payment, &sent.form, None, findings)
    }

    fn link_one(
        &self,
        body: &Part<CreatePaymentLinkV1>,
        findings: &mut RequestErrors,
    ) -> Option<NewHostedPage> {
        let whole = Section::body(body, findings);
        let sent = body.members();
        let end = (sent.expiration_date.sent(), None);
        let payment = (&sent.order, &sent.payment_session);
        self.new_page(&whole, payment, &sent.form, Some(end), findings)
    }

    fn link_two(
        &self,
        body: &Part<CreatePaymentLink>,
        findings: &mut RequestErrors,
    ) -> Option<NewHostedPage> {
        let whole = Section::body(body, findings);
        let sent = body.members();
        if sent.payment_sessions.sent().is_some_and(Value::is_array) {
            findings.add(
                PS0026,
                "paymentSessions is not read: a link has one paymentSession",
            );
        }
        // If these two members are missing in the body itself, they are read in `paymentSession`.
        let inner = sent.payment_session.members();
        let (day, time) = (&sent.expiration_date, &sent.expiration_time);
        let end = (
            day.sent().or(inner.expiration_date.sent()),
            time.sent().or(inner.expiration_time.sent()),
        );
        let payment = (&sent.order, &sent.payment_session);
        self.new_page(&whole, payment, &sent.form, Some(end), findings)
    }

    /// `end`: for a link, the last day and its time as they were sent.
    fn new_page<S: SentSession>(
        &self,
        whole: &Section,
        payment: (&Part<Order>, &Part<S>),
        form: &Part<PageForm>,
        end: Option<(Option<&Value>, Option<&Value>)>,
        findings: &mut RequestErrors,
    ) -> Option<NewHostedPage> {
        let (headers, rules) = (self.headers, self.rules);
        let returns = match self.call {
            HostedCall::Page => Presence::Mandatory,
            HostedCall::LinkOne | HostedCall::LinkTwo => Presence::Optional,
        };
        let asked = (returns, Services::Methods);
        let payment = read_payment(whole, payment, headers, rules, asked, findings);
        let validity = end.map(|(day, time)| self.validity(day, time, findings));
        let billing_address = read_page_form(whole, form, findings);
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
        let form = FormOptions::hosted(kind, billing_address);
        let framing = FramingPages::only(rules.config.origin.clone());
        let offer = MethodOffer::All;
        let terms_ids = payment.order.terms_ids.clone();
        let new_session =
            payment.new_session(Version::Three, framing, Some(form), offer, headers, rules);
        Some(NewHostedPage {
            session: new_session,
            terms_ids,
            validity: match validity {
                None => None,
                Some(validity) => Some(validity?),
            },
        })
    }

    /// The end of the link's validity.
    fn validity(
        &self,
        day: Option<&Value>,
        time: Option<&Value>,
        findings: &mut RequestErrors,
    ) -> Option<LinkValidity> {
        let time = match time {
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
        let validity = match day {
            None if self.call == HostedCall::LinkTwo => {
                findings.add(PS0026, "expirationDate is missing");
                return None;
            }
            None => LinkValidity::usual(self.rules.today),
            Some(day) => {
                let last_day = day.as_str().and_then(Date::parse);
                if last_day.is_none() {
                    findings.add(PS0008, "expirationDate must be a date, YYYY-MM-DD");
                }
                LinkValidity {
                    last_day: last_day?,
                    time,
                }
            }
        };
        if !validity.is_acceptable(self.rules.today, self.now_ms) {
            findings.add(
                PS0042,
                "expirationDate must not be past, and at most 90 days ahead",
            );
            return None;
        }
        Some(validity)
    }
}
