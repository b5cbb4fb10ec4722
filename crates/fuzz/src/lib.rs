//! What strange bytes must not do to the parsers that take them from outside: panic, run without end, or read back something else than was
//! written.
//!
//! Each [`Target`] is a function of bytes. The tests of this crate run all of them over samples and over mutations of these, in seconds.
//! `cargo xtask fuzz` lets libFuzzer search for inputs that reach new code, as long as it is told to.

mod adapter_answer;
mod browser;
mod clearing;
mod encrypted_card;
mod iso8583;
mod login_token;
mod page_report;
mod samples;
mod signed_release;
mod texts;
mod wallet_token;

use payframe_back_office::checks::{assert_discovery, assert_passkeys, passkeys};
use payframe_card_rules::entry::{Entry, type_card_number, type_expiry};
use payframe_css_sanitizer::checks::{assert_harmless, assert_passes_again};
use payframe_css_sanitizer::filter;
use payframe_emv_3ds::message::{
    AuthenticationAnswer, AuthenticationCall, ChallengeAnswer, Fields, Message, RangesAnswer,
    ResultsAnswer, ResultsCall,
};
use payframe_merchant_font::{Outlines, rebuild};

/// A parser, with what has to hold for every input.
pub struct Target {
    /// Its name on the command line.
    pub name: &'static str,
    /// Panics if something does not hold.
    pub run: fn(&[u8]),
    /// Inputs that the parser takes, to begin with.
    pub samples: fn() -> Vec<Vec<u8>>,
}

/// Every target.
pub const TARGETS: [Target; 28] = [
    Target {
        name: "adapter-answer",
        run: adapter_answer::check,
        samples: adapter_answer::samples,
    },
    Target {
        name: "amount-or-instant",
        run: texts::amount_or_instant,
        samples: texts::amounts_and_instants,
    },
    Target {
        name: "browser-report",
        run: browser::report,
        samples: browser::report_samples,
    },
    Target {
        name: "card-entry",
        run: card_entry,
        samples: samples::typed,
    },
    Target {
        name: "clearing-file",
        run: clearing::check,
        samples: clearing::samples,
    },
    Target {
        name: "cookie",
        run: browser::cookies,
        samples: browser::cookie_samples,
    },
    Target {
        name: "cryptogram",
        run: texts::cryptogram,
        samples: texts::cryptograms,
    },
    Target {
        name: "encrypted-card",
        run: encrypted_card::check,
        samples: encrypted_card::samples,
    },
    Target {
        name: "evidence-file",
        run: texts::evidence_file,
        samples: texts::evidence_files,
    },
    Target {
        name: "font",
        run: font,
        samples: samples::fonts,
    },
    Target {
        name: "forwarded-address",
        run: browser::forwarded,
        samples: browser::forwarded_samples,
    },
    Target {
        name: "iso8583-1987-ascii",
        run: iso8583::ascii,
        samples: iso8583::ascii_samples,
    },
    Target {
        name: "iso8583-1993-binary",
        run: iso8583::binary,
        samples: iso8583::binary_samples,
    },
    Target {
        name: "login-discovery",
        run: assert_discovery,
        samples: samples::discovery_documents,
    },
    Target {
        name: "login-keys",
        run: login_token::check_keys,
        samples: login_token::keys,
    },
    Target {
        name: "login-token",
        run: login_token::check_token,
        samples: login_token::tokens,
    },
    Target {
        name: "merchant-text",
        run: texts::merchant_text,
        samples: texts::merchant_texts,
    },
    Target {
        name: "page-report",
        run: page_report::texts,
        samples: page_report::text_samples,
    },
    Target {
        name: "page-report-body",
        run: page_report::body,
        samples: page_report::body_samples,
    },
    Target {
        name: "passkey",
        run: assert_passkeys,
        samples: passkeys,
    },
    Target {
        name: "payment-confirmation",
        run: browser::confirmation,
        samples: browser::confirmations,
    },
    Target {
        name: "proof-of-work",
        run: texts::proof_of_work,
        samples: texts::proofs_of_work,
    },
    Target {
        name: "signed-release",
        run: signed_release::check,
        samples: signed_release::samples,
    },
    Target {
        name: "style-sheet",
        run: style_sheet,
        samples: samples::style_sheets,
    },
    Target {
        name: "three-ds-challenge-answer",
        run: challenge_answer,
        samples: samples::challenge_answers,
    },
    Target {
        name: "three-ds-message",
        run: three_ds_message,
        samples: samples::three_ds_messages,
    },
    Target {
        name: "upload",
        run: browser::uploaded,
        samples: browser::uploads,
    },
    Target {
        name: "wallet-token",
        run: wallet_token::check,
        samples: wallet_token::samples,
    },
];

/// The target with this name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// A font of a merchant's page. What comes out is a font that is taken again.
fn font(bytes: &[u8]) {
    if let Ok(rebuilt) = rebuild(bytes, Outlines::TrueType)
        && let Err(problem) = rebuild(&rebuilt, Outlines::TrueType)
    {
        panic!("the rebuilt font is refused: {problem}");
    }
}

/// A style sheet of a merchant's page. What comes out is harmless, and is taken again as it is.
fn style_sheet(bytes: &[u8]) {
    let Ok(sheet) = std::str::from_utf8(bytes) else {
        return;
    };
    let filtered = filter(sheet);
    assert_harmless(&filtered.css);
    assert_passes_again(&filtered);
}

/// A message of a directory server or an access control server. What is read is written so that it is read again.
fn three_ds_message(bytes: &[u8]) {
    let Ok(fields) = Fields::parse(bytes) else {
        return;
    };
    let again = Fields::parse(&fields.to_body());
    assert!(
        again.is_ok_and(|again| again == fields),
        "written otherwise"
    );
    read_again::<AuthenticationCall>(&fields);
    read_again::<AuthenticationAnswer>(&fields);
    read_again::<RangesAnswer>(&fields);
    read_again::<ResultsCall>(&fields);
    read_again::<ResultsAnswer>(&fields);
}

fn read_again<M: Message>(fields: &Fields) {
    if let Ok(message) = M::read(fields) {
        let again = M::read(&message.write());
        assert!(again.is_ok(), "{} is not read again", M::TYPE);
    }
}

/// What a browser brings back from a challenge.
fn challenge_answer(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        // Every text has an answer; that there is one is all that is asked.
        drop(ChallengeAnswer::of_form_value(text));
    }
}

/// An edit of a field, by a keyboard, a paste or a page. The caret stands in the text, and a number keeps its digits.
fn card_entry(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let (before, raw) = text.split_once('\n').unwrap_or(("", text));
    let number = type_card_number(&Entry::default(), before, before.encode_utf16().count());
    let entry = Entry {
        start: number.caret,
        end: number.caret,
        text: number.text,
    };
    for caret in [0, raw.len() / 2, raw.len()] {
        let typed = type_card_number(&entry, raw, caret);
        assert!(typed.caret <= typed.text.len(), "the caret is outside");
        assert!(typed.text.is_ascii(), "not what a card has");
        let expiry = type_expiry(&Entry::default(), raw, caret);
        assert!(expiry.caret <= expiry.text.len(), "the caret is outside");
    }
}
