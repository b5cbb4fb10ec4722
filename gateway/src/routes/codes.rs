//! What the codes of refusals mean (contract 10.7), and in which order checks are made (10.8). For the documents; the
//! refusals themselves are in [`super::error`].

/// A code that a refused call is answered with.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) code: &'static str,
    pub(crate) status: u16,
    pub(crate) meaning: &'static str,
    pub(super) fault: Fault,
    /// What to do about it.
    pub(super) remedy: &'static str,
}

/// Whose fault it is that a code is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Of the software that calls: a merchant's server, or a page.
    Caller,
    /// Of the buyer, or of the time that the buyer took.
    Buyer,
    /// Of the issuer, the network or the method.
    Outside,
    /// Of who runs the gateway.
    Operator,
    Gateway,
    /// Of nobody: it is a remark.
    Nobody,
}

/// The meaning of a code.
pub(crate) fn find(code: &str) -> Option<&'static Code> {
    CODES.iter().find(|known| known.code == code)
}

const fn code(
    code: &'static str,
    status: u16,
    meaning: &'static str,
    fault: Fault,
    remedy: &'static str,
) -> Code {
    Code {
        code,
        status,
        meaning,
        fault,
        remedy,
    }
}

/// In the order in which a call's checks are made: of two codes that fit, the earlier group's is given.
pub(crate) const CODES: &[Code] = &[
    code(
        "GW9020",
        401,
        "the API key, or the session of a frame, is missing or not valid",
        Fault::Caller,
        "Send a key that is valid, or make a new one with `payframe-gateway keys new`.",
    ),
    code(
        "GW9002",
        429,
        "too many requests",
        Fault::Caller,
        "Wait as long as `Retry-After` says, then call again.",
    ),
    code(
        "GW9005",
        500,
        "a fault that the sandbox was asked for",
        Fault::Caller,
        "Leave out the header `x-sandbox-fault`.",
    ),
    code(
        "GW9004",
        413,
        "request too large",
        Fault::Caller,
        "Send less: 256 KiB, for legal texts 2 MiB.",
    ),
    code(
        "PS0035",
        400,
        "the body is not JSON (415 where it does not say that it is)",
        Fault::Caller,
        "Send JSON in UTF-8, with `Content-Type: application/json`.",
    ),
    code(
        "PS0025",
        400,
        "the idempotency key is malformed, was left out by a frame, or was used for another request",
        Fault::Caller,
        "Send a key of 1 to 63 printable ASCII characters, a new one for each thing that is to happen.",
    ),
    code(
        "GW9106",
        400,
        "a member is not read, and the caller wants to be refused for that (`Prefer: handling=strict`)",
        Fault::Caller,
        "Leave out the member that the text names, or correct its name.",
    ),
    code(
        "GW9107",
        400,
        "an address has an unknown country, and the caller wants to be refused for that (`Prefer: handling=strict`), where it is left out otherwise",
        Fault::Caller,
        "Send the country as in ISO 3166-1, in three letters or two, or leave out the address.",
    ),
    code(
        "GW9001",
        409,
        "a request with this idempotency key is still running",
        Fault::Caller,
        "Wait a moment and send the same request with the same key.",
    ),
    code(
        "GW9009",
        400,
        "the terminal has no acquirer: nothing can be charged, authorized, captured or refunded",
        Fault::Operator,
        "Nothing can be paid by this terminal. Test with a gateway whose `PAYFRAME_MODE` is `sandbox`.",
    ),
    code(
        "PS0061",
        400,
        "the build session has expired, or is not yours",
        Fault::Buyer,
        "Open a new session with `POST /orders/build`.",
    ),
    code(
        "PS0041",
        400,
        "script in the data",
        Fault::Caller,
        "Take markup and script out of the member that the text names.",
    ),
    code(
        "GW0001",
        400,
        "the merchant's URL is not valid",
        Fault::Caller,
        "Send the https origin of the page that shows the form.",
    ),
    code(
        "PS0026",
        400,
        "a parameter is missing or not valid; the text names it",
        Fault::Caller,
        "Correct the member that the text names.",
    ),
    code(
        "GW9008",
        400,
        "the card was not encrypted with a key that is valid now, for this session; or it was not encrypted where it has to be",
        Fault::Caller,
        "Load the form anew; it encrypts with the key of its page.",
    ),
    code(
        "PS0036",
        400,
        "an amount is not a number",
        Fault::Caller,
        "Send 1 to 12 digits in the minor unit of the currency.",
    ),
    code(
        "PS0008",
        400,
        "a date in the body is not a date",
        Fault::Caller,
        "Send `YYYY-MM-DD`.",
    ),
    code(
        "PS0010",
        400,
        "a time in the query is not a time",
        Fault::Caller,
        "Send an ISO 8601 instant with its zone.",
    ),
    code(
        "PS0011",
        400,
        "a time of day is not HH:mm",
        Fault::Caller,
        "Send `HH:mm`; the end of a link with its zone.",
    ),
    code(
        "PS0009",
        400,
        "the currency is not accepted",
        Fault::Caller,
        "Send the ISO 4217 letters of a currency that the terminal has; for a later operation that of the original.",
    ),
    code(
        "PS0007",
        400,
        "the session's amount is above the order's",
        Fault::Caller,
        "Ask for at most what the order costs.",
    ),
    code(
        "PS0005",
        400,
        "the installments exceed the order's amount",
        Fault::Caller,
        "Make the parts come to at most the amount.",
    ),
    code(
        "PS0006",
        400,
        "an installment's date is not a date, or past",
        Fault::Caller,
        "Send days from today on.",
    ),
    code(
        "PS0012",
        400,
        "the window begins after its end",
        Fault::Caller,
        "Send `fromTime` before `toTime`.",
    ),
    code(
        "PS0013",
        400,
        "the stay begins after its end",
        Fault::Caller,
        "Send a departure on or after the arrival.",
    ),
    code(
        "PS0042",
        400,
        "the link's data does not fit together",
        Fault::Caller,
        "Correct what the text names: a last day from today to 90 days ahead, version 2 for `PREAUTH`.",
    ),
    code(
        "GW0002",
        400,
        "the origin of the page that is to hold the form is not proven for the terminal",
        Fault::Operator,
        "Register the origin (`payframe-gateway terminal origin add`), serve its proof, and have it verified.",
    ),
    code(
        "PS0040",
        400,
        "tenant, merchant or terminal not found",
        Fault::Operator,
        "Nothing.",
    ),
    code(
        "PS0051",
        400,
        "the terminal of the payment methods was not found",
        Fault::Operator,
        "Nothing.",
    ),
    code(
        "PS0052",
        400,
        "the terminal was not found",
        Fault::Caller,
        "Name a terminal of the merchant.",
    ),
    code(
        "PS0017",
        400,
        "the contract's id is not valid",
        Fault::Caller,
        "Name an active contract; to create one, an id that no active contract has.",
    ),
    code(
        "PS0018",
        400,
        "no contract was found",
        Fault::Gateway,
        "Nothing.",
    ),
    code(
        "GW9006",
        400,
        "the id is used by an approved payment, or with another amount or currency",
        Fault::Caller,
        "Read the order: it may be paid already. Take another id for another order.",
    ),
    code(
        "GW9007",
        400,
        "the object is in use and cannot be cancelled",
        Fault::Caller,
        "Take it out of the structures that name it, or leave it.",
    ),
    code(
        "PS0045",
        400,
        "the link is used already",
        Fault::Caller,
        "Read the order: it is paid.",
    ),
    code(
        "PS0044",
        400,
        "the link could not be cancelled",
        Fault::Buyer,
        "Wait until the payment that is under way has ended.",
    ),
    code(
        "PS0022",
        400,
        "voided, cannot be captured",
        Fault::Caller,
        "Make a new payment.",
    ),
    code(
        "PS0023",
        400,
        "executed, cannot be captured",
        Fault::Caller,
        "Nothing: the money is captured.",
    ),
    code(
        "PS0024",
        400,
        "refunded, cannot be captured",
        Fault::Caller,
        "Make a new payment.",
    ),
    code(
        "PS0028",
        400,
        "voided already",
        Fault::Caller,
        "Nothing: it is voided.",
    ),
    code(
        "PS0027",
        400,
        "refunded already",
        Fault::Caller,
        "Nothing: the money is back.",
    ),
    code(
        "PS0001",
        400,
        "the method does not allow a cancel",
        Fault::Caller,
        "Nothing.",
    ),
    code(
        "PS0002",
        400,
        "a cancel is possible on the same day only",
        Fault::Caller,
        "Refund it.",
    ),
    code(
        "PS0029",
        400,
        "the refund exceeds what was captured",
        Fault::Caller,
        "Read `GET /operations/{operationId}/actions` and refund at most what is left.",
    ),
    code(
        "GW9003",
        400,
        "the state does not allow this call; the text names the state and what it allows",
        Fault::Caller,
        "Read the state, and make a call that it allows.",
    ),
    code(
        "PS0004",
        400,
        "the card could not be verified",
        Fault::Outside,
        "Take another card; the network does not verify cards.",
    ),
    code(
        "PS0043",
        400,
        "the charge without the buyer failed",
        Fault::Caller,
        "Ask the buyer for a payment; the text says why the contract does not allow this one.",
    ),
    code(
        "PS0032",
        400,
        "the method could not void",
        Fault::Outside,
        "Nothing.",
    ),
    code(
        "PS0033",
        400,
        "the method could not refund",
        Fault::Outside,
        "Nothing.",
    ),
    code(
        "PS0034",
        400,
        "the method could not capture",
        Fault::Outside,
        "Nothing.",
    ),
    code(
        "PS0000",
        500,
        "a failure of ours",
        Fault::Gateway,
        "Ask how the order stands, then send the same request with the same idempotency key. Tell the operator the `cid`.",
    ),
];

/// The checks of a call in their order, and what each is answered with: the first that fails answers.
pub(crate) const PRECEDENCE: &[(&str, &str)] = &[
    ("path and verb", "404; 405 with `Allow`"),
    ("credential", "401 `GW9020`"),
    ("rate", "429 `GW9002` with `Retry-After`"),
    (
        "`x-sandbox-fault`",
        "`PS0026` where it is not allowed or malformed; else what it asks for",
    ),
    (
        "size, media type, JSON",
        "413 `GW9004`, 415 `PS0035`, 400 `PS0035`",
    ),
    ("header `Idempotency-Key`", "`PS0025`"),
    (
        "members that nobody reads and addresses that are left out, with the header `Prefer: handling=strict`",
        "`GW9106`, `GW9107`",
    ),
    (
        "the idempotency key's stored answer",
        "that answer; `PS0025` for another request; 409 `GW9001`",
    ),
    (
        "the terminal's acquirer, where the call would have money asked for",
        "`GW9009`",
    ),
    (
        "the object in the path; the session",
        "404; `PS0061`. What belongs to another merchant is not there",
    ),
    ("script in the data", "`PS0041`"),
    (
        "fields: presence, type, accepted values, length",
        "`GW0001`, `PS0026`, `GW9008`, `PS0036`, `PS0008`, `PS0010`, `PS0011`",
    ),
    (
        "fields against each other",
        "`PS0009`, `PS0007`, `PS0005`, `PS0006`, `PS0012`, `PS0013`, `PS0042`",
    ),
    (
        "things referred to",
        "`GW0002`, `PS0040`, `PS0051`, `PS0052`, `PS0017`, `PS0018`",
    ),
    (
        "state",
        "`GW9006`, `GW9007`, `PS0045`, `PS0044`, `PS0022`, `PS0023`, `PS0024`, `PS0028`, `PS0027`, `PS0001`, `PS0002`, `PS0029`, `GW9003`",
    ),
    (
        "the outer world",
        "`PS0004`, `PS0043`, `PS0032`, `PS0033`, `PS0034`",
    ),
    ("a failure of ours", "500 `PS0000`"),
];
