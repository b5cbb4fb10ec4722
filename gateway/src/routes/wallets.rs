//! Payments with a wallet (contract 8.1.11).

use super::Reply;
use super::error::{ApiError, Findings};
use super::fields::{Presence, Section};
use super::operation::{Money, Operation, answers};
use super::order_request::{
    Headers, MethodOffer, PaymentPart, Rules, Services, country_of, read_payment, sketched,
};
use super::pipeline::Call;
use super::request_schema;
use super::urls::merchant_origin;
use crate::App;
use crate::error_code::ErrorCode::{
    self, GW0001, GW0002, GW9006, PS0005, PS0006, PS0007, PS0008, PS0009, PS0017, PS0026, PS0036,
};
use crate::payments::card_entry::GoodCard;
use crate::payments::server_card::{SentCard, check};
use crate::payments::wallets::WalletPayment;
use payframe_card_rules::expiry::Date;
use payframe_payment_domain::contract::Recurrence;
use payframe_payment_domain::terms::Version;
use payframe_payment_domain::wallet::{Wallet, WalletFlow};
use payframe_protocol::wallet::WalletAnswer;
use serde_json::json;

/// Contract 8.1.11, and 1.1 for the other name.
pub(super) const OPERATIONS: &[Operation] = &[
    Operation {
        title: "Pay with a wallet",
        about: "Takes what the wallet's browser interface handed over, unchanged, as `walletPaymentData`; `paymentSession.paymentService` \
                names the wallet, default `GOOGLEPAY`. `CRYPTOGRAM`: the payment is made, see `operation`. `PAN_ONLY`: the operation \
                is `PENDING`; show the field of `iframe` hidden, wait for its event, then read `GET /build/state`. The page that \
                shows it is at `merchantUrl`, or of the origin of `paymentSession.resultUrl`; the origin has to be proven for the terminal.",
        answer: answers::<WalletAnswer>(),
        refusals: REFUSALS,
        money: Money::Asked,
        ..Operation::post(
            "payWithWallet",
            "/orders/walletpay",
            |body, findings| sketched_request(body, DATA, findings),
            |app, call| Box::pin(pay(app, call, DATA)),
        )
    },
    Operation {
        title: "Pay with a wallet, by another name",
        about: "The same call as `POST /orders/walletpay` for clients that send what the wallet handed over as `googlePayPaymentData`.",
        answer: answers::<WalletAnswer>(),
        refusals: REFUSALS,
        money: Money::Asked,
        ..Operation::post(
            "payWithGooglePay",
            "/orders/googlepay",
            |body, findings| sketched_request(body, OTHER_DATA, findings),
            |app, call| Box::pin(pay(app, call, OTHER_DATA)),
        )
    },
];

const DATA: &str = "walletPaymentData";
const OTHER_DATA: &str = "googlePayPaymentData";

const REFUSALS: &[ErrorCode] = &[
    GW0001, PS0026, PS0036, PS0008, PS0009, PS0007, PS0005, PS0006, GW0002, PS0017, GW9006,
];

/// `POST /orders/walletpay` and `POST /orders/googlepay`. `member`: where the wallet's object is.
async fn pay(app: &App, call: &Call, member: &'static str) -> Result<Reply, ApiError> {
    let terminal = call.terminal()?;
    call.refuse_scripts()?;
    let rules = Rules::of(app, terminal);
    let headers = Headers::of(call);
    let mut findings = Findings::default();
    let body = Section::body(&call.body, &mut findings);
    let country = country_of(&call.body);
    let read = read_request(
        &body,
        member,
        country.as_deref(),
        (&headers, &rules, app.payments().today()),
        &mut findings,
    );
    findings.into_result()?;
    // Without a finding everything mandatory was read.
    let (payment, card, flow, origin) = read.ok_or(ApiError::Ours)?;
    if flow == WalletFlow::NumberOnly {
        // A page of it will hold frames of ours.
        app.forms().must_be_proven(terminal, &origin).await?;
    }
    let offer = MethodOffer::Cards;
    let payment = WalletPayment {
        opening: payment.opening(Version::Two, origin, None, offer, &headers, &rules),
        card,
        flow,
    };
    let body = app
        .server_payments()
        .pay_with_wallet(terminal, &payment, call.slot.as_ref())
        .await?;
    Ok(Reply::bytes(body))
}

fn sketched_request(body: &Section<'_>, member: &'static str, findings: &mut Findings) {
    sketched(|headers, rules| {
        let held_against = (headers, rules, rules.today);
        // Only what is asked for counts.
        let _ = read_request(body, member, None, held_against, findings);
    });
}

fn read_request(
    body: &Section<'_>,
    member: &'static str,
    country: Option<&str>,
    (headers, rules, last_today): (&Headers<'_>, &Rules<'_>, Date),
    findings: &mut Findings,
) -> Option<(PaymentPart, GoodCard, WalletFlow, String)> {
    let insecure = rules.config.mode.allows_insecure_urls();
    let url = body.value_of("merchantUrl", Presence::Optional, request_schema::url);
    let named = url.map(|url| url.as_str().and_then(|url| merchant_origin(url, insecure)));
    if let Some(None) = named {
        findings.add(GW0001, "merchantUrl must be an https origin");
    }
    let payment = read_payment(
        body,
        country,
        headers,
        rules,
        (Presence::Optional, Services::Wallets),
        findings,
    );
    let wallet = payment.as_ref().and_then(|payment| payment.session.wallet);
    let card = read_card(body, member, wallet, rules, last_today, findings);
    let payment = payment?;
    payment.order.refuse_terms(findings);
    if let Some(Recurrence::Pay { .. }) = payment.session.recurrence {
        findings.add(
            PS0026,
            "paymentSession.recurrence.action SUBSEQUENT_PAYMENT needs no wallet: use orders/build",
        );
    }
    let (card, flow) = card?;
    let result_url = payment.session.result_url.as_deref();
    let origin = named
        .flatten()
        .or_else(|| merchant_origin(result_url?, insecure));
    if origin.is_none() && flow == WalletFlow::NumberOnly {
        findings.add(
            GW0001,
            "merchantUrl is missing, and paymentSession.resultUrl has no https origin: one is needed with PAN_ONLY",
        );
    }
    Some((payment, card, flow, origin.unwrap_or_default()))
}

/// The card that the wallet handed over. What was sent is never repeated.
fn read_card(
    body: &Section<'_>,
    member: &'static str,
    wallet: Option<Wallet>,
    rules: &Rules<'_>,
    last_today: Date,
    findings: &mut Findings,
) -> Option<(GoodCard, WalletFlow)> {
    let schema = || json!({ "type": "object" });
    let Some(data) = body.value_of(member, Presence::Mandatory, schema) else {
        findings.add(PS0026, format!("{member} is missing"));
        return None;
    };
    // Which object it has to be is not known without the wallet, and that is told already.
    let read = match wallet {
        None if data.is_object() => return None,
        wallet => wallet.and_then(|wallet| rules.wallet_tokens.open(wallet, data).ok()),
    };
    let read = read.and_then(|read| {
        let sent = SentCard {
            // Exposed to be checked and sealed.
            pan: Some(read.number.expose()),
            expiry: Some(&read.expiry),
            cvv: None,
        };
        let card = check(&sent, rules.terminal, last_today, rules.bins).ok()?;
        Some((card, read.flow))
    });
    if read.is_none() {
        findings.add(
            PS0026,
            format!("{member} must be what the wallet handed over, with a good card of a network that the terminal takes"),
        );
    }
    read
}
