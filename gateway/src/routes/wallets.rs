//! Payments with a wallet (contract 8.1.11).

use super::Reply;
use super::call::{Call, CallingTerminal, SentBody};
use super::creation_rules::{Headers, Rules};
use super::endpoint::{Endpoint, PAYMENTS};
use super::error::{ApiError, RequestErrors};
use super::fields::{Presence, Section};
use super::payment_part::{MethodOffer, PaymentPart, Services, read_payment};
use super::requests::order::Order;
use super::requests::payment_session::WalletSession;
use super::requests::wallet::{PayWithGooglePay, PayWithWallet};
use super::requests::{Member, Part};
use crate::App;
use axum::extract::State;
use payframe_card_rules::expiry::Date;
use payframe_error_codes::ErrorCode::{
    self, GW0001, GW0002, GW9006, GW9010, PS0005, PS0006, PS0007, PS0008, PS0009, PS0017, PS0026,
    PS0036,
};
use payframe_payment_domain::contract::Recurrence;
use payframe_payment_domain::network_token::NetworkToken;
use payframe_payment_domain::terms::{FramingPages, Terminal, Version};
use payframe_payment_domain::wallet::{ConfirmedSum, UnconfirmedSum, Wallet};
use payframe_payment_ports::wallet_tokens::TokenMark;
use payframe_payment_service::card_entry::ValidatedCard;
use payframe_payment_service::merchant_urls::merchant_origin;
use payframe_payment_service::server_card::{SentCard, check};
use payframe_payment_service::wallets::WalletPayment;
use payframe_protocol::wallet::WalletAnswer;
use utoipa_axum::routes;

/// Contract 8.1.11, and 1.1 for the second path.
pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of(routes!(pay_with_wallet))
            .asking_for_money()
            .refusals(REFUSALS),
        Endpoint::of(routes!(pay_with_google_pay))
            .asking_for_money()
            .refusals(REFUSALS),
    ]
}

const REFUSALS: &[ErrorCode] = &[
    GW0001, PS0026, PS0036, PS0008, PS0009, PS0007, PS0005, PS0006, GW9010, GW0002, PS0017, GW9006,
];

/// Pay with a wallet
///
/// `walletPaymentData` is what the wallet's interface in the browser returned, unchanged.
/// `paymentSession.paymentService` names the wallet; the default is `GOOGLEPAY`. `CRYPTOGRAM`: the payment is made, see
/// `operation`. `PAN_ONLY`: the operation is `PENDING`; show the field of `iframe` hidden, wait for its event, and then
/// read `GET /build/state`. The page that shows it is at `merchantUrl`, or of the origin of `paymentSession.resultUrl`;
/// the origin has to be proven for the terminal, and the terminal needs a 3-D Secure server (`GW9010`).
#[utoipa::path(
    post, path = "/orders/walletpay", operation_id = "payWithWallet", tag = PAYMENTS,
    request_body = PayWithWallet,
    responses((status = 200, body = WalletAnswer)),
)]
async fn pay_with_wallet(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(body): SentBody<PayWithWallet>,
    call: Call,
) -> Result<Reply, ApiError> {
    let sent = body.members();
    let request = SentPayment {
        merchant_url: &sent.merchant_url,
        order: &sent.order,
        session: &sent.payment_session,
        data: ("walletPaymentData", &sent.wallet_payment_data),
    };
    pay(&app, (&terminal, &call), &body, &request).await
}

/// Pay with a wallet, second path
///
/// The same call as `POST /orders/walletpay` for clients that send the wallet's data as
/// `googlePayPaymentData`.
#[utoipa::path(
    post, path = "/orders/googlepay", operation_id = "payWithGooglePay", tag = PAYMENTS,
    request_body = PayWithGooglePay,
    responses((status = 200, body = WalletAnswer)),
)]
async fn pay_with_google_pay(
    State(app): State<App>,
    CallingTerminal(terminal): CallingTerminal,
    SentBody(body): SentBody<PayWithGooglePay>,
    call: Call,
) -> Result<Reply, ApiError> {
    let sent = body.members();
    let request = SentPayment {
        merchant_url: &sent.merchant_url,
        order: &sent.order,
        session: &sent.payment_session,
        data: ("googlePayPaymentData", &sent.google_pay_payment_data),
    };
    pay(&app, (&terminal, &call), &body, &request).await
}

/// The members of both calls.
struct SentPayment<'a> {
    merchant_url: &'a Member,
    order: &'a Part<Order>,
    session: &'a Part<WalletSession>,
    /// The wallet's data, with the name of its member.
    data: (&'static str, &'a Member),
}

async fn pay<T: Sync>(
    app: &App,
    (terminal, call): (&Terminal, &Call),
    body: &Part<T>,
    sent: &SentPayment<'_>,
) -> Result<Reply, ApiError> {
    // A call that has begun its payment gets the outcome, however old the token is by now.
    if let Some(slot) = &call.slot
        && let Some(body) = app.server_payments().paid_with_wallet(slot).await?
    {
        return Ok(Reply::bytes(body));
    }
    let rules = Rules::of(app, terminal);
    let headers = Headers::of(call);
    let mut findings = RequestErrors::default();
    let whole = Section::body(body, &mut findings);
    let held_against = (&headers, &rules, app.payments().today());
    let read = read_request(&whole, sent, held_against, &mut findings);
    findings.into_result()?;
    // Without a finding, all mandatory members were read.
    let (payment, card, origin) = read.ok_or(ApiError::Ours)?;
    if card.network_token.is_none() {
        // Somebody has to be able to authenticate the buyer. That this is due, only the token says.
        app.payments().admit_buyers(&terminal.terminal_id)?;
        // A page at this origin will contain our frames.
        app.forms().must_be_proven(terminal, &origin).await?;
    }
    let offer = MethodOffer::Cards;
    let session = payment.new_session(
        Version::Two,
        FramingPages::only(origin),
        None,
        offer,
        &headers,
        &rules,
    );
    let payment = WalletPayment::new(session, card.card, card.network_token, card.token);
    let body = app
        .server_payments()
        .pay_with_wallet(terminal, &payment, call.slot.as_ref())
        .await?;
    Ok(Reply::bytes(body))
}

fn read_request(
    whole: &Section,
    sent: &SentPayment<'_>,
    (headers, rules, last_today): (&Headers<'_>, &Rules<'_>, Date),
    findings: &mut RequestErrors,
) -> Option<(PaymentPart, ReadCard, String)> {
    let insecure = rules.config.mode.allows_insecure_urls();
    let url = sent.merchant_url.sent();
    let named = url.map(|url| url.as_str().and_then(|url| merchant_origin(url, insecure)));
    if let Some(None) = named {
        findings.add(
            GW0001,
            "merchantUrl must be an https origin, as in https://shop.example",
        );
    }
    let payment = read_payment(
        whole,
        (sent.order, sent.session),
        headers,
        rules,
        (Presence::Optional, Services::Wallets),
        findings,
    );
    let wallet = payment.as_ref().and_then(|payment| payment.session.wallet);
    let card = read_card(sent.data, wallet, rules, last_today, findings);
    let payment = payment?;
    payment.order.refuse_terms(findings);
    if let Some(Recurrence::Pay { .. }) = payment.session.recurrence {
        findings.add(
            PS0026,
            "paymentSession.recurrence.action SUBSEQUENT_PAYMENT needs no wallet: use orders/build",
        );
    }
    let card = card?;
    if let Some(confirmed) = card.confirmed {
        check_sum(confirmed, sent.data.0, &payment, findings);
    }
    let result_url = payment.session.result_url.as_deref();
    let origin = named
        .flatten()
        .or_else(|| merchant_origin(result_url?, insecure));
    if origin.is_none() && card.network_token.is_none() {
        findings.add(
            GW0001,
            "merchantUrl is missing, and paymentSession.resultUrl has no https origin: one is needed with PAN_ONLY",
        );
    }
    Some((payment, card, origin.unwrap_or_default()))
}

/// Whether the payment is the one that the buyer has confirmed in the wallet.
fn check_sum(
    confirmed: ConfirmedSum,
    name: &str,
    payment: &PaymentPart,
    findings: &mut RequestErrors,
) {
    let PaymentPart { order, session, .. } = payment;
    let member = match confirmed.allows(session.action, session.amount, &order.currency) {
        Ok(()) => return,
        Err(UnconfirmedSum::Currency) => "order.currency",
        Err(UnconfirmedSum::Amount) => "paymentSession.amount",
    };
    findings.add(
        PS0026,
        format!("{member} must be what the buyer has confirmed in the wallet ({name})"),
    );
}

/// The card from the wallet's data.
struct ReadCard {
    card: ValidatedCard,
    network_token: Option<NetworkToken>,
    confirmed: Option<ConfirmedSum>,
    token: Option<TokenMark>,
}

/// Reads the card from the wallet's data. Its values are never repeated in an answer.
fn read_card(
    (name, member): (&'static str, &Member),
    wallet: Option<Wallet>,
    rules: &Rules<'_>,
    last_today: Date,
    findings: &mut RequestErrors,
) -> Option<ReadCard> {
    let Some(data) = member.sent() else {
        findings.add(PS0026, format!("{name} is missing"));
        return None;
    };
    // Without the wallet the type of the object is not known, and the missing wallet is already reported.
    let opened = match wallet {
        None if data.is_object() => return None,
        None => None,
        Some(wallet) => {
            let merchant_id = &rules.terminal.merchant_id;
            match rules.wallet_tokens.open(wallet, data, merchant_id) {
                Ok(read) => Some((wallet, read)),
                Err(reason) => {
                    let rule = format!("{name} must be what the wallet handed over: {reason}");
                    findings.add(PS0026, rule);
                    return None;
                }
            }
        }
    };
    let read = opened.and_then(|(wallet, read)| {
        let sent = SentCard {
            // Exposed to be checked and encrypted.
            pan: Some(read.number.expose()),
            expiry: Some(&read.expiry),
            cvv: None,
        };
        let card = check(&sent, rules.terminal, last_today, rules.bins).ok()?;
        let network_token = read.cryptogram.map(|cryptogram| NetworkToken {
            wallet,
            cryptogram: Some(cryptogram),
        });
        Some(ReadCard {
            card,
            network_token,
            confirmed: read.confirmed,
            token: read.token,
        })
    });
    if read.is_none() {
        findings.add(
            PS0026,
            format!("{name} must be what the wallet handed over, with a good card of a network that the terminal takes"),
        );
    }
    read
}
