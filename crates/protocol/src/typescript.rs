//! The TypeScript of the messages: one file of declarations for each place that reads them, with the doc comments of the Rust types.
//!
//! `cargo xtask reference` writes the files, and a test of `xtask` compares them. What is declared comes from the types, by ts-rs; here
//! it is only laid out. ts-rs leaves out the comments of an enum's variants: what a reader of the TypeScript needs to know of them stands
//! at the enum, except in a list of words that is long enough to need a comment for each ([`documented`]).

use crate::{api, boot, build_messages, frame, own_frames};
use strum::{EnumMessage, IntoEnumIterator};
use ts_rs::{Config, TS};

/// A file of declarations.
pub struct Declarations {
    /// Its path in the repository.
    pub path: &'static str,
    /// What is in it.
    pub text: String,
}

/// Writes `export type …` for each of the types.
macro_rules! declare {
    ($($type:ty),+ $(,)?) => {
        [$(declaration::<$type>()),+].join("\n")
    };
}

/// All files.
pub fn files() -> [Declarations; 4] {
    let messages = declare!(
        frame::WindowMessage,
        frame::Greet,
        frame::Hello,
        frame::Init,
        frame::FrameMessage,
        frame::ChangeDetail,
        frame::FieldReport,
        frame::FieldDetail,
        frame::FieldId,
        frame::StateChangeDetail,
        frame::FlowState,
        frame::ResultDetail,
        frame::Outcome,
        frame::ChallengeProblem,
        frame::Ask,
        frame::ExpiringDetail,
        frame::FieldError,
        frame::CommandError,
        frame::ShimCommand,
        frame::FrameOptions,
        frame::Theme,
        frame::PayButton,
        frame::Cancellation,
        frame::Advance,
    );
    let messages = format!("{messages}\n{}", documented::<frame::PayframeErrorCode>());
    let build = declare!(
        build_messages::BuildCommand,
        build_messages::FieldFrameMessage,
        build_messages::BuildEvent,
        build_messages::BuildErrorCode,
        build_messages::InputValidity,
        build_messages::BuildOperation,
        build_messages::DeviceCheckEnd,
        api::BuildState,
        api::FieldSet,
        api::Field,
    );
    let widget = declare!(
        boot::Boot,
        boot::FormBoot,
        boot::FieldBoot,
        boot::UnavailableFieldBoot,
        boot::BootField,
        boot::Driver,
        boot::ErrorsPlace,
        boot::BootMethod,
        boot::BootSaved,
        boot::BootAddress,
        boot::BootBilling,
        boot::BootConsent,
        boot::ConsentKind,
        boot::BootOffer,
        api::SavedCard,
        api::StateObject,
        api::SessionSum,
        api::BuildState,
        api::FieldSet,
        api::Field,
        api::OperationSummary,
        api::FrameAdditionalData,
    );
    let frames = declare!(own_frames::NestedPageMessage, own_frames::SiblingFrame);
    [
        Declarations {
            path: "www/sdk/messages.d.ts",
            text: format!(
                "{MADE}// The messages between the page's script and the frame. Merchants need `payframe.d.ts`, which names some of these types.\n\n{messages}"
            ),
        },
        Declarations {
            path: "www/sdk/build-messages.d.ts",
            text: format!(
                "{MADE}// The messages between the class `Build` and the frames of its fields. Merchants need `build.d.ts`, which names these types.\n\n{build}"
            ),
        },
        Declarations {
            path: "www/frame/port.d.ts",
            text: format!("{MADE}// What the gateway writes into the pages of frames.\n\n{widget}"),
        },
        Declarations {
            path: "www/frame/own-frames.d.ts",
            text: format!(
                "{MADE}// What frames of the gateway's origin tell each other.\n\n{frames}"
            ),
        },
    ]
}

const MADE: &str = "// Made by `cargo xtask reference` from the types of `crates/protocol`; changes by hand are lost.\n";

fn declaration<T: TS>() -> String {
    let docs = T::docs().unwrap_or_default();
    let declared = T::decl(&Config::new());
    // `type NAME = BODY;`
    let (name, body) = declared.split_once(" = ").unwrap_or((&declared, ""));
    let body = formatted(body.trim_end_matches(';'));
    format!("{}export {name} ={body};\n", compact(&docs))
}

/// A list of words, each with the comment of its variant.
fn documented<T: TS + IntoEnumIterator + EnumMessage + Into<&'static str>>() -> String {
    let docs = compact(&T::docs().unwrap_or_default());
    let words = T::iter().map(|word| {
        let meaning = word.get_documentation().unwrap_or_default();
        format!("\n  /** {meaning} */\n  | '{}'", word.into())
    });
    format!(
        "{docs}export type {} ={};\n",
        T::name(&Config::new()),
        words.collect::<String>()
    )
}

/// A type with each member and each variant on a line of its own. A short union stays on one line.
fn formatted(body: &str) -> String {
    let body = compact(body);
    let variants = variants(&body);
    let line = format!(" {}", variants.join(" | "));
    match variants.as_slice() {
        [only] => format!(" {}", members(only, "")),
        _ if !line.contains('\n') && line.len() <= 100 => line,
        several => several
            .iter()
            .map(|variant| format!("\n  | {}", members(variant, "    ")))
            .collect(),
    }
}

/// An object with comments on several lines, anything else as it is. `indent`: that of its end.
fn members(object: &str, indent: &str) -> String {
    let inner = object
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'));
    match inner {
        Some(inner) if inner.contains('\n') => {
            let lines = inner.lines().map(str::trim).filter(|line| !line.is_empty());
            let lines = lines.map(|line| {
                // The further lines of a comment stand below its first star.
                let star = if line.starts_with('*') { " " } else { "" };
                format!("{indent}  {star}{line}\n")
            });
            format!("{{\n{}{indent}}}", lines.collect::<String>())
        }
        _ => object.replace(", }", " }"),
    }
}

/// The members of a union: split where no brace is open, and not within comments.
fn variants(body: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut depth, mut comment) = (0, 0, false);
    for (at, letter) in body.char_indices() {
        let rest = &body[at..];
        comment = rest.starts_with("/*") || (comment && !body[..at].ends_with("*/"));
        match letter {
            _ if comment => {}
            '{' | '(' => depth += 1,
            '}' | ')' => depth -= 1,
            '|' if depth == 0 => {
                found.push(body[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(body[start..].trim());
    found
}

/// Comments of one line on one line, and quotes as the other scripts have them.
fn compact(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        match lines.as_mut_slice() {
            [.., first, only] if line == " */" && first == "/**" => {
                let comment = format!("/** {} */", only.trim_start_matches(" *").trim());
                lines.truncate(lines.len() - 2);
                lines.push(comment);
            }
            _ if line.starts_with("/**") || line.starts_with(" *") => lines.push(line.to_owned()),
            _ => lines.push(
                line.replace("\"type\":", "type:")
                    .replace("\"what\":", "what:")
                    .replace("\"event\":", "event:")
                    .replace('"', "'"),
            ),
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_and_variants_have_lines_of_their_own() {
        #[derive(TS)]
        #[ts(tag = "type", rename_all = "lowercase")]
        #[allow(dead_code, reason = "only its declaration is looked at")]
        /// One | of { two.
        enum Message {
            Plain,
            Full {
                /// Holds | or }.
                text: String,
                /// First line.
                /// Second line.
                list: Vec<Message>,
            },
        }
        let wanted = "/** One | of { two. */
export type Message =
  | { type: 'plain' }
  | {
      type: 'full',
      /** Holds | or }. */
      text: string,
      /**
       * First line.
       * Second line.
       */
      list: Array<Message>,
    };
";
        assert_eq!(declaration::<Message>(), wanted);
    }

    #[test]
    fn a_list_of_words_has_the_comment_of_each() {
        /// Why.
        #[derive(TS, strum::EnumIter, strum::EnumMessage, strum::IntoStaticStr)]
        #[strum(serialize_all = "snake_case")]
        enum Cause {
            /// Too late.
            TimeIsOver,
            /// Too soon.
            NotYet,
        }
        assert_eq!(
            documented::<Cause>(),
            "/** Why. */\nexport type Cause =\n  /** Too late. */\n  | 'time_is_over'\n  /** Too soon. */\n  | 'not_yet';\n"
        );
    }

    #[test]
    fn a_short_union_is_one_line() {
        assert_eq!(formatted("\"auto\" | \"off\""), " 'auto' | 'off'");
    }
}
