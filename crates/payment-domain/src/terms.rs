//! Settings of terminals, and the terms of sessions, which do not change like states.

use super::billing_address::BillingAddressFields;
use super::card_on_file::CardOnFileTerms;
use super::card_testing::CardTestingSettings;
use super::contract;
use super::event_type::EventType;
use super::exemption::NoChallengeRequest;
use super::method::{METHODS, Method};
use super::operation::{ActionType, Capture, OperationType};
use super::page_watch::PageWatch;
use super::reservation::charges::Charge;
use super::wallet::Wallet;
use payframe_card_rules::network::NetworkSet;

/// A merchant's terminal, found by its API key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Its id.
    pub terminal_id: String,
    /// Its merchant.
    pub merchant_id: String,
    /// The capture type of payments that name none.
    pub capture: Capture,
    /// Whether it may store cards for later payments.
    pub tokenization: bool,
    /// Whether it offers to pay in the card's own currency.
    pub currency_conversion: bool,
    /// The networks that it accepts.
    pub networks: NetworkSet,
    /// The networks that it prefers for a card with two networks; the buyer may choose the other.
    pub preferred_networks: NetworkSet,
    /// The networks whose BIN has eight digits here.
    pub eight_digit_bins: NetworkSet,
    /// The inputs of the form, in the order in which they are shown.
    pub card_fields: Vec<CardField>,
    /// The alternative methods that it has, in the order in which they are shown.
    pub methods: Vec<&'static Method>,
    /// The wallets that it accepts.
    pub wallets: Vec<Wallet>,
    /// Whether it is online or in a shop.
    pub place: AcceptanceChannel,
    /// Hash of the font that its forms are drawn in, if it is not the system's.
    pub font: Option<String>,
    /// Its requests for no challenge that the operator allows, as exemptions from authentication. The merchant is liable.
    pub exemptions: Vec<NoChallengeRequest>,
    /// Its rules against the trying out of stolen cards.
    pub card_testing: CardTestingSettings,
    /// Whether the merchant's pages with its forms are watched.
    pub page_watch: PageWatch,
}

/// Where a terminal accepts payments (contract 8.0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcceptanceChannel {
    /// In a web shop.
    Online,
    /// In a shop that buyers visit.
    PointOfSale,
}

impl AcceptanceChannel {
    /// The code in the database.
    pub fn code(self) -> &'static str {
        match self {
            AcceptanceChannel::Online => "ONLINE",
            AcceptanceChannel::PointOfSale => "POINT_OF_SALE",
        }
    }

    /// The channel of a stored code.
    pub fn from_code(code: &str) -> Option<AcceptanceChannel> {
        [AcceptanceChannel::Online, AcceptanceChannel::PointOfSale]
            .into_iter()
            .find(|place| place.code() == code)
    }
}

/// An input of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardField {
    /// `CARD_NUMBER`
    Number,
    /// `EXPIRATION_DATE`
    Expiry,
    /// `SECURITY_CODE`
    SecurityCode,
    /// `CARDHOLDER_NAME`
    HolderName,
    /// `CARDHOLDER_SURNAME`
    HolderSurname,
    /// `CARDHOLDER_EMAIL`
    Email,
    /// `PRIVACY_CONDITIONS`
    Privacy,
}

impl CardField {
    /// The id on the wire.
    pub fn id(self) -> &'static str {
        match self {
            CardField::Number => "CARD_NUMBER",
            CardField::Expiry => "EXPIRATION_DATE",
            CardField::SecurityCode => "SECURITY_CODE",
            CardField::HolderName => "CARDHOLDER_NAME",
            CardField::HolderSurname => "CARDHOLDER_SURNAME",
            CardField::Email => "CARDHOLDER_EMAIL",
            CardField::Privacy => "PRIVACY_CONDITIONS",
        }
    }

    /// The input of an id on the wire.
    pub fn from_id(id: &str) -> Option<CardField> {
        CardField::ALL.into_iter().find(|field| field.id() == id)
    }

    /// Every input, in the order of the contract.
    pub const ALL: [CardField; 7] = [
        CardField::Number,
        CardField::Expiry,
        CardField::SecurityCode,
        CardField::HolderName,
        CardField::HolderSurname,
        CardField::Email,
        CardField::Privacy,
    ];
}

/// Which version of the build protocol a session uses (contract 3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The completion call comes before the device check.
    Two,
    /// The device check comes before the completion call.
    Three,
}

impl Version {
    /// 2 or 3.
    pub fn number(self) -> u8 {
        match self {
            Version::Two => 2,
            Version::Three => 3,
        }
    }
}

/// Who may close a payment (contract 3.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureInitiator {
    /// Only the merchant's server.
    Server,
    /// The form's frame too.
    Frame,
}

impl Terminal {
    /// A terminal that accepts everything that any terminal accepts. The descriptions of requests use it.
    pub fn with_everything() -> Terminal {
        Terminal {
            terminal_id: String::new(),
            merchant_id: String::new(),
            capture: Capture::Explicit,
            tokenization: true,
            currency_conversion: true,
            networks: NetworkSet::all(),
            preferred_networks: NetworkSet::empty(),
            eight_digit_bins: NetworkSet::empty(),
            card_fields: CardField::ALL.to_vec(),
            methods: METHODS.iter().collect(),
            wallets: Wallet::ALL.to_vec(),
            place: AcceptanceChannel::Online,
            font: None,
            exemptions: NoChallengeRequest::ALL.to_vec(),
            card_testing: CardTestingSettings::default(),
            page_watch: PageWatch::OFF,
        }
    }
}

/// The capture of a payment (contract 2.4), or what is wrong with the requested one.
pub fn agreed_capture(
    asked: Option<Capture>,
    action: ActionType,
    terminal: &Terminal,
) -> Result<Capture, &'static str> {
    match (action, asked, terminal.capture) {
        (ActionType::PreAuth, Some(Capture::Implicit), _) => Err("must be EXPLICIT with PREAUTH"),
        (ActionType::PreAuth, _, _) => Ok(Capture::Explicit),
        (_, Some(Capture::Explicit), Capture::Implicit) => {
            Err("EXPLICIT is not enabled on this terminal")
        }
        (_, asked, of_terminal) => Ok(asked.unwrap_or(of_terminal)),
    }
}

impl CaptureInitiator {
    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            CaptureInitiator::Server => "SERVER",
            CaptureInitiator::Frame => "FRAME",
        }
    }

    /// The initiator of a code on the wire.
    pub fn from_code(code: &str) -> Option<CaptureInitiator> {
        [CaptureInitiator::Server, CaptureInitiator::Frame]
            .into_iter()
            .find(|capture_initiator| capture_initiator.code() == code)
    }
}

/// Who sends the buyer to the page of a method (contract 3.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectHandler {
    /// The form's frame.
    Frame,
    /// The merchant's page, to which the form reports.
    Page,
}

impl RedirectHandler {
    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            RedirectHandler::Frame => "FRAME",
            RedirectHandler::Page => "PAGE",
        }
    }

    /// The handler of a code on the wire.
    pub fn from_code(code: &str) -> Option<RedirectHandler> {
        [RedirectHandler::Frame, RedirectHandler::Page]
            .into_iter()
            .find(|redirect_handler| redirect_handler.code() == code)
    }
}

impl Terms {
    /// The type of the operation that it makes.
    pub fn operation_type(&self) -> OperationType {
        let of_action = || self.action.operation_type();
        self.charge.map_or_else(of_action, Charge::operation_type)
    }

    /// `eventType` of the notification about that operation (contract 9.1).
    pub fn event_type(&self) -> EventType {
        match self.charge {
            Some(_) => EventType::Operation,
            None => self.channel.event_type(),
        }
    }

    /// The alternative method with this code, if the session offers it.
    pub fn offered(&self, code: &str) -> Option<&'static Method> {
        // Any spelling of its code is accepted.
        let method = Method::from_code(code)?;
        self.methods.contains(&method).then_some(method)
    }
}

/// What is agreed when a session is made. Only the currency may change later, with the amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The hosted page or the link that shows it. If it is set, the browser returns there, and not to the merchant's page.
    pub hosted_page: Option<String>,
    /// The merchant of the session.
    pub merchant_id: String,
    /// The terminal that made it.
    pub terminal_id: String,
    /// The order that it pays.
    pub order_id: String,
    /// The version of its protocol.
    pub version: Version,
    /// The pages that contain the form.
    pub framing: FramingPages,
    /// The action.
    pub action: ActionType,
    /// When approved money is captured.
    pub capture: Capture,
    /// Three letters, lower case.
    pub language: String,
    /// `exemptions` of the request: `NO_PREFERENCE`, `CHALLENGE_REQUESTED`, or the code of a [`NoChallengeRequest`].
    pub challenge_preference: String,
    /// Where the browser goes with an outcome. Empty if a hosted page knows it.
    pub result_url: String,
    /// Where the browser goes when the buyer cancels. Empty if a hosted page knows it.
    pub cancel_url: String,
    /// The address of the merchant's server for notifications.
    pub notification_url: Option<String>,
    /// The token by which merchants recognise notifications.
    pub security_token: String,
    /// Ties the session's calls together in logs.
    pub trace_id: String,
    /// Who may close the payment.
    pub capture_initiator: CaptureInitiator,
    /// Which digits the frame may report to the page: `NONE`, `LAST4`, `BIN_LAST4`.
    pub card_summary: String,
    /// ISO 4217 letters.
    pub currency: String,
    /// Who sends the buyer to the page of an alternative method.
    pub redirect_handler: RedirectHandler,
    /// The numbers of installments from which the buyer may choose, in rising order.
    pub installments: Vec<u8>,
    /// What it does with stored cards.
    pub card_on_file: CardOnFileTerms,
    /// What its form asks of the billing address.
    pub billing_address: BillingAddressFields,
    /// The alternative methods that it offers, in the order in which they are shown.
    pub methods: Vec<&'static Method>,
    /// The channel of the payment.
    pub channel: Channel,
    /// What an approved payment does with a contract, in addition to paying with it.
    pub contract: Option<contract::ContractIntent>,
    /// The wallet from which the card comes.
    pub wallet: Option<Wallet>,
    /// The operation whose id the merchant got when the session was made. The result of the session is written into this operation.
    pub preassigned_operation_id: Option<String>,
    /// The kind of charge for a reservation, if it is not the first payment.
    pub charge: Option<Charge>,
}

/// The pages that contain a session's frames. Each is one exact origin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FramingPages {
    /// Origin of the page that contains the form and exchanges messages with it. Empty if there is no form.
    pub merchant: String,
    /// Origins of pages that may contain that page, such as a hotel's page with a booking widget. They exchange no messages with the form.
    pub ancestors: Vec<String>,
}

impl FramingPages {
    /// Only the page that contains the form.
    pub fn only(merchant: impl Into<String>) -> FramingPages {
        FramingPages {
            merchant: merchant.into(),
            ancestors: Vec::new(),
        }
    }

    /// All of them: the page with the form first.
    pub fn origins(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.merchant)
            .chain(&self.ancestors)
            .map(String::as_str)
    }
}

/// The channel of a payment: `channelDetail` of its operations (contract 2.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// With the embedded form.
    Build,
    /// On the hosted payment page.
    HostedPage,
    /// With a link.
    Link,
    /// From the merchant's server, with the card, in three steps.
    Server,
    /// By mail or telephone.
    MailOrTelephone,
    /// By the merchant alone, on a contract.
    MerchantInitiated,
    /// From a wallet's browser interface.
    Wallet,
    /// By the gateway itself, as was agreed.
    Automatic,
}

impl Channel {
    /// The code on the wire.
    pub fn code(self) -> &'static str {
        match self {
            Channel::Build => "BUILD",
            Channel::HostedPage => "HOSTED_PAGE",
            Channel::Link => "PAY_BY_LINK",
            Channel::Server => "SERVER_TO_SERVER",
            Channel::MailOrTelephone => "MOTO",
            Channel::MerchantInitiated => "MIT",
            Channel::Wallet => "WALLET",
            Channel::Automatic => "AUTOMATIC",
        }
    }

    /// `eventType` of the notification about the first payment (contract 9.1).
    pub fn event_type(self) -> EventType {
        match self {
            Channel::Link => EventType::PayByLink,
            _ => EventType::Payment,
        }
    }

    /// The channel of a code on the wire.
    pub fn from_code(code: &str) -> Option<Channel> {
        Channel::ALL
            .into_iter()
            .find(|channel| channel.code() == code)
    }

    const ALL: [Channel; 8] = [
        Channel::Build,
        Channel::HostedPage,
        Channel::Link,
        Channel::Server,
        Channel::MailOrTelephone,
        Channel::MerchantInitiated,
        Channel::Wallet,
        Channel::Automatic,
    ];
}
