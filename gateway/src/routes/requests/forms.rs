//! The formats of members' values: lists of codes, and values that may be texts or numbers. Each is a schema.
//! [`crate::routes::fields`] and its callers check the values.

use payframe_payment_domain::billing_address::BillingAddressFields;
use payframe_payment_domain::card_on_file::{Consent, SavedCards};
use payframe_payment_domain::contract::Kind;
use payframe_payment_domain::dispute::{DisputeCategory, DisputeKind, DisputeState};
use payframe_payment_domain::fulfilment::FulfilmentState;
use payframe_payment_domain::hosted::Status;
use payframe_payment_domain::method::Method;
use payframe_payment_domain::operation::OperationType;
use payframe_payment_domain::reservation::{CollectionType, PointUnit, ReservationType};
use payframe_payment_domain::wallet::Wallet;
use serde_json::{Value, json};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

/// Declares types whose values are one of several codes.
macro_rules! codes {
    ($($(#[$about:meta])* $name:ident = $codes:expr;)*) => {$(
        $(#[$about])*
        pub(crate) enum $name {}

        impl $name {
            /// Every code.
            pub(crate) const CODES: &'static [&'static str] = $codes;
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                texts().enum_values(Some(Self::CODES.iter().copied())).into()
            }
        }

        impl ToSchema for $name {}
    )*};
}

codes! {
    /// What a payment does with money.
    ActionTypes = &["PAY", "VERIFY", "PREAUTH"];
    /// When money is captured.
    CaptureTypes = &["IMPLICIT", "EXPLICIT"];
    /// Which amount of an order is compared.
    AmountTypes = &["ORDER_AMOUNT", "AUTHORIZED_AMOUNT", "CAPTURED_AMOUNT"];
    /// What a form asks of the billing address.
    BillingAddresses = &BillingAddressFields::CODES;
    /// Which digits of a card a page may receive.
    CardSummaries = &["NONE", "LAST4", "BIN_LAST4"];
    /// What a merchant asks of 3-D Secure.
    ChallengeWishes = &[
        "NO_PREFERENCE", "CHALLENGE_REQUESTED", "DATA_SHARE_ONLY", "LOW_VALUE", "TRANSACTION_RISK_ANALYSIS", "TRUSTED_BENEFICIARY",
        "RECURRING_SAME_AMOUNT", "DELEGATED_AUTHENTICATION",
    ];
    /// The channel through which operations are made.
    Channels = &["ECOMMERCE", "POS", "BACKOFFICE"];
    /// Who closes a payment.
    Closers = &["SERVER", "FRAME"];
    /// When the money of a reservation is collected.
    CollectionTypes = &CollectionType::CODES;
    /// Whether the buyer is asked before a card is stored.
    Consents = &Consent::CODES;
    /// Who may use a stored card.
    ContractTypes = &Kind::CODES;
    /// Which time of a reservation is compared.
    DateTypes = &["CREATION", "CHECK_IN", "CHECK_OUT"];
    /// Why a buyer disputes.
    DisputeCategories = &DisputeCategory::CODES;
    /// How far a dispute has come.
    DisputeKinds = &DisputeKind::CODES;
    /// What a test makes the bank do with a dispute.
    DisputeResults = &["WON", "LOST", "CHARGEBACK", "PRE_ARBITRATION", "ARBITRATION"];
    /// The state of a dispute.
    DisputeStates = &DisputeState::CODES;
    /// The state of an order's goods.
    FulfilmentStates = &FulfilmentState::CODES;
    /// An indicator of 3-D Secure with two values.
    Indicators2 = &["01", "02"];
    /// An indicator of 3-D Secure with four values.
    Indicators4 = &["01", "02", "03", "04"];
    /// An indicator of 3-D Secure with five values.
    Indicators5 = &["01", "02", "03", "04", "05"];
    /// An indicator of 3-D Secure with seven values.
    Indicators7 = &["01", "02", "03", "04", "05", "06", "07"];
    /// Who charges an installment.
    InstallmentTypes = &["AUTOMATIC", "MANUAL"];
    /// The state of a link.
    LinkStatuses = &Status::CODES;
    /// What buyers can choose from.
    MethodOffers = &["ALL", "CARDS"];
    /// Who chose a network.
    NetworkChoosers = &["BUYER", "DEFAULT"];
    /// The types of operations.
    OperationTypes = &OperationType::CODES;
    /// Whether an order's money can still be captured.
    OrderStates = &["TO_CAPTURE", "CAPTURED"];
    /// Who agreed on an installment plan.
    PlanTypes = &["ACQUIRER_AGREEMENT"];
    /// The units of points in time.
    PointUnits = &PointUnit::CODES;
    /// What a payment does with a stored card.
    RecurrenceActions = &["NO_RECURRING", "CONTRACT_CREATION", "SUBSEQUENT_PAYMENT", "CARD_SUBSTITUTION"];
    /// Who sends the buyer to another page.
    RedirectHandlers = &["FRAME", "PAGE"];
    /// What a guest owes: the type of a reservation.
    ReservationTypes = &ReservationType::CODES;
    /// What a form does with stored cards.
    SavedCardUses = &SavedCards::CODES;
    /// Whether a place takes reservations.
    StructureStatuses = &["ACTIVE", "NOT_ACTIVE"];
}

/// Declares types with a schema of their own.
macro_rules! forms {
    ($($(#[$about:meta])* $name:ident = $schema:expr;)*) => {$(
        $(#[$about])*
        pub(crate) enum $name {}

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                $schema.into()
            }
        }

        impl ToSchema for $name {}
    )*};
}

forms! {
    /// A date, or a value that is ignored.
    AnyDate = any().examples([json!("2030-01-31")]);
    /// A number of installments.
    InstallmentCount = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(2))
        .maximum(Some(24));
    /// A number of nights.
    Nights = texts_or_numbers("^[0-9]{1,4}$", 1).examples([json!("3")]);
    /// The only means of payment.
    PaymentServices = texts().enum_values(Some(payment_services()));
    /// A day, or a number of hours or days.
    PointValue = texts_or_numbers("^([0-9]{1,4}|[0-9]{4}-[0-9]{2}-[0-9]{2})$", 0).examples([json!("24")]);
    /// The id of terms and conditions.
    TermsId = texts().min_length(Some(1)).max_length(Some(36));
    /// The version of the protocol.
    VersionNumber = either(&[Type::String, Type::Integer])
        .enum_values(Some([json!("2"), json!("3"), json!(2), json!(3)]))
        .default(Some(json!("3")));
    /// The code of a wallet.
    WalletCodes = texts().enum_values(Some(Wallet::ALL.map(Wallet::code)));
    /// Yes or no, also as a letter.
    YesOrNo = either(&[Type::Boolean, Type::String])
        .enum_values(Some([json!(true), json!(false), json!("Y"), json!("N")]));
}

/// The codes of a card: `CARD` is its type in answers, and existing clients send either (contract 13, D133).
pub(crate) const CARD_CODES: [&str; 2] = ["CARDS", "CARD"];

fn payment_services() -> Vec<Value> {
    let wallets = Wallet::ALL.map(Wallet::code);
    let codes = CARD_CODES.into_iter().chain(wallets);
    codes.chain(Method::spellings()).map(Value::from).collect()
}

fn any() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::AnyValue)
}

fn texts() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

fn either(types: &[Type]) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::Array(types.to_vec()))
}

/// Up to four digits, as a text or as a number.
fn texts_or_numbers(pattern: &str, least: u64) -> ObjectBuilder {
    either(&[Type::String, Type::Integer])
        .pattern(Some(pattern))
        .minimum(Some(least))
        .maximum(Some(9999))
}
