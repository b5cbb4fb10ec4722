//! Where a code is returned, who caused it, and the remedy. For the reference and the OpenAPI document.

use super::ErrorCode;
use ErrorCode::*;

/// The explanation of a code, beside its meaning.
#[derive(Clone, Copy, Debug)]
pub struct Explanation {
    pub given_in: CodeSource,
    pub fault: ResponsibleParty,
    /// The remedy. `None`: this gateway never returns the code.
    pub remedy: Option<&'static str>,
}

/// Where clients receive a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeSource {
    /// In the response to a refused call, with one of these statuses.
    Refusal(&'static [u16]),
    /// In `warnings` of a response or an operation. The request was carried out.
    Warning,
    /// In `errorCode` of the events of the class `Build`.
    Browser,
}

/// Who caused the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResponsibleParty {
    /// The calling software: a merchant's server, or a page.
    Caller,
    /// The buyer, or the time that the buyer took.
    Buyer,
    /// The issuer, the network or the method.
    Outside,
    /// The operator of the gateway.
    Operator,
    /// The gateway: an internal error.
    Gateway,
    /// No one: the code is informational.
    Nobody,
}

impl ResponsibleParty {
    /// The party, as part of a sentence or of a table.
    pub fn in_words(self) -> &'static str {
        match self {
            ResponsibleParty::Caller => "who calls",
            ResponsibleParty::Buyer => "the buyer",
            ResponsibleParty::Outside => "issuer, network or method",
            ResponsibleParty::Operator => "the gateway's operator",
            ResponsibleParty::Gateway => "the gateway",
            ResponsibleParty::Nobody => "nobody",
        }
    }
}

impl ErrorCode {
    /// The statuses of a refused call. Empty if the code is not a refusal.
    pub fn statuses(self) -> &'static [u16] {
        match self.explanation().given_in {
            CodeSource::Refusal(statuses) => statuses,
            CodeSource::Warning | CodeSource::Browser => &[],
        }
    }

    /// The explanation of the code, beside its meaning.
    pub fn explanation(self) -> Explanation {
        match self {
            GW9020 => refusal(
                &[401],
                ResponsibleParty::Caller,
                "Send a key that is valid, or make a new one with `payframe-gateway keys new`.",
            ),
            GW9002 => refusal(
                &[429],
                ResponsibleParty::Caller,
                "Wait as long as `Retry-After` says, then call again.",
            ),
            GW9005 => refusal(
                &[500],
                ResponsibleParty::Caller,
                "Leave out the header `x-sandbox-fault`.",
            ),
            GW9004 => refusal(
                &[413],
                ResponsibleParty::Caller,
                "Send less: 256 KiB, for legal texts 2 MiB.",
            ),
            PS0035 => refusal(
                &[400, 415],
                ResponsibleParty::Caller,
                "Send JSON in UTF-8, with `Content-Type: application/json`.",
            ),
            PS0025 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Send a key of 1 to 63 printable ASCII characters, a new one for each thing that is to happen.",
            ),
            GW9106 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Leave out the member that the text names, or correct its name.",
            ),
            GW9107 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Send the country as in ISO 3166-1, in three letters or two, or leave out the address.",
            ),
            GW9001 => refusal(
                &[409],
                ResponsibleParty::Caller,
                "Wait a moment and send the same request with the same key.",
            ),
            GW9009 => refusal(
                &[400],
                ResponsibleParty::Operator,
                "Nothing can be paid by this terminal. Test with a gateway whose `PAYFRAME_MODE` is `sandbox`.",
            ),
            GW9010 => refusal(
                &[400],
                ResponsibleParty::Operator,
                "Buyers cannot pay at this terminal. The operator decides with `without_authentication` whether they may pay without 3-D Secure.",
            ),
            PS0061 => refusal(
                &[400],
                ResponsibleParty::Buyer,
                "Open a new session with `POST /orders/build`.",
            ),
            PS0041 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Take markup and script out of the member that the text names.",
            ),
            GW0001 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Send the https origin of the page that shows the form.",
            ),
            PS0026 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Correct the member that the text names.",
            ),
            GW9008 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Load the form anew; it encrypts with the key of its page.",
            ),
            GW9015 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Make the same call again with a solution of the puzzle in the header `Proof-Of-Work`, as the item `PROOF_OF_WORK`. The form does it by itself.",
            ),
            PS0036 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Send 1 to 12 digits in the minor unit of the currency.",
            ),
            PS0008 => refusal(&[400], ResponsibleParty::Caller, "Send `YYYY-MM-DD`."),
            PS0010 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Send an ISO 8601 instant with its zone.",
            ),
            PS0011 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Send `HH:mm`; the end of a link with its zone.",
            ),
            PS0009 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Send the ISO 4217 letters of a currency that the terminal has; for a later operation that of the original.",
            ),
            PS0007 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Ask for at most what the order costs.",
            ),
            PS0005 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Make the parts come to at most the amount.",
            ),
            PS0006 => refusal(&[400], ResponsibleParty::Caller, "Send days from today on."),
            PS0012 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Send `fromTime` before `toTime`.",
            ),
            PS0013 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Send a departure on or after the arrival.",
            ),
            PS0042 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Correct what the text names: a last day from today to 90 days ahead, version 2 for `PREAUTH`.",
            ),
            GW0002 => refusal(
                &[400],
                ResponsibleParty::Operator,
                "Register the origin (`payframe-gateway terminal origin add`), serve its proof, and have it verified.",
            ),
            PS0040 => not_given(ResponsibleParty::Operator),
            PS0051 => not_given(ResponsibleParty::Operator),
            PS0052 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Name a terminal of the merchant.",
            ),
            PS0017 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Name an active contract; to create one, an id that no active contract has.",
            ),
            PS0018 => not_given(ResponsibleParty::Gateway),
            GW9006 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Read the order: it may be paid already. Take another id for another order.",
            ),
            GW9011 => refusal(
                &[410],
                ResponsibleParty::Caller,
                "Events behind the cursor may be gone. Read the feed without `after`, and read the orders that changed before with `GET /orders`.",
            ),
            GW9012 => refusal(
                &[412],
                ResponsibleParty::Caller,
                "Nothing was done. Read the order, decide again, and send the call with the new version. The idempotency key may stay the same.",
            ),
            GW9007 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Take it out of the structures that name it, or leave it.",
            ),
            PS0045 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Read the order: it is paid.",
            ),
            PS0044 => refusal(
                &[400],
                ResponsibleParty::Buyer,
                "Wait until the payment that is under way has ended.",
            ),
            PS0022 => refusal(&[400], ResponsibleParty::Caller, "Make a new payment."),
            PS0023 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Nothing: the money is captured.",
            ),
            PS0024 => refusal(&[400], ResponsibleParty::Caller, "Make a new payment."),
            PS0028 => refusal(&[400], ResponsibleParty::Caller, "Nothing: it is voided."),
            PS0027 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Nothing: the money is back.",
            ),
            PS0001 => not_given(ResponsibleParty::Caller),
            PS0002 => refusal(&[400], ResponsibleParty::Caller, "Refund it."),
            PS0029 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Read `GET /operations/{operationId}/actions` and refund at most what is left.",
            ),
            GW9014 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Read `GET /disputes`: answer the dispute or accept it. What is not disputed can still be refunded.",
            ),
            GW9003 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Read the state, and make a call that it allows.",
            ),
            PS0004 => refusal(
                &[400],
                ResponsibleParty::Outside,
                "Take another card; the network does not verify cards.",
            ),
            PS0043 => refusal(
                &[400],
                ResponsibleParty::Caller,
                "Ask the buyer for a payment; the text says why the contract does not allow this one.",
            ),
            PS0032 => not_given(ResponsibleParty::Outside),
            PS0033 => not_given(ResponsibleParty::Outside),
            PS0034 => not_given(ResponsibleParty::Outside),
            GW9013 => refusal(
                &[503],
                ResponsibleParty::Gateway,
                "Wait as long as `Retry-After` says, then send the same request with the same idempotency key: what was done already is not done again.",
            ),
            PS0000 => refusal(
                &[500],
                ResponsibleParty::Gateway,
                "Send the same request with the same idempotency key: what was done already is not done again. If it fails again, read the order, and tell the operator the `cid`.",
            ),
            GW9101 => warning(
                ResponsibleParty::Caller,
                "Ask for a language that the gateway speaks.",
            ),
            GW9102 => warning(
                ResponsibleParty::Nobody,
                "Nothing: the order's currency is charged.",
            ),
            GW9103 => warning(ResponsibleParty::Nobody, "Nothing; forget the earlier one."),
            GW9104 => warning(
                ResponsibleParty::Caller,
                "Move to the currency that took its place.",
            ),
            GW9105 => warning(
                ResponsibleParty::Caller,
                "Send a key of your own: without one the call cannot be repeated safely.",
            ),
            TRA001 => warning(
                ResponsibleParty::Outside,
                "Weigh the risk: the liability may be the merchant's.",
            ),
            HF0001 => browser(ResponsibleParty::Buyer, "Let the buyer correct it."),
            HF0002 => browser(ResponsibleParty::Gateway, "Let the buyer try again."),
            HF0003 => browser(
                ResponsibleParty::Buyer,
                "Start again from `POST /orders/build`.",
            ),
            HF0004 => browser(ResponsibleParty::Buyer, "Let the buyer correct it."),
            HF0005 => browser(ResponsibleParty::Buyer, "Let the buyer take another card."),
            HF0006 => browser(ResponsibleParty::Buyer, "Let the buyer correct it."),
            HF0007 => browser(ResponsibleParty::Buyer, "Let the buyer correct it."),
            HF0009 => browser(
                ResponsibleParty::Outside,
                "Show the outcome; make a new session for another try.",
            ),
            HF9001 => browser(ResponsibleParty::Buyer, "Let the buyer choose again."),
            HF9002 => browser(
                ResponsibleParty::Caller,
                "Look whether the page's policy or a filter keeps the frame out, and whether the session has the field.",
            ),
            HF9003 => browser(
                ResponsibleParty::Caller,
                "Name the page's origin in `merchantUrl`.",
            ),
            HF9004 => browser(
                ResponsibleParty::Caller,
                "Call it once the state allows it.",
            ),
        }
    }
}

fn refusal(statuses: &'static [u16], fault: ResponsibleParty, remedy: &'static str) -> Explanation {
    Explanation {
        given_in: CodeSource::Refusal(statuses),
        fault,
        remedy: Some(remedy),
    }
}

fn warning(fault: ResponsibleParty, remedy: &'static str) -> Explanation {
    Explanation {
        given_in: CodeSource::Warning,
        fault,
        remedy: Some(remedy),
    }
}

fn browser(fault: ResponsibleParty, remedy: &'static str) -> Explanation {
    Explanation {
        given_in: CodeSource::Browser,
        fault,
        remedy: Some(remedy),
    }
}

/// A code of the contract that this gateway never returns.
fn not_given(fault: ResponsibleParty) -> Explanation {
    Explanation {
        given_in: CodeSource::Refusal(&[400]),
        fault,
        remedy: None,
    }
}
