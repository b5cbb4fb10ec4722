//! A PostgreSQL server for tests and benches: from the system's packages, in a temporary folder, on a free port.
//!
//! It listens only on this machine, accepts everybody, and is removed with its data when it is dropped. Its users reach it by its socket, as
//! a gateway beside its server does ([operations](../../docs/operations.md)).

use crate::process::{capture, find_on_path, step};
use crate::server::Server;
use crate::setup::apt_install;
use anyhow::{Context, Result};
use nix::sys::statvfs::statvfs;
use nix::unistd::{Uid, User};
use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A running server.
pub(crate) struct Postgres {
    /// The value for `DATABASE_URL`, with the server's first database.
    pub(crate) url: String,
    // Dropped first: the server ends before its folder is removed.
    _server: Server,
    _folder: TempDir,
}

/// Whether a commit waits until it is on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Durability {
    /// It waits, as a gateway with real payments needs it.
    Real,
    /// Commits do not wait, and the data is in memory if there is room: it is removed with the server.
    None,
}

/// Finds the server's programs, or installs them if that is possible without a question.
pub(crate) fn programs() -> Result<PathBuf> {
    step("setup: PostgreSQL", |line| {
        if let Some(found) = find() {
            line.say(&found.display().to_string());
            return Ok(found);
        }
        line.say("installing with apt-get");
        apt_install(&PACKAGES).context(NO_SERVER)?;
        find().context(NO_SERVER)
    })
}

impl Postgres {
    /// Starts a server with the programs of a folder.
    pub(crate) fn start(programs: &Path, durability: Durability) -> Result<Postgres> {
        let folder = match durability {
            Durability::None => in_memory(),
            Durability::Real => None,
        };
        let folder = folder.map_or_else(|| TempDir::with_prefix(PREFIX), Ok)?;
        let owner = owner()?;
        if let Some(owner) = &owner {
            chown(
                folder.path(),
                Some(owner.uid.as_raw()),
                Some(owner.gid.as_raw()),
            )?;
        }
        let program = |program: &Path| {
            let mut command = Command::new(program);
            command.current_dir(folder.path());
            if let Some(owner) = &owner {
                command.uid(owner.uid.as_raw()).gid(owner.gid.as_raw());
            }
            command
        };
        let data = folder.path().join("data");
        capture(
            program(&programs.join("initdb"))
                .args(["--username", USER, "--auth", "trust", "--no-sync"])
                .args(["--encoding", "UTF8", "--locale", "C", "-D"])
                .arg(&data),
        )?;
        // The port is free now. If it is taken later, the server says so and names it.
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut server = program(Path::new("sh"));
        server
            // The program writes its messages to stderr.
            .args(["-c", "exec \"$0\" \"$@\" 2>&1"])
            .arg(programs.join("postgres"))
            .arg("-D")
            .arg(&data)
            .arg("-k")
            .arg(folder.path())
            .args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1"])
            .args(["-c", "max_connections=400"]);
        if durability == Durability::None {
            server.args(["-c", "fsync=off", "-c", "full_page_writes=off"]);
        }
        let socket = folder.path().display().to_string().replace('/', "%2F");
        Ok(Postgres {
            url: format!("postgres://{USER}@{socket}:{port}/postgres"),
            _server: Server::start_saying(
                READY_WORDS,
                "PostgreSQL",
                server,
                folder.path().join("log"),
                || false,
            )?,
            _folder: folder,
        })
    }
}

/// A folder of the memory's file system, if there is one with enough room: the API tests make and drop some five hundred databases, and half
/// of their time on a disk is that of files being made.
fn in_memory() -> Option<TempDir> {
    let memory = Path::new("/dev/shm");
    let free = statvfs(memory)
        .map(|system| {
            system
                .blocks_available()
                .saturating_mul(system.fragment_size())
        })
        .ok()?;
    (free >= ROOM_IN_MEMORY).then(|| TempDir::with_prefix_in(PREFIX, memory).ok())?
}

/// The user for the server, which refuses to run as root.
fn owner() -> Result<Option<User>> {
    if !Uid::effective().is_root() {
        return Ok(None);
    }
    let user = User::from_name("postgres")?;
    Ok(Some(user.context(
        "there is no user `postgres`, as which root starts PostgreSQL",
    )?))
}

fn find() -> Option<PathBuf> {
    let has_all = |folder: &PathBuf| PROGRAMS.iter().all(|name| folder.join(name).is_file());
    let mut versions: Vec<(u32, PathBuf)> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let version = entry.file_name().to_string_lossy().parse().ok()?;
            Some((version, entry.path().join("bin")))
        })
        .filter(|(_, folder)| has_all(folder))
        .collect();
    versions.sort();
    let newest = versions.pop().map(|(_, folder)| folder);
    newest.or_else(|| {
        let server = find_on_path("postgres")?;
        server.parent().map(PathBuf::from).filter(has_all)
    })
}

const PREFIX: &str = "payframe-postgres-";
/// Some twenty databases of 10 MB at a time, and the server's log of changes, which it keeps below 1 GB.
const ROOM_IN_MEMORY: u64 = 3 << 30;
const USER: &str = "payframe";
const PROGRAMS: [&str; 3] = ["initdb", "pg_basebackup", "postgres"];
/// The variable that names their folder to a test that starts servers itself.
pub(crate) const PROGRAMS_OF_TESTS: &str = "PAYFRAME_TEST_POSTGRES_PROGRAMS";
const READY_WORDS: &str = "ready to accept connections";
pub(crate) const PACKAGES: [&str; 1] = ["postgresql"];
const NO_SERVER: &str = "PostgreSQL's server is needed and could not be installed. On Debian or Ubuntu: \
    `apt-get install postgresql` as root. Elsewhere: put `postgres`, `initdb` and `pg_basebackup` on PATH. Without it: name the steps that \
    you want with `--only`, leaving out `postgres`";
