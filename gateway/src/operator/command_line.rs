//! The command line of `payframe-gateway`: its commands and their help texts.
//!
//! It only reads the command line. The module with the name of a command carries it out, and declares its subcommands.

use super::audit_log::AuditCommand;
use super::card_keys::CardKeysCommand;
use super::credentials::{KeysCommand, SecretsCommand};
use super::disputes::DisputeCommand;
use super::events::EventsCommand;
use super::members::MembersCommand;
use super::privacy::PrivacyCommand;
use super::reconcile::Reconciliation;
use super::settlement::SettlementCommand;
use super::terminals::{MerchantCommand, TerminalCommand};
use super::vault_keys::VaultCommand;
use crate::developer::{AssistantAccess, Listening, Trigger, Verification};
use crate::examination::Examination;
use crate::modes::SandboxCommand;
use clap::{Args, Parser, Subcommand, value_parser};
use std::path::PathBuf;

/// A gateway for card payments. Without a command it starts the server.
#[derive(Debug, Parser)]
#[command(name = NAME, version, after_help = SETTINGS)]
pub struct CommandLine {
    /// The command; without one the server starts.
    #[command(subcommand)]
    pub command: Option<GatewayCommand>,
}

const NAME: &str = "payframe-gateway";

const SETTINGS: &str = "\
PAYFRAME_MODE has to be set, to sandbox or production, for serving and for commands; demo, sandbox, settings, reference, examine, listen, trigger, mcp and help need no setting.
All other settings are in docs/operations.md; `payframe-gateway settings` prints them.
`payframe-gateway help COMMAND` describes a command.";

/// What the program can do besides serving.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum GatewayCommand {
    /// Starts a sandbox gateway and the demo shop on this machine, and prints cards to pay with.
    Demo(DemoOptions),
    /// Runs a server of the sandbox: a card network's directory server, or an issuer's access control server.
    #[command(subcommand)]
    Sandbox(SandboxCommand),
    /// Prints all settings, with their defaults.
    Settings,
    /// Writes the reference of the API as Markdown: api.md and the pages below api/.
    Reference {
        /// Where to write it.
        folder: PathBuf,
    },
    /// Drives adapters of acquirers through what they have to get right, and prints what was tried.
    ///
    /// It makes payments with the test cards of the file, so the endpoints must be for tests. The exit status is 1 if a check fails.
    Examine(Examination),
    /// Asks the gateway that runs on this machine with these settings whether it is well.
    ///
    /// For health checks of service managers and container runtimes. The exit status is 1 if nobody answers, or the answer is bad.
    Health(HealthQuestion),
    /// Passes the events of a running gateway on to a program on this machine, and prints a line for each.
    ///
    /// It only reads: it works with a sandbox and in production. An event is posted once, with the headers of a notification.
    Listen(Listening),
    /// Makes a sandbox tell of an event, by a payment with a test card.
    Trigger(Trigger),
    /// Serves a coding assistant at standard input and output, by the Model Context Protocol: documents, codes, test cards, orders, events.
    ///
    /// It only reads, unless --allow-writes is given and the gateway is a sandbox. Assistants start this command by themselves.
    Mcp(AssistantAccess),
    /// Compares what a running gateway serves with a signed release, and prints each file that differs.
    ///
    /// For merchants and operators. It only reads what everybody may read, and needs no key. The exit status is 1 if a byte differs.
    Verify(Verification),
    /// A command over the gateway's tables.
    #[command(flatten)]
    Operator(OperatorCommand),
}

/// Where the demo is.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct DemoOptions {
    /// Port of the gateway on this machine.
    #[arg(long, value_name = "PORT", default_value_t = 8787, value_parser = value_parser!(u16).range(1..))]
    pub gateway_port: u16,
    /// Port of the shop on this machine.
    #[arg(long, value_name = "PORT", default_value_t = 8788, value_parser = value_parser!(u16).range(1..))]
    pub shop_port: u16,
    /// Folder of the databases and the log; it is made if it is not there.
    #[arg(long, value_name = "FOLDER", default_value = "payframe-demo")]
    pub data: PathBuf,
}

/// What is asked about a running gateway.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct HealthQuestion {
    /// Whether its database can be reached, too.
    #[arg(long)]
    pub ready: bool,
}

/// The operator's commands, which work whether a gateway runs or not. Each reads the gateway's settings.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum OperatorCommand {
    /// Updates the database schema, and prints what was done.
    Migrate {
        /// Changes nothing: prints what would be done, and fails if there is something to do.
        #[arg(long)]
        check: bool,
    },
    /// Copies the database into a new folder while the gateway runs.
    ///
    /// The folder is complete or does not exist. It does not contain the vault's keys.
    #[command(verbatim_doc_comment)]
    Backup {
        /// The folder to create.
        folder: PathBuf,
    },
    /// Merchants and their names.
    #[command(subcommand)]
    Merchant(MerchantCommand),
    /// Terminals of merchants: their settings, origins of pages, and fonts.
    #[command(subcommand)]
    Terminal(TerminalCommand),
    /// API keys of terminals.
    #[command(subcommand)]
    Keys(KeysCommand),
    /// Secrets that sign notifications.
    #[command(subcommand)]
    Secrets(SecretsCommand),
    /// Sets where those notifications of a terminal are sent for which no payment names an address: about reservations, attacks, disputes
    /// and refunds that wait for a second member.
    Notify {
        /// The terminal's id.
        terminal: String,
        /// An http or https address; `none` to send none.
        url: String,
    },
    /// Keys that frames encrypt card data with.
    #[command(subcommand)]
    CardKeys(CardKeysCommand),
    /// Keys that the vault encrypts with.
    #[command(subcommand)]
    Vault(VaultCommand),
    /// Events that merchants are told about.
    #[command(subcommand)]
    Events(EventsCommand),
    /// Disputes: what buyers' banks dispute, what they decide, and the merchants' evidence for them.
    #[command(subcommand)]
    Dispute(DisputeCommand),
    /// Compares the money that is held with what shops told of their goods, and prints each difference with its cause and what ends it.
    ///
    /// Zero differences is normal. The exit status is 1 if there is one.
    #[command(verbatim_doc_comment)]
    Reconcile(Reconciliation),
    /// Clearing files of acquirers.
    #[command(subcommand)]
    Settlement(SettlementCommand),
    /// A buyer's data: what is stored of it, and its erasure.
    #[command(subcommand)]
    Privacy(PrivacyCommand),
    /// Members of the back office.
    #[command(subcommand)]
    Members(MembersCommand),
    /// The audit log: whether it is as it was written, and its entries for another machine.
    #[command(subcommand)]
    Audit(AuditCommand),
}

#[derive(Parser)]
#[command(name = NAME)]
struct OperatorLine {
    #[command(subcommand)]
    command: OperatorCommand,
}

impl OperatorCommand {
    /// Reads the command from the words after the program's name.
    pub(super) fn read(words: &[&str]) -> Result<OperatorCommand, clap::Error> {
        let line = [NAME].into_iter().chain(words.iter().copied());
        Ok(OperatorLine::try_parse_from(line)?.command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use clap::error::ErrorKind;

    #[test]
    fn commands_and_options_do_not_contradict_each_other() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn every_command_and_every_argument_says_what_it_is() {
        fn check(command: &clap::Command) {
            let name = command.get_name();
            assert!(command.get_about().is_some(), "{name}");
            for argument in command.get_arguments() {
                assert!(argument.get_help().is_some(), "{name} {argument}");
            }
            command.get_subcommands().for_each(check);
        }
        check(&CommandLine::command());
    }

    #[test]
    fn what_is_not_accepted_is_refused_with_what_is() {
        for (line, said) in [
            ("serve", "unrecognized subcommand 'serve'"),
            ("key list", "'keys'"),
            ("keys new", "<TERMINAL>"),
            ("keys new 1 2", "unexpected argument '2'"),
            ("terminal set 91000001", "<SETTING=VALUE>..."),
            ("terminal origin verify 91000001", "<ORIGIN>"),
            ("migrate --chekc", "'--check'"),
            ("members add demo anna@shop.example viewer", "<NAME>"),
            ("listen", "--forward-to <URL>"),
            ("trigger PAID", "PAYMENT, PAY_BY_LINK, OPERATION"),
            ("events resend", "<EVENT_ID>"),
        ] {
            let line = std::iter::once(NAME).chain(line.split(' '));
            let refusal = CommandLine::try_parse_from(line).unwrap_err();
            assert_eq!(refusal.exit_code(), 2);
            assert!(refusal.to_string().contains(said), "{refusal}");
        }
        let group = CommandLine::try_parse_from([NAME, "keys"]).unwrap_err();
        let kind = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
        assert_eq!((group.kind(), group.exit_code()), (kind, 2));
        assert!(
            CommandLine::try_parse_from([NAME])
                .unwrap()
                .command
                .is_none()
        );
    }

    #[test]
    fn the_commands_of_the_documents_are_read() {
        let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs");
        let mut read = 0;
        for file in std::fs::read_dir(docs).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "md") {
                continue;
            }
            for line in std::fs::read_to_string(&path).unwrap().lines() {
                let Some(words) = line.strip_prefix("payframe-gateway ") else {
                    continue;
                };
                let words = words.split(" #").next().unwrap();
                // Text between quotes is one word.
                let words = words.split('"').enumerate().flat_map(|(at, part)| {
                    if at % 2 == 1 {
                        vec![part]
                    } else {
                        part.split_whitespace().collect()
                    }
                });
                let line = CommandLine::try_parse_from(std::iter::once(NAME).chain(words));
                assert!(line.is_ok(), "{}: {line:?}", path.display());
                read += 1;
            }
        }
        assert!(read > 20, "{read}");
    }
}
