//! AReq and ARes: the authentication of a buyer.

use super::confirmation::{
    ConfirmationInfo, Credential, PriorTransaction, SpcIncompletion, SpcTransactionData,
};
use super::{Version, message, require};
use crate::element::{
    AccountNumber, AuthenticationValue, Digits, Element, Text, TimeZone, TransactionId, WebAddress,
    codes,
};
use crate::fault::{Fault, FaultCode};
use serde_json::Value;

codes! {
    /// `threeDSCompInd`: whether the issuer's 3DS method has run.
    MethodCompletion {
        /// It has.
        Done = "Y",
        /// It did not report in time.
        NotDone = "N",
        /// The issuer has none.
        Unavailable = "U",
    }
}

codes! {
    /// `threeDSRequestorChallengeInd`: what the merchant prefers.
    ChallengeIndicator {
        /// No preference.
        NoPreference = "01",
        /// No challenge.
        NoChallenge = "02",
        /// A challenge.
        Requested = "03",
        /// A challenge, which a rule demands.
        Mandated = "04",
        /// No challenge: the acquirer has analysed the risk of the transaction.
        RiskAnalysed = "05",
        /// No challenge: the merchant shares data, and wants no authentication.
        DataShareOnly = "06",
        /// No challenge: the buyer was authenticated strongly elsewhere.
        AuthenticatedElsewhere = "07",
        /// No challenge: the buyer trusts the merchant.
        Trusted = "08",
        /// A challenge, which offers the buyer to trust the merchant.
        TrustPrompt = "09",
        /// No challenge: the amount is low. Version 2.3.1.
        LowValue = "10",
    }
}

/// `threeDSRequestorChallengeInd`: one preference in version 2.2.0, a list of one or two in version 2.3.1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChallengePreferences {
    /// As version 2.2.0 writes it.
    One(ChallengeIndicator),
    /// As version 2.3.1 writes it: what is preferred most comes first.
    List(Vec<ChallengeIndicator>),
}

impl ChallengePreferences {
    /// One preference, as the version writes it.
    pub fn of(version: Version, indicator: ChallengeIndicator) -> ChallengePreferences {
        match version {
            Version::V2_2_0 => ChallengePreferences::One(indicator),
            Version::V2_3_1 => ChallengePreferences::List(vec![indicator]),
        }
    }

    fn is_of(&self, version: Version) -> bool {
        match (self, version) {
            (ChallengePreferences::One(indicator), Version::V2_2_0) => {
                *indicator != ChallengeIndicator::LowValue
            }
            (ChallengePreferences::List(list), Version::V2_3_1) => (1..=2).contains(&list.len()),
            _ => false,
        }
    }
}

impl Element for ChallengePreferences {
    fn read(value: &Value) -> Option<ChallengePreferences> {
        match value {
            Value::Array(_) => Element::read(value).map(ChallengePreferences::List),
            _ => Element::read(value).map(ChallengePreferences::One),
        }
    }

    fn write(&self) -> Value {
        match self {
            ChallengePreferences::One(indicator) => indicator.write(),
            ChallengePreferences::List(list) => list.write(),
        }
    }
}

codes! {
    /// `transStatus`: what became of the authentication.
    TransactionStatus {
        /// The buyer is authenticated.
        Authenticated = "Y",
        /// The buyer is not authenticated.
        NotAuthenticated = "N",
        /// It could not be performed.
        Unavailable = "U",
        /// It was attempted, and there is a proof of that.
        Attempted = "A",
        /// A challenge is necessary.
        Challenge = "C",
        /// A challenge is necessary, apart from the browser.
        Decoupled = "D",
        /// The issuer rejects it, and wants no authorization.
        Rejected = "R",
        /// The data was taken note of.
        Informational = "I",
        /// A confirmation by the buyer's device is necessary. Version 2.3.1.
        Confirmation = "S",
    }
}

codes! {
    /// `deviceChannel`
    Channel {
        /// A browser.
        Browser = "02",
    }
}

codes! {
    /// `messageCategory`
    Category {
        /// The authentication of a payment.
        Payment = "01",
    }
}

codes! {
    /// `acsChallengeMandated`, and other answers of yes and no.
    YesNo {
        /// Yes.
        Yes = "Y",
        /// No.
        No = "N",
    }
}

codes! {
    /// `browserColorDepth`: bits for each point.
    ColorDepth {
        /// 1
        One = "1",
        /// 4
        Four = "4",
        /// 8
        Eight = "8",
        /// 15
        Fifteen = "15",
        /// 16
        Sixteen = "16",
        /// 24
        TwentyFour = "24",
        /// 32
        ThirtyTwo = "32",
        /// 48
        FortyEight = "48",
    }
}

message! {
    /// AReq: a buyer in a browser is to be authenticated for a payment.
    AuthenticationCall = "AReq" {
        /// Our id of the transaction.
        server_transaction_id: TransactionId = "threeDSServerTransID",
        /// Whether the issuer's 3DS method has run.
        method_completion: MethodCompletion = "threeDSCompInd",
        /// What kind of request it is: 01 is a payment.
        requestor_indicator: Digits<2, 2> = "threeDSRequestorAuthenticationInd",
        /// The merchant's id, which the directory server assigned.
        requestor_id: Text<1, 35> = "threeDSRequestorID",
        /// The merchant's name there.
        requestor_name: Text<1, 40> = "threeDSRequestorName",
        /// The merchant's site.
        requestor_url: WebAddress<2048> = "threeDSRequestorURL",
        /// The reference number of this server.
        server_reference: Text<1, 32> = "threeDSServerRefNumber",
        /// Where RReq goes.
        server_url: WebAddress<2048> = "threeDSServerURL",
        /// The card.
        account_number: AccountNumber = "acctNumber",
        /// A browser.
        channel: Channel = "deviceChannel",
        /// A payment.
        category: Category = "messageCategory",
        /// Where the final CRes goes.
        notification_url: WebAddress<256> = "notificationURL",
        /// The acquirer's id.
        acquirer_bin: Text<1, 11> = "acquirerBIN",
        /// The merchant's id at the acquirer.
        acquirer_merchant_id: Text<1, 35> = "acquirerMerchantID",
        /// What the merchant sells.
        merchant_category: Digits<4, 4> = "mcc",
        /// ISO 3166-1, three digits.
        merchant_country: Digits<3, 3> = "merchantCountryCode",
        /// The merchant's name.
        merchant_name: Text<1, 40> = "merchantName",
        /// The amount in minor units.
        amount: Digits<1, 48> = "purchaseAmount",
        /// ISO 4217, three digits.
        currency: Digits<3, 3> = "purchaseCurrency",
        /// The digits of the amount behind the point.
        exponent: Digits<1, 1> = "purchaseExponent",
        /// When, in UTC: YYYYMMDDHHMMSS.
        purchase_date: Digits<14, 14> = "purchaseDate",
        /// What the browser accepts.
        browser_accept: Text<1, 2048> = "browserAcceptHeader",
        /// How the browser calls itself.
        browser_user_agent: Text<1, 2048> = "browserUserAgent",
        /// The language of the browser.
        browser_language: Text<1, 35> = "browserLanguage",
        /// Whether scripts run.
        browser_has_javascript: bool = "browserJavascriptEnabled",
        @optional
        /// The operator of this server, where the directory server wants it.
        server_operator: Text<1, 32> = "threeDSServerOperatorID",
        /// What the merchant prefers.
        challenge_preferences: ChallengePreferences = "threeDSRequestorChallengeInd",
        /// Whether the issuer may ask the buyer apart from the browser. Missing: it may not.
        decoupled_request: YesNo = "threeDSRequestorDecReqInd",
        /// For how many minutes at most.
        decoupled_minutes: Digits<5, 5> = "threeDSRequestorDecMaxTime",
        /// The country of the acquirer: ISO 3166-1, three digits. Version 2.3.1.
        acquirer_country: Digits<3, 3> = "acquirerCountryCode",
        /// Who says so: 01 is the server. Version 2.3.1.
        acquirer_country_source: Digits<2, 2> = "acquirerCountryCodeSource",
        /// YYMM.
        expiry: Digits<4, 4> = "cardExpiryDate",
        /// The cardholder.
        holder_name: Text<2, 45> = "cardholderName",
        /// The cardholder's address.
        email: Text<3, 254> = "email",
        /// The country of the billing address: ISO 3166-1, three digits.
        billing_country: Digits<3, 3> = "billAddrCountry",
        /// Street and house number.
        billing_line1: Text<1, 50> = "billAddrLine1",
        /// What the first line has no place for.
        billing_line2: Text<1, 50> = "billAddrLine2",
        /// The city.
        billing_city: Text<1, 50> = "billAddrCity",
        /// The code of the state in ISO 3166-2, without the country.
        billing_state: Text<1, 3> = "billAddrState",
        /// The postal code of the billing address.
        billing_post_code: Text<1, 16> = "billAddrPostCode",
        /// What is bought: 01 is goods or services.
        kind: Digits<2, 2> = "transType",
        /// The address of the browser.
        browser_ip: Text<2, 45> = "browserIP",
        /// Whether Java runs.
        browser_has_java: bool = "browserJavaEnabled",
        /// The colours of the screen.
        browser_colors: ColorDepth = "browserColorDepth",
        /// The height of the screen.
        browser_height: Digits<1, 6> = "browserScreenHeight",
        /// The width of the screen.
        browser_width: Digits<1, 6> = "browserScreenWidth",
        /// The time zone of the browser.
        browser_time_zone: TimeZone = "browserTZ",
        /// What languages the browser accepts. Version 2.3.1.
        accept_language: Vec<Text<1, 100>> = "acceptLanguage",
        /// Whether the buyer's device may be asked for a confirmation. Version 2.3.1.
        confirmation_support: YesNo = "threeDSRequestorSpcSupport",
        /// The merchant's origin, for a confirmation. Version 2.3.1.
        payee_origin: WebAddress<2048> = "payeeOrigin",
        /// The confirmation. Version 2.3.1.
        confirmations: Vec<ConfirmationInfo> = "threeDSRequestorAuthenticationInfo",
        /// Why there is no confirmation. Version 2.3.1.
        incompletion: SpcIncompletion = "spcIncompInd",
        /// The transaction that asked for the confirmation. Version 2.3.1.
        prior: Vec<PriorTransaction> = "threeDSRequestorPriorAuthenticationInfo",
    }
}

impl AuthenticationCall {
    fn check(&self) -> Result<(), Fault> {
        if self.browser_has_javascript {
            require(self.browser_has_java.as_ref(), "browserJavaEnabled")?;
            require(self.browser_colors.as_ref(), "browserColorDepth")?;
            require(self.browser_height.as_ref(), "browserScreenHeight")?;
            require(self.browser_width.as_ref(), "browserScreenWidth")?;
            require(self.browser_time_zone.as_ref(), "browserTZ")?;
        }
        let format = |name| Err(Fault::new(FaultCode::Format, name));
        match self.version {
            Version::V2_2_0 => {
                if self.browser_language.len() > 8 {
                    return format("browserLanguage");
                }
                if let Some(name) = self.newer_element() {
                    return format(name);
                }
            }
            Version::V2_3_1 => {
                require(self.accept_language.as_ref(), "acceptLanguage")?;
                require(self.acquirer_country.as_ref(), "acquirerCountryCode")?;
                let source = self.acquirer_country_source.as_ref();
                require(source, "acquirerCountryCodeSource")?;
                if self.confirmation_support == Some(YesNo::Yes) {
                    require(self.payee_origin.as_ref(), "payeeOrigin")?;
                }
                if self.confirmations.is_some() && self.incompletion.is_some() {
                    return format("spcIncompInd");
                }
            }
        }
        let preferences = self.challenge_preferences.as_ref();
        if !preferences.is_none_or(|preferences| preferences.is_of(self.version)) {
            return format("threeDSRequestorChallengeInd");
        }
        self.check_decoupled()?;
        let languages = self.accept_language.as_ref().map_or(1, Vec::len);
        if !(1..=99).contains(&languages) {
            return format("acceptLanguage");
        }
        Ok(())
    }

    fn check_decoupled(&self) -> Result<(), Fault> {
        if self.decoupled_request == Some(YesNo::Yes) {
            require(
                self.decoupled_minutes.as_ref(),
                "threeDSRequestorDecMaxTime",
            )?;
        }
        let minutes = self.decoupled_minutes.as_ref();
        let minutes = minutes.and_then(|minutes| minutes.parse::<u32>().ok());
        match minutes {
            Some(minutes) if !(1..=LONGEST_DECOUPLED_MINUTES).contains(&minutes) => {
                Err(Fault::new(FaultCode::Format, "threeDSRequestorDecMaxTime"))
            }
            _ => Ok(()),
        }
    }

    /// The first element that version 2.2.0 does not have.
    fn newer_element(&self) -> Option<&'static str> {
        let elements = [
            (self.acquirer_country.is_some(), "acquirerCountryCode"),
            (
                self.acquirer_country_source.is_some(),
                "acquirerCountryCodeSource",
            ),
            (
                self.confirmation_support.is_some(),
                "threeDSRequestorSpcSupport",
            ),
            (self.payee_origin.is_some(), "payeeOrigin"),
            (
                self.confirmations.is_some(),
                "threeDSRequestorAuthenticationInfo",
            ),
            (self.incompletion.is_some(), "spcIncompInd"),
            (
                self.prior.is_some(),
                "threeDSRequestorPriorAuthenticationInfo",
            ),
        ];
        elements
            .into_iter()
            .find_map(|(is_there, name)| is_there.then_some(name))
    }
}

message! {
    /// ARes: what the issuer says to AReq.
    AuthenticationAnswer = "ARes" {
        /// Our id of the transaction.
        server_transaction_id: TransactionId = "threeDSServerTransID",
        /// The directory server's id of the transaction.
        ds_transaction_id: TransactionId = "dsTransID",
        /// The id of the transaction at the issuer's access control.
        acs_transaction_id: TransactionId = "acsTransID",
        /// The reference number of the issuer's access control.
        acs_reference: Text<1, 32> = "acsReferenceNumber",
        /// The reference number of the directory server.
        ds_reference: Text<1, 32> = "dsReferenceNumber",
        /// What became of the authentication.
        status: TransactionStatus = "transStatus",
        @optional
        /// Why.
        reason: Digits<2, 2> = "transStatusReason",
        /// How a challenge would authenticate. Version 2.2.0.
        authentication_type: Digits<2, 2> = "authenticationType",
        /// How a challenge would authenticate. Version 2.3.1.
        authentication_methods: Vec<Digits<2, 2>> = "authenticationMethod",
        /// Whether a rule demands the challenge.
        challenge_mandated: YesNo = "acsChallengeMandated",
        /// Whether the issuer asks the buyer apart from the browser.
        decoupled_confirmed: YesNo = "acsDecConInd",
        /// What the issuer tells the buyer.
        cardholder_info: Text<1, 128> = "cardholderInfo",
        /// Where CReq goes.
        acs_url: WebAddress<2048> = "acsURL",
        /// The proof.
        value: AuthenticationValue = "authenticationValue",
        /// The indicator for the authorization.
        eci: Digits<2, 2> = "eci",
        /// What the browser is asked for a confirmation.
        confirmation: SpcTransactionData = "spcTransData",
        /// The credentials of the buyer that may confirm.
        credentials: Vec<Credential> = "webAuthnCredList",
    }
}

impl AuthenticationAnswer {
    fn check(&self) -> Result<(), Fault> {
        use TransactionStatus::{
            Attempted, Authenticated, Challenge, Confirmation, Decoupled, Informational,
            NotAuthenticated, Rejected, Unavailable,
        };
        match self.status {
            Authenticated | Attempted => require(self.value.as_ref(), "authenticationValue"),
            NotAuthenticated | Unavailable | Rejected => {
                require(self.reason.as_ref(), "transStatusReason")
            }
            Challenge => {
                require(self.acs_url.as_ref(), "acsURL")?;
                self.check_methods()?;
                require(self.challenge_mandated.as_ref(), "acsChallengeMandated")
            }
            Decoupled => {
                require(self.decoupled_confirmed.as_ref(), "acsDecConInd")?;
                match self.decoupled_confirmed {
                    Some(YesNo::Yes) => self.check_methods(),
                    _ => Err(Fault::new(FaultCode::Format, "acsDecConInd")),
                }
            }
            Informational => Ok(()),
            Confirmation => self.check_confirmation(),
        }
    }

    fn check_methods(&self) -> Result<(), Fault> {
        let (one, list) = (&self.authentication_type, &self.authentication_methods);
        check_methods(self.version, one.as_ref(), list.as_deref())
    }

    fn check_confirmation(&self) -> Result<(), Fault> {
        let format = |name| Err(Fault::new(FaultCode::Format, name));
        if self.version < Version::V2_3_1 {
            return format("transStatus");
        }
        require(self.confirmation.as_ref(), "spcTransData")?;
        require(self.credentials.as_ref(), "webAuthnCredList")?;
        let mut credentials = self.credentials.iter().flatten();
        let Some(first) = credentials.next() else {
            return format("webAuthnCredList");
        };
        // A browser asks for the credentials of one domain.
        match credentials.all(|one| one.relying_party == first.relying_party) {
            true => Ok(()),
            false => format("webAuthnCredList"),
        }
    }
}

/// `threeDSRequestorDecMaxTime`: a week.
const LONGEST_DECOUPLED_MINUTES: u32 = 10_080;

/// That a message says how the buyer is authenticated: version 2.2.0 by `authenticationType`, version 2.3.1 by the list `authenticationMethod`.
pub(super) fn check_methods(
    version: Version,
    one: Option<&Digits<2, 2>>,
    list: Option<&[Digits<2, 2>]>,
) -> Result<(), Fault> {
    match version {
        Version::V2_2_0 => require(one, "authenticationType"),
        Version::V2_3_1 => {
            require(list, "authenticationMethod")?;
            match list.map_or(0, <[_]>::len) {
                1..=99 => Ok(()),
                _ => Err(Fault::new(FaultCode::Format, "authenticationMethod")),
            }
        }
    }
}
