//! AReq of a payment: its elements from the operator's file, the payment and the browser.

use crate::element::{Element, TransactionId};
use crate::error::ExchangeError;
use crate::fault::{Fault, FaultCode};
use crate::message::{
    AuthenticationCall, ChallengeIndicator, ChallengePreferences, ConfirmationInfo, Fields,
    Message, MethodCompletion, PriorTransaction, SpcIncompletion, Version, YesNo,
};
use crate::settings::{DirectorySettings, Enrolment, TerminalSettings};
use iso_currency::Currency;
use jiff::Timestamp;
use payframe_payment_ports::three_ds_server::{
    AddressPart, AuthenticationRequest, BrowserData, ChallengePreference, ConfirmationOutcome,
    RequestedExemption,
};
use serde_json::{Map, Value, json};
use url::Url;

/// What AReq says besides the payment.
pub(crate) struct CallParts<'a> {
    pub(crate) version: Version,
    pub(crate) transaction_id: &'a str,
    pub(crate) server_reference: &'a str,
    pub(crate) directory: &'a DirectorySettings,
    pub(crate) terminal: &'a TerminalSettings,
    pub(crate) enrolment: &'a Enrolment,
    pub(crate) method: MethodCompletion,
    pub(crate) now_ms: i64,
    /// What came of the confirmation that the issuer asked for. `None`: it has not asked.
    pub(crate) confirmation: Option<Confirmed<'a>>,
}

/// What came of a confirmation.
pub(crate) struct Confirmed<'a> {
    pub(crate) outcome: &'a ConfirmationOutcome,
    /// The issuer's id of the transaction that asked for it.
    pub(crate) acs_transaction_id: &'a TransactionId,
}

/// The message, with all conditions checked.
pub(crate) fn call(
    parts: &CallParts<'_>,
    request: &AuthenticationRequest<'_>,
    browser: &BrowserData,
) -> Result<AuthenticationCall, ExchangeError> {
    let currency = Currency::from_code(request.currency);
    let currency = currency.ok_or_else(|| own("purchaseCurrency"))?;
    let exponent = currency.exponent().ok_or_else(|| own("purchaseExponent"))?;
    let date = Timestamp::from_millisecond(parts.now_ms).map_err(|_| own("purchaseDate"))?;
    let wish = challenge_indicator(request.challenge_preference, parts.version);
    let (terminal, enrolment) = (parts.terminal, parts.enrolment);
    let mut elements = object(json!({
        "messageType": AuthenticationCall::TYPE,
        "messageVersion": parts.version.code(),
        "threeDSServerTransID": parts.transaction_id,
        "threeDSCompInd": parts.method.code(),
        "threeDSRequestorAuthenticationInd": PAYMENT,
        "threeDSRequestorID": &*enrolment.requestor_id,
        "threeDSRequestorName": &*enrolment.requestor_name,
        "threeDSRequestorURL": &*terminal.merchant_url,
        "threeDSRequestorChallengeInd": ChallengePreferences::of(parts.version, wish).write(),
        "threeDSServerRefNumber": parts.server_reference,
        "threeDSServerURL": request.results_url,
        // Exposed to be sent to the directory server.
        "acctNumber": request.number.expose(),
        "cardExpiryDate": format!("{:02}{:02}", request.expiry.year() % 100, request.expiry.month()),
        "deviceChannel": BROWSER,
        "messageCategory": PAYMENT,
        "notificationURL": request.notification_url,
        "acquirerBIN": &*enrolment.acquirer_bin,
        "acquirerMerchantID": &*enrolment.merchant_id,
        "mcc": &*terminal.merchant_category,
        "merchantCountryCode": &*terminal.country,
        "merchantName": &*terminal.merchant_name,
        "purchaseAmount": request.amount.minor().to_string(),
        "purchaseCurrency": format!("{:03}", currency.numeric()),
        "purchaseExponent": exponent.to_string(),
        "purchaseDate": date.strftime("%Y%m%d%H%M%S").to_string(),
        "transType": PAYMENT,
    }));
    // Exposed to be sent to the directory server. What has not its format is left out: the buyer typed it for the merchant.
    let holder = [
        ("cardholderName", request.holder_name, 2..=45),
        ("email", request.holder_email, 3..=254),
    ];
    for (name, text, length) in holder {
        let text = text.map(|text| text.expose());
        if let Some(text) = text.filter(|text| length.contains(&text.chars().count())) {
            elements.insert(name.to_owned(), json!(text));
        }
    }
    if let Some(address) = request.billing_address {
        let country = address.country().numeric();
        elements.extend(country.map(|country| (String::from("billAddrCountry"), json!(country))));
        for (part, name) in BILLING_ADDRESS {
            let text = address.part(part).map(|text| text.expose());
            // A state that has no code is known by its name alone, for which there is no place.
            let fits = |text: &&str| part != AddressPart::State || text.len() <= LONGEST_STATE;
            elements.extend(text.filter(fits).map(|text| (name.to_owned(), json!(text))));
        }
    }
    if let Some(operator) = &parts.directory.server_operator {
        elements.insert(String::from("threeDSServerOperatorID"), json!(&**operator));
    }
    if parts.version == Version::V2_3_1 {
        let country = enrolment.acquirer_country.as_ref();
        elements.extend(object(json!({
            "acquirerCountryCode": &**country.unwrap_or(&terminal.country),
            "acquirerCountryCodeSource": THIS_SERVER,
        })));
    }
    elements.extend(browser_elements(browser, parts.version));
    match &parts.confirmation {
        Some(confirmed) => elements.extend(confirmed_elements(confirmed, date)?),
        None => {
            elements.extend(offered_confirmation(parts, request, browser));
            elements.extend(offered_decoupled(parts, request));
        }
    }
    AuthenticationCall::read(&Fields::of(elements)).map_err(ExchangeError::Request)
}

/// That the buyer's device may be asked for a confirmation. A browser names merchants by `https` origins alone.
fn offered_confirmation(
    parts: &CallParts<'_>,
    request: &AuthenticationRequest<'_>,
    browser: &BrowserData,
) -> Map<String, Value> {
    let site = Url::parse(&parts.terminal.merchant_url).ok();
    let site = site.filter(|site| site.scheme() == "https");
    let is_offered = offers_confirmation(parts.version, request, browser);
    match site.filter(|_| is_offered) {
        Some(site) => object(json!({
            "threeDSRequestorSpcSupport": YesNo::Yes.code(),
            "payeeOrigin": site.origin().ascii_serialization(),
        })),
        None => Map::new(),
    }
}

/// Whether the issuer may ask for a confirmation: version 2.2.0 has none, the frame must be able to, and who only shares data wants none.
pub(crate) fn offers_confirmation(
    version: Version,
    request: &AuthenticationRequest<'_>,
    browser: &BrowserData,
) -> bool {
    version == Version::V2_3_1
        && browser.can_confirm
        && request.challenge_preference != ChallengePreference::DataShareOnly
}

/// That the issuer may ask the buyer apart from the browser. Without these elements it may not.
fn offered_decoupled(
    parts: &CallParts<'_>,
    request: &AuthenticationRequest<'_>,
) -> Map<String, Value> {
    match decoupled_minutes(parts.terminal, request) {
        Some(minutes) => object(json!({
            "threeDSRequestorDecReqInd": YesNo::Yes.code(),
            "threeDSRequestorDecMaxTime": format!("{minutes:05}"),
        })),
        None => Map::new(),
    }
}

/// How long the issuer may ask the buyer of a payment apart from the browser. `None`: it may not. Who only shares data wants no challenge,
/// and no page waits in a payment in three steps.
pub(crate) fn decoupled_minutes(
    terminal: &TerminalSettings,
    request: &AuthenticationRequest<'_>,
) -> Option<u16> {
    let is_only_shared = request.challenge_preference == ChallengePreference::DataShareOnly;
    let may_ask = request.has_waiting_page && !is_only_shared;
    terminal.decoupled_minutes.filter(|_| may_ask)
}

fn confirmed_elements(
    confirmed: &Confirmed<'_>,
    date: Timestamp,
) -> Result<Map<String, Value>, ExchangeError> {
    let prior = PriorTransaction::new(confirmed.acs_transaction_id.clone());
    let mut elements = object(json!({
        "threeDSRequestorPriorAuthenticationInfo": [prior.write()],
    }));
    let incompletion = match confirmed.outcome {
        ConfirmationOutcome::Confirmed(assertion) => {
            let name = "threeDSRequestorAuthenticationInfo";
            let assertion = serde_json::to_string(assertion).map_err(|_| own(name))?;
            let timestamp = date.strftime("%Y%m%d%H%M").to_string();
            let info = ConfirmationInfo::new(&assertion, &timestamp).ok_or_else(|| own(name))?;
            elements.insert(name.to_owned(), json!([info.write()]));
            return Ok(elements);
        }
        ConfirmationOutcome::NotCompleted => SpcIncompletion::NotCompleted,
        ConfirmationOutcome::Cancelled => SpcIncompletion::Cancelled,
        ConfirmationOutcome::TimedOut => SpcIncompletion::TimedOut,
    };
    elements.insert(String::from("spcIncompInd"), incompletion.write());
    Ok(elements)
}

/// The preference in the words of a version. An exemption for which the version has no word is the wish for no challenge.
fn challenge_indicator(preference: ChallengePreference, version: Version) -> ChallengeIndicator {
    let exemption = match preference {
        ChallengePreference::None => return ChallengeIndicator::NoPreference,
        ChallengePreference::ChallengeRequested => return ChallengeIndicator::Requested,
        ChallengePreference::ChallengeMandated => return ChallengeIndicator::Mandated,
        ChallengePreference::DataShareOnly => return ChallengeIndicator::DataShareOnly,
        ChallengePreference::Exemption(exemption) => exemption,
    };
    match (exemption, version) {
        (RequestedExemption::LowValue, Version::V2_2_0)
        | (RequestedExemption::RecurringSameAmount, _) => ChallengeIndicator::NoChallenge,
        (RequestedExemption::LowValue, Version::V2_3_1) => ChallengeIndicator::LowValue,
        (RequestedExemption::RiskAnalysis, _) => ChallengeIndicator::RiskAnalysed,
        (RequestedExemption::TrustedBeneficiary, _) => ChallengeIndicator::Trusted,
        (RequestedExemption::DelegatedAuthentication, _) => {
            ChallengeIndicator::AuthenticatedElsewhere
        }
    }
}

fn browser_elements(browser: &BrowserData, version: Version) -> Map<String, Value> {
    let longest_language = match version {
        Version::V2_2_0 => 8,
        Version::V2_3_1 => 35,
    };
    // A longer tag without its last parts is still the language.
    let mut language = browser.language.as_str();
    while language.len() > longest_language {
        language = language.rsplit_once('-').map_or("en", |(rest, _)| rest);
    }
    let mut elements = object(json!({
        "browserAcceptHeader": shortened(&browser.accept, 2048, "*/*"),
        "browserUserAgent": shortened(&browser.user_agent, 2048, "unknown"),
        "browserLanguage": if language.is_empty() { "en" } else { language },
        "browserJavascriptEnabled": browser.has_javascript,
    }));
    if browser.has_javascript {
        elements.extend(object(json!({
            "browserJavaEnabled": browser.has_java,
            "browserColorDepth": color_depth(browser.color_depth),
            "browserScreenHeight": browser.screen_height.min(999_999).to_string(),
            "browserScreenWidth": browser.screen_width.min(999_999).to_string(),
            "browserTZ": browser.time_zone_minutes.clamp(-1080, 1080).to_string(),
        })));
    }
    if let Some(ip) = browser.ip {
        elements.insert(String::from("browserIP"), json!(ip.to_string()));
    }
    if version == Version::V2_3_1 {
        let languages = browser.accept_language.split(',').map(str::trim);
        let languages = languages.filter(|language| (1..=100).contains(&language.len()));
        let mut languages: Vec<&str> = languages.take(99).collect();
        if languages.is_empty() {
            languages.push("en");
        }
        elements.insert(String::from("acceptLanguage"), json!(languages));
    }
    elements
}

/// The greatest depth of the protocol that is not more than the browser's.
fn color_depth(bits: u8) -> &'static str {
    let depths = [
        (48, "48"),
        (32, "32"),
        (24, "24"),
        (16, "16"),
        (15, "15"),
        (8, "8"),
        (4, "4"),
    ];
    let fitting = depths.into_iter().find(|(depth, _)| *depth <= bits);
    fitting.map_or("1", |(_, code)| code)
}

fn shortened<'a>(text: &'a str, most: usize, otherwise: &'a str) -> &'a str {
    let end = text
        .char_indices()
        .nth(most)
        .map_or(text.len(), |(place, _)| place);
    if text.is_empty() {
        otherwise
    } else {
        &text[..end]
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(elements) => elements,
        _ => Map::new(),
    }
}

/// A fault in a message of ours.
fn own(name: &str) -> ExchangeError {
    ExchangeError::Request(Fault::new(FaultCode::Format, name))
}

/// Of several elements: a payment, of goods or services.
const PAYMENT: &str = "01";
const BROWSER: &str = "02";
/// `acquirerCountryCodeSource`: this server says it.
const THIS_SERVER: &str = "01";

/// The element of each part of a billing address.
const BILLING_ADDRESS: [(AddressPart, &str); 5] = [
    (AddressPart::Line1, "billAddrLine1"),
    (AddressPart::Line2, "billAddrLine2"),
    (AddressPart::City, "billAddrCity"),
    (AddressPart::State, "billAddrState"),
    (AddressPart::PostalCode, "billAddrPostCode"),
];

const LONGEST_STATE: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use ChallengePreference::{
        ChallengeMandated, ChallengeRequested, DataShareOnly, Exemption, None,
    };
    use RequestedExemption::{
        DelegatedAuthentication, LowValue, RecurringSameAmount, RiskAnalysis, TrustedBeneficiary,
    };

    #[test]
    fn a_preference_has_a_word_in_each_version() {
        for (preference, in_2_2_0, in_2_3_1) in [
            (None, "01", "01"),
            (ChallengeRequested, "03", "03"),
            (ChallengeMandated, "04", "04"),
            (DataShareOnly, "06", "06"),
            (Exemption(LowValue), "02", "10"),
            (Exemption(RiskAnalysis), "05", "05"),
            (Exemption(TrustedBeneficiary), "08", "08"),
            (Exemption(RecurringSameAmount), "02", "02"),
            (Exemption(DelegatedAuthentication), "07", "07"),
        ] {
            let words = [Version::V2_2_0, Version::V2_3_1]
                .map(|version| challenge_indicator(preference, version).code());
            assert_eq!(words, [in_2_2_0, in_2_3_1], "{preference:?}");
        }
    }
}
