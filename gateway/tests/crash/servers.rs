//! Two PostgreSQL servers under synchronous replication: a primary, and a standby that takes its place when it is killed.
//!
//! A commit is answered when the standby has it on its disk, so a primary that is gone takes no commit with it that somebody was told of.

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection, Row};
use std::fs::File;
use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A primary and its standby.
pub(super) struct Pair {
    cluster: Cluster,
    primary: Server,
    standby: Server,
}

/// What both servers have in common.
struct Cluster {
    programs: PathBuf,
    folder: TempDir,
    owner: Option<(u32, u32)>,
    /// How many data folders were made.
    made: usize,
}

/// A server's process. It is killed when this value is dropped.
struct Server {
    process: Child,
    port: u16,
}

impl Pair {
    /// Starts both, with the programs of a folder.
    pub(super) fn start(programs: &Path) -> Pair {
        let mut cluster = Cluster::make(programs);
        let data = cluster.next_folder();
        cluster.run(
            "initdb",
            &["-U", USER, "-A", "trust", "--no-sync", "-D"],
            &data,
        );
        let primary = cluster.serve(&data, free_port());
        let standby = cluster.standby_of(&primary, free_port());
        Pair {
            cluster,
            primary,
            standby,
        }
    }

    /// The value for `DATABASE_URL`.
    pub(super) fn url(&self) -> String {
        let (one, other) = (self.primary.port, self.standby.port);
        let hosts = format!("127.0.0.1:{one},127.0.0.1:{other}");
        format!("postgres://{USER}@{hosts}/postgres?target_session_attrs=read-write")
    }

    /// Kills the primary as a failing machine ends it: with all that it was about to do, and without a word to anybody.
    pub(super) fn kill_primary(&mut self) {
        self.primary.kill();
    }

    /// Makes the standby the primary. It has no standby of its own yet, and waits for none.
    pub(super) fn promote(&mut self) {
        assert_eq!(
            self.standby.ask("SELECT pg_promote()::text").as_deref(),
            Some("true")
        );
        std::mem::swap(&mut self.primary, &mut self.standby);
    }

    /// Makes a new standby at the address of the killed server.
    pub(super) fn replace_killed(&mut self) {
        let port = self.standby.port;
        self.standby = self.cluster.standby_of(&self.primary, port);
    }
}

impl Cluster {
    fn make(programs: &Path) -> Cluster {
        let folder = tempfile::tempdir().unwrap();
        // The server refuses to run as root.
        let owner = nix::unistd::Uid::effective().is_root().then(|| {
            let user = nix::unistd::User::from_name("postgres").unwrap();
            let user = user.expect("a user `postgres`, as which root starts the servers");
            (user.uid.as_raw(), user.gid.as_raw())
        });
        if let Some((user, group)) = owner {
            chown(folder.path(), Some(user), Some(group)).unwrap();
        }
        Cluster {
            programs: programs.to_owned(),
            folder,
            owner,
            made: 0,
        }
    }

    fn next_folder(&mut self) -> PathBuf {
        self.made += 1;
        self.folder.path().join(format!("data-{}", self.made))
    }

    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs.join(name));
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        if let Some((user, group)) = self.owner {
            command.uid(user).gid(group);
        }
        command
    }

    fn run(&self, name: &str, options: &[&str], data: &Path) {
        let done = self.program(name).args(options).arg(data).output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{name}: {said}");
    }

    fn serve(&self, data: &Path, port: u16) -> Server {
        let log = || File::create(data.with_extension("log")).unwrap();
        let process = self
            .program("postgres")
            .arg("-D")
            .arg(data)
            .arg("-k")
            .arg(self.folder.path())
            .args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1"])
            // The machine does not fail, only the process does.
            .args(["-c", "max_connections=200", "-c", "fsync=off"])
            .stdout(log())
            .stderr(log())
            .spawn()
            .unwrap();
        let server = Server { process, port };
        server.wait_for("SELECT 'ready'", "ready");
        server
    }

    /// Copies a primary, starts the copy as its standby, and has the primary wait for it from then on.
    fn standby_of(&mut self, primary: &Server, port: u16) -> Server {
        let data = self.next_folder();
        let from = primary.port.to_string();
        let options = [
            "-h",
            "127.0.0.1",
            "-p",
            &from,
            "-U",
            USER,
            "-R",
            "-X",
            "stream",
            "-c",
            "fast",
            "--no-sync",
            "-D",
        ];
        self.run("pg_basebackup", &options, &data);
        let standby = self.serve(&data, port);
        let streaming = "SELECT coalesce(max(state), '') FROM pg_stat_replication";
        primary.wait_for(streaming, "streaming");
        primary.ask("ALTER SYSTEM SET synchronous_standby_names = '*'");
        primary.ask("SELECT pg_reload_conf()::text");
        primary.wait_for(
            "SELECT coalesce(max(sync_state), '') FROM pg_stat_replication",
            "sync",
        );
        standby
    }
}

impl Server {
    fn ask(&self, question: &str) -> Option<String> {
        self.try_ask(question).unwrap()
    }

    /// The first value of the first row.
    fn try_ask(&self, question: &str) -> Result<Option<String>, sqlx::Error> {
        let url = format!("postgres://{USER}@127.0.0.1:{}/postgres", self.port);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut connection = PgConnection::connect(&url).await?;
            let asked = sqlx::query(AssertSqlSafe(question.to_owned()));
            let row = asked.fetch_optional(&mut connection).await?;
            connection.close().await?;
            row.map(|row| row.try_get(0)).transpose()
        })
    }

    fn wait_for(&self, question: &str, expected: &str) {
        let end = Instant::now() + PATIENCE;
        loop {
            let answer = self.try_ask(question);
            if matches!(&answer, Ok(Some(text)) if text == expected) {
                return;
            }
            assert!(Instant::now() < end, "{question}: {answer:?}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Ends the process and those that it started, which would otherwise finish what they are at.
    fn kill(&mut self) {
        let id = self.process.id();
        let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children"));
        // It may have ended already.
        let _ = self.process.kill();
        let children = children.unwrap_or_default();
        let children: Vec<&str> = children.split_whitespace().collect();
        if !children.is_empty() {
            let _ = Command::new("kill").arg("-KILL").args(children).output();
        }
        let _ = self.process.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn free_port() -> u16 {
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    free.local_addr().unwrap().port()
}

const USER: &str = "payframe";
/// How long a server may take to start, or to follow another one.
const PATIENCE: Duration = Duration::from_secs(60);
