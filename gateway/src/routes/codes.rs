//! What the codes of refusals mean (contract 10.7), and in which order checks are made (10.8). For the documents; the
//! refusals themselves are in [`super::error`].

/// A code that a refused call is answered with.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) code: &'static str,
    pub(crate) status: u16,
    pub(crate) meaning: &'static str,
}

/// The meaning of a code.
pub(crate) fn find(code: &str) -> Option<&'static Code> {
    CODES.iter().find(|known| known.code == code)
}

const fn code(code: &'static str, status: u16, meaning: &'static str) -> Code {
    Code {
        code,
        status,
        meaning,
    }
}

/// In the order in which a call's checks are made: of two codes that fit, the earlier group's is given.
pub(crate) const CODES: &[Code] = &[
    code(
        "GW9020",
        401,
        "the API key, or the session of a frame, is missing or not valid",
    ),
    code("GW9002", 429, "too many requests"),
    code("GW9005", 500, "a fault that the sandbox was asked for"),
    code("GW9004", 413, "request too large"),
    code(
        "PS0035",
        400,
        "the body is not JSON (415 where it does not say that it is)",
    ),
    code(
        "PS0025",
        400,
        "the idempotency key is malformed, was left out by a frame, or was used for another request",
    ),
    code(
        "GW9106",
        400,
        "a member is not read, and the caller wants to be refused for that (`Prefer: handling=strict`)",
    ),
    code(
        "GW9001",
        409,
        "a request with this idempotency key is still running",
    ),
    code(
        "PS0061",
        400,
        "the build session has expired, or is not yours",
    ),
    code("PS0041", 400, "script in the data"),
    code("GW0001", 400, "the merchant's URL is not valid"),
    code(
        "PS0026",
        400,
        "a parameter is missing or not valid; the text names it",
    ),
    code(
        "GW9008",
        400,
        "the card was not encrypted with a key that is valid now, for this session; or it was not encrypted where it has to be",
    ),
    code("PS0036", 400, "an amount is not a number"),
    code("PS0008", 400, "a date in the body is not a date"),
    code("PS0010", 400, "a time in the query is not a time"),
    code("PS0011", 400, "a time of day is not HH:mm"),
    code("PS0009", 400, "the currency is not accepted"),
    code("PS0007", 400, "the session's amount is above the order's"),
    code("PS0005", 400, "the installments exceed the order's amount"),
    code(
        "PS0006",
        400,
        "an installment's date is not a date, or past",
    ),
    code("PS0012", 400, "the window begins after its end"),
    code("PS0013", 400, "the stay begins after its end"),
    code("PS0042", 400, "the link's data does not fit together"),
    code("PS0040", 400, "tenant, merchant or terminal not found"),
    code(
        "PS0051",
        400,
        "the terminal of the payment methods was not found",
    ),
    code("PS0052", 400, "the terminal was not found"),
    code("PS0017", 400, "the contract's id is not valid"),
    code("PS0018", 400, "no contract was found"),
    code(
        "GW9006",
        400,
        "the id is used by an approved payment, or with another amount or currency",
    ),
    code(
        "GW9007",
        400,
        "the object is in use and cannot be cancelled",
    ),
    code("PS0045", 400, "the link is used already"),
    code("PS0044", 400, "the link could not be cancelled"),
    code("PS0022", 400, "voided, cannot be captured"),
    code("PS0023", 400, "executed, cannot be captured"),
    code("PS0024", 400, "refunded, cannot be captured"),
    code("PS0028", 400, "voided already"),
    code("PS0027", 400, "refunded already"),
    code("PS0001", 400, "the method does not allow a cancel"),
    code("PS0002", 400, "a cancel is possible on the same day only"),
    code("PS0029", 400, "the refund exceeds what was captured"),
    code(
        "GW9003",
        400,
        "the state does not allow this call; the text names the state and what it allows",
    ),
    code("PS0004", 400, "the card could not be verified"),
    code("PS0043", 400, "the charge without the buyer failed"),
    code("PS0032", 400, "the method could not void"),
    code("PS0033", 400, "the method could not refund"),
    code("PS0034", 400, "the method could not capture"),
    code("PS0000", 500, "a failure of ours"),
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
        "members that nobody reads, with the header `Prefer: handling=strict`",
        "`GW9106`",
    ),
    (
        "the idempotency key's stored answer",
        "that answer; `PS0025` for another request; 409 `GW9001`",
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
        "`PS0040`, `PS0051`, `PS0052`, `PS0017`, `PS0018`",
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
