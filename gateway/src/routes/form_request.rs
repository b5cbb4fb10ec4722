//! The member `form` of `POST /orders/build` (contract 3.7): how the form in one frame behaves.

use super::error::RequestErrors;
use super::fields::{Presence, Section};
use super::payment_part::{MethodOffer, PaymentPart};
use super::requests::creation::Form;
use super::requests::forms::{
    BillingAddresses, CardSummaries, Closers, Consents, MethodOffers, RedirectHandlers,
    SavedCardUses,
};
use super::requests::{Member, Part};
use payframe_error_codes::ErrorCode::PS0026;
use payframe_payment_domain::billing_address::BillingAddressFields;
use payframe_payment_domain::card_on_file::{CardOnFileTerms, Consent, SavedCards};
use payframe_payment_domain::contract::Recurrence;
use payframe_payment_domain::operation::ActionType;
use payframe_payment_domain::terms::{CaptureInitiator, RedirectHandler, Terminal};
use payframe_payment_service::create_session::FormOptions;
use serde_json::Value;
use std::time::Duration;

/// `None`: the member is not valid.
pub(super) fn read_form(
    whole: &Section,
    part: &Part<Form>,
    findings: &mut RequestErrors,
) -> Option<(Option<FormOptions>, MethodOffer)> {
    if !part.is_there() {
        return Some((None, MethodOffer::All));
    }
    let mut form = whole.section("form", part, Presence::Optional, findings);
    let sent = part.members();
    let capture_initiator = form
        .one_of("closing", &sent.closing, Closers::CODES, findings)
        .and_then(CaptureInitiator::from_code);
    let attempts = form.count("attempts", &sent.attempts, 1..=5, findings);
    let card_summary = &sent.card_summary;
    let card_summary = form.one_of("cardSummary", card_summary, CardSummaries::CODES, findings);
    let offer = match form.one_of("methods", &sent.methods, MethodOffers::CODES, findings) {
        Some("CARDS") => MethodOffer::Cards,
        _ => MethodOffer::All,
    };
    let life = form.count(
        "expiresInSeconds",
        &sent.expires_in_seconds,
        60..=1800,
        findings,
    );
    let redirect_handler = form
        .one_of(
            "redirect",
            &sent.redirect,
            RedirectHandlers::CODES,
            findings,
        )
        .and_then(RedirectHandler::from_code);
    let installments = read_counts(&sent.installments, findings);
    let card_on_file = read_card_on_file(&mut form, sent, findings);
    let billing_address = read_billing_address(&mut form, &sent.billing_address, findings);
    let wishes = FormOptions {
        capture_initiator: capture_initiator.unwrap_or(CaptureInitiator::Server),
        attempts: attempts
            .and_then(|attempts| u8::try_from(attempts).ok())
            .unwrap_or(1),
        card_summary: card_summary.unwrap_or("NONE").to_owned(),
        life: life.map(Duration::from_secs),
        redirect_handler: redirect_handler.unwrap_or(RedirectHandler::Frame),
        installments,
        card_on_file,
        billing_address,
    };
    Some((Some(wishes), offer))
}

/// `form.billingAddress`.
pub(super) fn read_billing_address(
    form: &mut Section,
    member: &Member,
    findings: &mut RequestErrors,
) -> BillingAddressFields {
    form.one_of("billingAddress", member, BillingAddresses::CODES, findings)
        .and_then(BillingAddressFields::from_code)
        .unwrap_or_default()
}

/// `form.savedCards`, `form.consent` and `form.consentText`.
fn read_card_on_file(
    form: &mut Section,
    sent: &Form,
    findings: &mut RequestErrors,
) -> CardOnFileTerms {
    let saved = form
        .one_of(
            "savedCards",
            &sent.saved_cards,
            SavedCardUses::CODES,
            findings,
        )
        .and_then(SavedCards::from_code);
    let consent = form
        .one_of("consent", &sent.consent, Consents::CODES, findings)
        .and_then(Consent::from_code);
    let text = form.free_text(
        "consentText",
        &sent.consent_text,
        Presence::Optional,
        1..=500,
        findings,
    );
    CardOnFileTerms {
        saved: saved.unwrap_or_default(),
        consent: consent.unwrap_or_default(),
        text: text.map(str::to_owned),
    }
}

/// Checks that the settings for saved cards fit the payment.
pub(super) fn validate_card_on_file(
    card_on_file: &CardOnFileTerms,
    payment: &PaymentPart,
    terminal: &Terminal,
    findings: &mut RequestErrors,
) {
    let recurrence = payment.session.recurrence.as_ref();
    if card_on_file.saved != SavedCards::None {
        let wrong = [
            (
                payment
                    .order
                    .document
                    .get("customerId")
                    .and_then(Value::as_str)
                    .is_none_or(str::is_empty),
                "form.savedCards needs order.customerId",
            ),
            (
                payment.session.action == ActionType::Verify,
                "form.savedCards is not for paymentSession.actionType VERIFY",
            ),
            (
                !terminal.tokenization,
                "form.savedCards is not enabled on this terminal",
            ),
            (
                matches!(
                    recurrence,
                    Some(Recurrence::Pay { .. } | Recurrence::Substitute { .. })
                ),
                "form.savedCards is for recurrence.action NO_RECURRING or CONTRACT_CREATION",
            ),
        ];
        for (_, why) in wrong.into_iter().filter(|(is_wrong, _)| *is_wrong) {
            findings.add(PS0026, why);
        }
    }
    let creates = matches!(recurrence, Some(Recurrence::Create { .. }));
    if (card_on_file.consent != Consent::None || card_on_file.text.is_some()) && !creates {
        findings.add(
            PS0026,
            "form.consent is for recurrence.action CONTRACT_CREATION",
        );
    }
    if card_on_file.consent == Consent::Optional && payment.session.action == ActionType::Verify {
        findings.add(
            PS0026,
            "form.consent must not be OPTIONAL with VERIFY, which does nothing but keep the card",
        );
    }
}

/// `form.installments`: the numbers that the buyer may choose from, in rising order.
fn read_counts(member: &Member, findings: &mut RequestErrors) -> Vec<u8> {
    let Some(value) = member.sent() else {
        return Vec::new();
    };
    let sent = value.as_array().map_or(&[][..], Vec::as_slice);
    let mut counts: Vec<u8> = sent
        .iter()
        .filter_map(|count| u8::try_from(count.as_u64()?).ok())
        .filter(|count| (2..=24).contains(count))
        .collect();
    counts.sort_unstable();
    counts.dedup();
    if counts.len() != sent.len() || !(1..=6).contains(&sent.len()) {
        findings.add(
            PS0026,
            "form.installments must hold 1 to 6 different whole numbers from 2 to 24",
        );
    }
    counts
}
