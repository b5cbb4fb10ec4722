//! Forms that values of members have: lists of codes, and what takes texts and numbers. Each is a schema; what a form accepts
//! is judged by [`crate::routes::fields`] and its callers.

use payframe_payment_domain::card_on_file::{Consent, SavedCards};
use payframe_payment_domain::contract::Kind;
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
    /// What a payment does.
    ActionTypes = &["PAY", "VERIFY", "PREAUTH"];
    /// When money is captured.
    CaptureTypes = &["IMPLICIT", "EXPLICIT"];
    /// Which sum of an order is meant.
    AmountTypes = &["ORDER_AMOUNT", "AUTHORIZED_AMOUNT", "CAPTURED_AMOUNT"];
    /// Which digits of a card a page may hear of.
    CardSummaries = &["NONE", "LAST4", "BIN_LAST4"];
    /// What a merchant wishes of 3-D Secure.
    ChallengeWishes = &["NO_PREFERENCE", "CHALLENGE_REQUESTED"];
    /// In which way operations are made.
    Channels = &["ECOMMERCE", "POS", "BACKOFFICE"];
    /// Who closes a payment.
    Closers = &["SERVER", "FRAME"];
    /// When the money of a reservation is collected.
    CollectionTypes = &CollectionType::CODES;
    /// Who is asked before a card is kept.
    Consents = &Consent::CODES;
    /// Who may use a kept card.
    ContractTypes = &Kind::CODES;
    /// Which time of a reservation is meant.
    DateTypes = &["CREATION", "CHECK_IN", "CHECK_OUT"];
    /// An indicator of 3-D Secure with two values.
    Indicators2 = &["01", "02"];
    /// An indicator of 3-D Secure with four values.
    Indicators4 = &["01", "02", "03", "04"];
    /// An indicator of 3-D Secure with five values.
    Indicators5 = &["01", "02", "03", "04", "05"];
    /// An indicator of 3-D Secure with seven values.
    Indicators7 = &["01", "02", "03", "04", "05", "06", "07"];
    /// Who charges a part.
    InstallmentTypes = &["AUTOMATIC", "MANUAL"];
    /// What becomes of a link.
    LinkStatuses = &Status::CODES;
    /// What buyers can choose among.
    MethodOffers = &["ALL", "CARDS"];
    /// Who chose a network.
    NetworkChoosers = &["BUYER", "DEFAULT"];
    /// What is done with money.
    OperationTypes = &OperationType::CODES;
    /// What can be done with an order's money.
    OrderStates = &["TO_CAPTURE", "CAPTURED"];
    /// Who made a plan.
    PlanTypes = &["ACQUIRER_AGREEMENT"];
    /// What points of time are counted in.
    PointUnits = &PointUnit::CODES;
    /// What becomes of a card.
    RecurrenceActions = &["NO_RECURRING", "CONTRACT_CREATION", "SUBSEQUENT_PAYMENT", "CARD_SUBSTITUTION"];
    /// Who takes the buyer elsewhere.
    RedirectHandlers = &["FRAME", "PAGE"];
    /// What a guest owes.
    ReservationTypes = &ReservationType::CODES;
    /// What a form does with kept cards.
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
    /// A date, or what is not looked at.
    AnyDate = any().examples([json!("2030-01-31")]);
    /// In how many parts a buyer may pay.
    InstallmentCount = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(2))
        .maximum(Some(24));
    /// A number of nights.
    Nights = texts_or_numbers("^[0-9]{1,4}$", 1).examples([json!("3")]);
    /// The one way to pay.
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
    /// Yes or no, also by a letter.
    YesOrNo = either(&[Type::Boolean, Type::String])
        .enum_values(Some([json!(true), json!(false), json!("Y"), json!("N")]));
}

/// What a card is called: `CARD` is its type in answers, and existing clients send either (contract 13, D133).
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
