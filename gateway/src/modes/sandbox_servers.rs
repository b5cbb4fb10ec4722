//! The commands `sandbox directory-server` and `sandbox acs`: the other side of 3-D Secure for a sandbox, as programs.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use payframe_sandbox::three_ds::{
    AccessControlServer, AccessControlSettings, DirectoryServer, DirectorySettings, Misbehaviour,
};
use std::error::Error;
use std::net::SocketAddr;
use std::path::PathBuf;

/// A server of the sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum SandboxCommand {
    /// Runs the directory server of all card networks, for gateways whose PAYFRAME_3DS names the file that it writes.
    DirectoryServer(DirectoryOptions),
    /// Runs the access control server (ACS) of all issuers, with its pages for buyers.
    Acs(AcsOptions),
}

/// What both servers have.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct ServerOptions {
    /// Address and port where the others reach it, by mutual TLS; port 0 is any.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    pub listen: SocketAddr,
    /// Folder of the certificates of all sides; they are made if it is not there.
    #[arg(long, value_name = "FOLDER", default_value = "payframe-3ds")]
    pub folder: PathBuf,
    /// Ends when its standard input ends, and not before: for programs that start it.
    #[arg(long)]
    pub with_parent: bool,
}

/// Where the directory server is.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct DirectoryOptions {
    /// What both servers have.
    #[command(flatten)]
    pub server: ServerOptions,
    /// Where it reaches the ACS, as that one prints it.
    #[arg(long, value_name = "URL")]
    pub acs: String,
    /// The origin of the pages of the ACS, as that one prints it.
    #[arg(long, value_name = "ORIGIN")]
    pub acs_pages: String,
}

/// Where the ACS is, and how it behaves.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct AcsOptions {
    /// What both servers have.
    #[command(flatten)]
    pub server: ServerOptions,
    /// Address and port where browsers reach its pages; port 0 is any.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    pub pages: SocketAddr,
    /// Which rule of the protocol it breaks.
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(Misbehaviour::ALL.map(Misbehaviour::code)))]
    pub misbehave: Option<String>,
}

impl SandboxCommand {
    /// Whether it ends with the program that started it.
    pub fn is_with_parent(&self) -> bool {
        let (SandboxCommand::DirectoryServer(DirectoryOptions { server, .. })
        | SandboxCommand::Acs(AcsOptions { server, .. })) = self;
        server.with_parent
    }

    /// Runs the server until `stop` is done. `say` gets the lines that tell where it is.
    ///
    /// # Errors
    /// It cannot start, or a socket fails.
    pub async fn run(
        self,
        stop: impl Future<Output = ()>,
        say: impl Fn(String),
    ) -> Result<(), Box<dyn Error>> {
        match self {
            SandboxCommand::Acs(options) => {
                let settings = AccessControlSettings {
                    listen: options.server.listen,
                    pages: options.pages,
                    folder: options.server.folder,
                    misbehaviour: options.misbehave.as_deref().and_then(Misbehaviour::parse),
                };
                let server = AccessControlServer::open(&settings).await?;
                say(format!("acs: {}", server.address()?));
                say(format!("pages: {}", server.origin()));
                say(format!("enrolment: {}", server.enrolment()));
                Ok(server.serve(stop).await?)
            }
            SandboxCommand::DirectoryServer(options) => {
                let server = DirectoryServer::open(&DirectorySettings {
                    listen: options.server.listen,
                    folder: options.server.folder,
                    access_control: options.acs,
                    access_control_pages: options.acs_pages,
                })?;
                say(format!("directory server: {}", server.address()?));
                say(format!("settings: {}", server.settings_file().display()));
                Ok(server.serve(stop).await?)
            }
        }
    }
}
