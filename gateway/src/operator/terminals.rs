//! Commands about merchants and their terminals, which must exist before a shop can take its first payment.

mod card_testing;
mod page_watch;
mod setting;

use super::origins::OriginCommand;
use super::{CommandContext, CommandError};
use clap::Subcommand;
use payframe_card_rules::network::{Network, NetworkSet};
use payframe_payment_domain::back_office::Act;
use payframe_payment_domain::card_testing::CardTestingSettings;
use payframe_payment_domain::exemption::NoChallengeRequest;
use payframe_payment_domain::method::{METHODS, Method};
use payframe_payment_domain::operation::Capture;
use payframe_payment_domain::page_watch::PageWatch;
use payframe_payment_domain::terms::{AcceptanceChannel, CardField, Terminal};
use payframe_payment_domain::wallet::Wallet;
use payframe_storage::{Connection, StoreError, Subject, merchants};
use setting::{NONE, Setting, listed, one_of};

/// What can be done with merchants.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum MerchantCommand {
    /// Prints merchants: id, name.
    List,
    /// Adds a merchant.
    Add {
        /// 1 to 20 letters, digits and hyphens.
        id: String,
        /// The name that buyers read.
        name: String,
    },
    /// Gives a merchant another name.
    Rename {
        /// The merchant's id.
        id: String,
        /// The new name that buyers read.
        name: String,
    },
    /// Sets from which refunds on the back office asks for the password or a code again.
    ConfirmRefunds {
        /// The merchant's id.
        id: String,
        /// Larger refunds are confirmed; in the smallest unit of the currency, such as 50000.
        above: u32,
    },
}

/// What can be done with terminals.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum TerminalCommand {
    /// Prints terminals, with their settings.
    List,
    /// Adds a terminal to a merchant, with a secret that signs its notifications; docs/operations.md says what the settings mean.
    Add {
        /// 1 to 20 letters, digits and hyphens.
        id: String,
        /// The merchant's id.
        merchant: String,
        /// Settings, such as networks=VISA,MC; a setting that is not given has its default.
        #[arg(value_name = "SETTING=VALUE")]
        settings: Vec<String>,
    },
    /// Changes settings; a running gateway applies them with the next call.
    Set {
        /// The terminal's id.
        id: String,
        /// Settings, such as capture=EXPLICIT; a setting that is not given stays.
        #[arg(value_name = "SETTING=VALUE", required = true)]
        settings: Vec<String>,
    },
    /// Origins of pages that may contain its forms.
    #[command(subcommand)]
    Origin(OriginCommand),
    /// Draws its forms in a font.
    Font {
        /// The terminal's id.
        id: String,
        /// A .ttf, .otf, .woff or .woff2 file; `none`: the system's font.
        file: String,
    },
}

impl CommandContext<'_> {
    /// Carries out a subcommand of `merchant`.
    pub(super) async fn merchant(&self, command: MerchantCommand) -> Result<String, CommandError> {
        match command {
            MerchantCommand::List => {
                let mut connection = self.store.read().await?;
                let all = merchants::all(&mut connection).await?;
                let lines = all.iter().map(|(id, name)| format!("{id:<22}{name}\n"));
                Ok(lines.collect())
            }
            MerchantCommand::Add { id, name } => {
                let (merchant_id, name) = (id.as_str(), name.as_str());
                check_id(merchant_id)?;
                check_name(name)?;
                let mut change = self.store.write(Subject::Gateway).await?;
                if !merchants::add(&mut change, merchant_id, name).await? {
                    return Err(refused(format!("merchant {merchant_id} exists already")));
                }
                self.log_of(
                    &mut change,
                    merchant_id,
                    Act::AddMerchant,
                    (merchant_id, name),
                )
                .await?;
                change.commit().await.map_err(StoreError::from)?;
                Ok(format!(
                    "{name} is merchant {merchant_id}; `terminal add` gives it a terminal\n"
                ))
            }
            MerchantCommand::Rename { id, name } => {
                let (merchant_id, name) = (id.as_str(), name.as_str());
                check_name(name)?;
                let mut change = self.store.write(Subject::Merchant(merchant_id)).await?;
                if !merchants::rename(&mut change, merchant_id, name).await? {
                    return Err(no_merchant(merchant_id));
                }
                self.log_of(
                    &mut change,
                    merchant_id,
                    Act::RenameMerchant,
                    (merchant_id, name),
                )
                .await?;
                change.commit().await.map_err(StoreError::from)?;
                Ok(format!("merchant {merchant_id} is {name} from now on\n"))
            }
            MerchantCommand::ConfirmRefunds { id, above } => {
                let merchant_id = id.as_str();
                let mut change = self.store.write(Subject::Merchant(merchant_id)).await?;
                let minor = i64::from(above);
                if !merchants::put_confirmed_refund(&mut change, merchant_id, minor).await? {
                    return Err(no_merchant(merchant_id));
                }
                let detail = format!("refunds above {above} are confirmed");
                let what = (merchant_id, detail.as_str());
                self.log_of(&mut change, merchant_id, Act::ChangeMerchant, what)
                    .await?;
                change.commit().await.map_err(StoreError::from)?;
                Ok(format!(
                    "members of {merchant_id} confirm refunds above {above}\n"
                ))
            }
        }
    }

    /// Carries out a subcommand of `terminal`.
    pub(super) async fn terminal(&self, command: TerminalCommand) -> Result<String, CommandError> {
        match command {
            TerminalCommand::Origin(command) => self.origin(command).await,
            TerminalCommand::Font { id, file } => self.font(&id, &file).await,
            TerminalCommand::List => {
                let mut connection = self.store.read().await?;
                let all = merchants::all_terminals(&mut connection).await?;
                Ok(all.iter().map(|terminal| shown(terminal) + "\n").collect())
            }
            TerminalCommand::Add {
                id,
                merchant,
                settings,
            } => {
                let (terminal_id, merchant_id) = (id.as_str(), merchant.as_str());
                check_id(terminal_id)?;
                let mut terminal = plain(terminal_id, merchant_id);
                put(&mut terminal, &settings)?;
                let mut change = self.store.write(Subject::Gateway).await?;
                if !merchants::is_there(&mut change, merchant_id).await? {
                    return Err(no_merchant(merchant_id));
                }
                if !merchants::add_terminal(&mut change, &terminal).await? {
                    return Err(refused(format!("terminal {terminal_id} exists already")));
                }
                let detail = settings.join(" ");
                self.log(
                    &mut change,
                    terminal_id,
                    Act::AddTerminal,
                    (terminal_id, &detail),
                )
                .await?;
                // Notifications are signed from the first one on.
                let secret = self.make_secret(&mut change, terminal_id).await?;
                change.commit().await.map_err(StoreError::from)?;
                let shown = shown(&terminal);
                Ok(format!(
                    "{shown}{secret}`keys new {terminal_id}` makes its first API key\n"
                ))
            }
            TerminalCommand::Set { id, settings } => {
                let mut change = self.store.write(Subject::Gateway).await?;
                let mut terminal = known(&mut change, &id).await?;
                put(&mut terminal, &settings)?;
                merchants::put_terminal(&mut change, &terminal).await?;
                let detail = settings.join(" ");
                self.log_terminal_change(&mut change, &id, &detail).await?;
                change.commit().await.map_err(StoreError::from)?;
                Ok(shown(&terminal))
            }
        }
    }
}

/// All settings, in the order in which they are shown.
fn all_settings() -> impl Iterator<Item = &'static Setting> {
    let more = card_testing::SETTINGS.iter().chain(page_watch::SETTINGS);
    SETTINGS.iter().chain(more)
}

const SETTINGS: &[Setting] = &[
    Setting {
        name: "capture",
        accepts: || one_of([Capture::Implicit, Capture::Explicit].map(Capture::code)),
        put: |terminal, value| {
            let read = Capture::from_code(value);
            read.map(|read| terminal.capture = read).is_some()
        },
        shown: |terminal| terminal.capture.code().to_owned(),
    },
    Setting {
        name: "networks",
        accepts: || {
            let codes = one_of(Network::ALL.map(Network::code));
            format!(
                "codes separated by commas, with a star behind the preferred ones of two: {codes}"
            )
        },
        put: |terminal, value| {
            let all = set_of(&value.replace('*', ""));
            let starred = value.split(',').filter_map(|code| code.strip_suffix('*'));
            terminal.preferred_networks = NetworkSet::from_codes(starred);
            all.map(|all| terminal.networks = all).is_some()
        },
        shown: merchants::network_codes,
    },
    Setting {
        name: "eight_digit_bins",
        accepts: || {
            format!(
                "codes of networks separated by commas, or none: {}",
                one_of(Network::ALL.map(Network::code))
            )
        },
        put: |terminal, value| {
            let read = listed(value, Network::from_code).map(|all| all.into_iter().collect());
            read.map(|read| terminal.eight_digit_bins = read).is_some()
        },
        shown: |terminal| joined(terminal.eight_digit_bins.iter().map(Network::code)),
    },
    Setting {
        name: "card_fields",
        accepts: || {
            format!(
                "inputs in their order, separated by commas: {}",
                one_of(CardField::ALL.map(CardField::id))
            )
        },
        put: |terminal, value| {
            let read = fields(value);
            read.map(|read| terminal.card_fields = read).is_some()
        },
        shown: |terminal| joined(terminal.card_fields.iter().map(|field| field.id())),
    },
    Setting {
        name: "methods",
        accepts: || {
            format!(
                "codes separated by commas, or none: {}",
                one_of(METHODS.iter().map(Method::code))
            )
        },
        put: |terminal, value| {
            let read = listed(value, Method::from_code);
            read.map(|read| terminal.methods = read).is_some()
        },
        shown: |terminal| joined(terminal.methods.iter().map(|method| method.code())),
    },
    Setting {
        name: "wallets",
        accepts: || {
            format!(
                "codes separated by commas, or none: {}",
                one_of(Wallet::ALL.map(Wallet::code))
            )
        },
        put: |terminal, value| {
            let read = listed(value, Wallet::from_code);
            read.map(|read| terminal.wallets = read).is_some()
        },
        shown: |terminal| joined(terminal.wallets.iter().map(|wallet| wallet.code())),
    },
    Setting {
        name: "tokenization",
        accepts: || String::from(YES_OR_NO),
        put: |terminal, value| {
            let read = yes(value);
            read.map(|read| terminal.tokenization = read).is_some()
        },
        shown: |terminal| yes_or_no(terminal.tokenization),
    },
    Setting {
        name: "currency_conversion",
        accepts: || String::from(YES_OR_NO),
        put: |terminal, value| {
            let read = yes(value);
            read.map(|read| terminal.currency_conversion = read)
                .is_some()
        },
        shown: |terminal| yes_or_no(terminal.currency_conversion),
    },
    Setting {
        name: "place",
        accepts: || {
            one_of(
                [AcceptanceChannel::Online, AcceptanceChannel::PointOfSale]
                    .map(AcceptanceChannel::code),
            )
        },
        put: |terminal, value| {
            let read = AcceptanceChannel::from_code(value);
            read.map(|read| terminal.place = read).is_some()
        },
        shown: |terminal| terminal.place.code().to_owned(),
    },
    Setting {
        name: "exemptions",
        accepts: || {
            format!(
                "codes separated by commas, or none: {}",
                one_of(NoChallengeRequest::ALL.map(NoChallengeRequest::code))
            )
        },
        put: |terminal, value| {
            let read = listed(value, NoChallengeRequest::from_code);
            read.map(|read| terminal.exemptions = read).is_some()
        },
        shown: |terminal| joined(terminal.exemptions.iter().map(|one| one.code())),
    },
];

/// A terminal with default settings.
fn plain(terminal_id: &str, merchant_id: &str) -> Terminal {
    Terminal {
        terminal_id: terminal_id.to_owned(),
        merchant_id: merchant_id.to_owned(),
        capture: Capture::Implicit,
        tokenization: true,
        currency_conversion: false,
        networks: [Network::Visa, Network::Mastercard].into_iter().collect(),
        preferred_networks: NetworkSet::empty(),
        eight_digit_bins: NetworkSet::empty(),
        card_fields: vec![
            CardField::Number,
            CardField::Expiry,
            CardField::SecurityCode,
            CardField::HolderName,
        ],
        methods: Vec::new(),
        wallets: Vec::new(),
        place: AcceptanceChannel::Online,
        font: None,
        exemptions: Vec::new(),
        card_testing: CardTestingSettings::default(),
        page_watch: PageWatch::OFF,
    }
}

/// Applies settings like `capture=EXPLICIT` to a terminal.
fn put(terminal: &mut Terminal, settings: &[String]) -> Result<(), CommandError> {
    for words in settings {
        let (name, value) = words.split_once('=').unwrap_or((words.as_str(), ""));
        let Some(setting) = all_settings().find(|setting| setting.name == name) else {
            let names = one_of(all_settings().map(|setting| setting.name));
            return Err(refused(format!(
                "a terminal has no setting {name}; the settings are {names}"
            )));
        };
        if !(setting.put)(terminal, value) {
            let accepts = (setting.accepts)();
            return Err(refused(format!("{name} must be {accepts}")));
        }
    }
    Ok(())
}

fn shown(terminal: &Terminal) -> String {
    let mut text = format!(
        "terminal {} of merchant {}\n",
        terminal.terminal_id, terminal.merchant_id
    );
    for setting in all_settings() {
        let value = (setting.shown)(terminal);
        let value = if value.is_empty() { NONE } else { &value };
        text.push_str(&format!("  {}={value}\n", setting.name));
    }
    text
}

async fn known(connection: &mut Connection, terminal_id: &str) -> Result<Terminal, CommandError> {
    super::must_exist(connection, terminal_id).await?;
    Ok(merchants::terminal(connection, terminal_id).await?)
}

/// The inputs of a form; `None` if they cannot take a card.
fn fields(value: &str) -> Option<Vec<CardField>> {
    let fields = listed(value, CardField::from_id)?;
    let has = |field| fields.contains(&field);
    (has(CardField::Number) && has(CardField::Expiry)).then_some(fields)
}

/// The networks of a list; at least one.
fn set_of(value: &str) -> Option<NetworkSet> {
    let networks = listed(value, Network::from_code)?;
    (!networks.is_empty()).then(|| networks.into_iter().collect())
}

fn joined<'a>(codes: impl Iterator<Item = &'a str>) -> String {
    codes.collect::<Vec<_>>().join(",")
}

fn yes(value: &str) -> Option<bool> {
    match value {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

fn yes_or_no(is_so: bool) -> String {
    String::from(if is_so { "yes" } else { "no" })
}

/// Refuses an id that is not safe in addresses, lists and the log.
fn check_id(id: &str) -> Result<(), CommandError> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if (1..=20).contains(&id.len()) && id.bytes().all(is_plain) {
        Ok(())
    } else {
        Err(refused(String::from(
            "an id has 1 to 20 letters, digits and hyphens",
        )))
    }
}

/// Refuses a name that buyers could not read.
fn check_name(name: &str) -> Result<(), CommandError> {
    let is_good =
        !name.trim().is_empty() && name.chars().count() <= 100 && !name.contains(char::is_control);
    if is_good {
        Ok(())
    } else {
        Err(refused(String::from("a name has 1 to 100 characters")))
    }
}

fn no_merchant(merchant_id: &str) -> CommandError {
    refused(format!(
        "there is no merchant {merchant_id}; `merchant list` names them"
    ))
}

fn refused(why: String) -> CommandError {
    CommandError::Failed(why)
}

const YES_OR_NO: &str = "yes or no";
