//! The adapter in Python as a process, with a folder of its own.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// The example for operators.
pub(crate) const EXAMPLE: &str = "examples/acquirer-python/adapter.py";

/// The same with a fault.
pub(crate) const FAULTY: &str = "gateway/tests/process/acquirers/faulty_adapter.py";

/// Anything with 32 bytes.
pub(crate) const SECRET: &str = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

/// An adapter that listens, until it is dropped.
pub(crate) struct Adapter {
    child: Child,
    pub(crate) folder: TempDir,
    /// The file with it as the acquirer `main`.
    pub(crate) file: PathBuf,
    /// Its address.
    pub(crate) url: String,
    /// The lines that it has logged.
    pub(crate) log: Arc<Mutex<Vec<String>>>,
}

impl Adapter {
    /// Starts a program with arguments.
    pub(crate) fn start(program: &str, arguments: &[&str]) -> Adapter {
        let folder = tempfile::tempdir().unwrap();
        Adapter::start_in(folder, program, arguments)
    }

    /// Starts a program in a folder, which may have files that the arguments name.
    pub(crate) fn start_in(folder: TempDir, program: &str, arguments: &[&str]) -> Adapter {
        let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
        let secret = folder.path().join("main.secret");
        std::fs::write(&secret, SECRET).unwrap();
        let mut child = Command::new("python3")
            .arg(root.join(program))
            .arg("--secret-file")
            .arg(&secret)
            .args(["--port", "0", "--pending-seconds", "0.5", "--database"])
            .arg(folder.path().join("adapter.db"))
            .args(arguments)
            .current_dir(folder.path())
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdout(Stdio::piped())
            // Broken connections are part of the examination.
            .stderr(Stdio::null())
            .spawn()
            .expect("python3 runs the example");
        let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
        let ready = said.next().expect("the adapter starts").unwrap();
        let url = ready.strip_prefix("listening on ").unwrap().to_owned();
        let log = Arc::new(Mutex::new(Vec::new()));
        let lines = log.clone();
        std::thread::spawn(move || {
            said.map_while(Result::ok)
                .for_each(|line| lines.lock().unwrap().push(line));
        });
        let file = folder.path().join("acquirers.toml");
        std::fs::write(&file, in_file(&url)).unwrap();
        Adapter {
            child,
            folder,
            file,
            url,
            log,
        }
    }

    /// How many operations it has written down.
    pub(crate) fn operations(&self) -> usize {
        let counted = self.told("SELECT count(*) FROM operation");
        counted.trim().parse().unwrap()
    }

    /// What it has approved, as the examiner writes it.
    pub(crate) fn approved(&self) -> Vec<String> {
        let told = self.told(
            "SELECT operation || ', APPROVED: ' || count(*) || ', together ' || sum(amount_minor) || ' ' || currency \
             FROM operation WHERE result = 'APPROVED' GROUP BY operation, currency ORDER BY operation, currency",
        );
        told.lines().map(str::to_owned).collect()
    }

    /// The first column of what its database answers.
    fn told(&self, query: &str) -> String {
        let print = "import sqlite3, sys\nfor row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(row[0])";
        let answered = Command::new("python3")
            .args(["-c", print])
            .arg(self.folder.path().join("adapter.db"))
            .arg(query)
            .output()
            .unwrap();
        String::from_utf8(answered.stdout).unwrap()
    }
}

impl Drop for Adapter {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The file of a sandbox or of the examiner.
fn in_file(url: &str) -> String {
    format!(
        "[[acquirer]]\nname = 'main'\nurl = '{url}'\nsecret_file = 'main.secret'\ntest_endpoint = true\n"
    )
}
