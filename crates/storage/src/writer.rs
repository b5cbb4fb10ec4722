//! The only connection for changes: writers use it in turn and share commits.
//!
//! SQLite allows one write transaction at a time. Connections that compete for it poll and sleep. Here, writers wait in a queue of this
//! process, in the order of arrival. A commit waits for the disk. So a writer that has finished its change joins the end of the queue
//! again, and then commits all changes that were made before its turn. Under load, many changes share one commit; a single change is
//! committed at once. Each change is a savepoint: rolling it back does not affect the others. [`Change::commit`] returns when the change
//! is on the disk.
//!
//! The statements that begin and end a change are sent together with its own statements ([`Connection::enqueue`]), so that they need no
//! separate message to the database.
//!
//! A caller that disconnects interrupts nothing: work that must be completed runs in separate tasks.
//!
//! Alternatives: the pool of sqlx with a single connection, deadpool-sqlite and tokio-rusqlite have a queue of writers too. But each
//! change has its own commit and waits for the disk, and a change in a shared commit cannot be rolled back alone.

use super::connection::Connection;
use sqlx::sqlite::SqliteConnectOptions;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};

/// Gives the connection to one writer after the other.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    state: Arc<Mutex<WriterState>>,
    /// The number of callers that wait, to make a change or to commit.
    queue: Arc<AtomicUsize>,
}

/// The state that a writer receives with its turn.
#[derive(Debug)]
struct WriterState {
    connection: Connection,
    /// The writers whose changes are in the open transaction. `None`: no transaction is open.
    batch: Option<Vec<Finished>>,
    /// Whether the open transaction is at a savepoint at which the next change can begin.
    is_ready: bool,
    /// The number of batches so far, so that a finished writer knows whether its own batch is still open.
    batches: u64,
}

/// Notifies a writer that its change is on the disk.
type Finished = oneshot::Sender<Result<(), sqlx::Error>>;

/// A change in progress. It is rolled back if it is dropped.
#[derive(Debug)]
pub(crate) struct Change {
    /// `None` only while it ends.
    state: Option<OwnedMutexGuard<WriterState>>,
    writer: Writer,
}

impl Writer {
    /// Opens the connection.
    pub(crate) async fn open(options: &SqliteConnectOptions) -> Result<Writer, sqlx::Error> {
        let state = WriterState {
            connection: Connection::open(options).await?,
            batch: None,
            is_ready: false,
            batches: 0,
        };
        Ok(Writer {
            state: Arc::new(Mutex::new(state)),
            queue: Arc::default(),
        })
    }

    /// Waits for its turn. Then the caller has exclusive access until it commits or drops the change.
    pub(crate) async fn begin(&self) -> Change {
        let mut state = self.queue().lock().await;
        state.start();
        Change {
            state: Some(state),
            writer: self.clone(),
        }
    }

    /// Adds a change to the batch and makes sure that the batch is committed.
    async fn finish(self, mut state: OwnedMutexGuard<WriterState>, finished: Finished) {
        let is_last = self.queue.load(Ordering::Acquire) == 0;
        let Some(batch) = state.release(finished, is_last).await else {
            return;
        };
        let slot = self.queue();
        drop(state);
        // After all callers that wait already: their changes are included.
        let mut state = slot.lock().await;
        if state.batches == batch {
            state.commit().await;
        }
    }

    fn queue(&self) -> QueueSlot<'_> {
        self.queue.fetch_add(1, Ordering::AcqRel);
        QueueSlot(self)
    }
}

/// A waiting caller, until it has its turn or is dropped.
struct QueueSlot<'a>(&'a Writer);

impl QueueSlot<'_> {
    async fn lock(self) -> OwnedMutexGuard<WriterState> {
        Arc::clone(&self.0.state).lock_owned().await
    }
}

impl Drop for QueueSlot<'_> {
    fn drop(&mut self) {
        self.0.queue.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Change {
    /// Returns when the change is on the disk. After an error, the change is rolled back.
    pub(crate) async fn commit(mut self) -> Result<(), sqlx::Error> {
        let Some(state) = self.state.take() else {
            return Ok(());
        };
        let (finished, heard) = oneshot::channel();
        tokio::spawn(self.writer.clone().finish(state, finished));
        match heard.await {
            Ok(outcome) => outcome,
            Err(_) => Err(sqlx::Error::WorkerCrashed),
        }
    }
}

impl Drop for Change {
    fn drop(&mut self) {
        let Some(mut state) = self.state.take() else {
            return;
        };
        if state.has_not_begun() {
            return;
        }
        // Without a runtime the process is ending, and the open transaction is rolled back.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { state.give_up().await });
        }
    }
}

impl WriterState {
    /// Begins a change, with its first statement.
    fn start(&mut self) {
        self.connection.turn(match (&self.batch, self.is_ready) {
            (None, _) => "BEGIN IMMEDIATE; SAVEPOINT one",
            (Some(_), true) => "",
            (Some(_), false) => "SAVEPOINT one",
        });
        self.batch.get_or_insert_default();
    }

    /// Whether the change has sent nothing to the database. Then it ends without a statement.
    fn has_not_begun(&mut self) -> bool {
        let has_not = self.connection.is_silent();
        if has_not && self.batch.as_ref().is_some_and(Vec::is_empty) {
            self.batch = None;
        }
        has_not
    }

    /// Releases the savepoint of a change that is kept. Returns its batch. `None`: its writer has already been notified, because no other
    /// caller was waiting (`is_last`), or because it failed.
    async fn release(&mut self, finished: Finished, is_last: bool) -> Option<u64> {
        self.is_ready = false;
        self.connection.enqueue(if is_last {
            "RELEASE one; COMMIT"
        } else {
            // Another caller waits to begin the next change, or to commit, which includes the savepoint.
            "RELEASE one; SAVEPOINT one"
        });
        match self.connection.send().await {
            Ok(()) => {
                self.is_ready = !is_last;
                self.batch.get_or_insert_default().push(finished);
                if is_last {
                    self.notify(&Ok(()));
                    return None;
                }
                Some(self.batches)
            }
            Err(problem) => {
                // As it is: a file that another program holds is a reason to come back.
                let _ = finished.send(Err(problem));
                self.give_up().await;
                None
            }
        }
    }

    /// Rolls back a change, and ends the transaction if it has no other change.
    async fn give_up(&mut self) {
        self.is_ready = false;
        if self.batch.as_ref().is_some_and(Vec::is_empty) {
            return self.fail("given up").await;
        }
        match self.run("ROLLBACK TO one").await {
            Ok(()) => self.is_ready = true,
            Err(problem) => self.fail(&problem.to_string()).await,
        }
    }

    async fn commit(&mut self) {
        match self.run("COMMIT").await {
            Ok(()) => self.notify(&Ok(())),
            Err(problem) => self.fail(&problem.to_string()).await,
        }
    }

    /// Discards the whole open transaction: the database reported an error, or its state is unknown.
    async fn fail(&mut self, problem: &str) {
        // It may be rolled back already. That error is ignored.
        let _ = self.run("ROLLBACK").await;
        self.notify(&Err(problem.to_owned()));
    }

    fn notify(&mut self, outcome: &Result<(), String>) {
        self.is_ready = false;
        self.batches += 1;
        for finished in self.batch.take().unwrap_or_default() {
            // A writer that was dropped in the meantime is not notified.
            let _ = finished.send(outcome.clone().map_err(sqlx::Error::Protocol));
        }
    }

    /// Sends these statements alone. The queue is empty, or is discarded.
    async fn run(&mut self, statements: &'static str) -> Result<(), sqlx::Error> {
        self.connection.turn(statements);
        self.connection.send().await
    }
}

impl Deref for Change {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        match &self.state {
            Some(state) => &state.connection,
            // Only `commit` and `drop` take it, and both own the change.
            None => unreachable!("a change that has ended"),
        }
    }
}

impl DerefMut for Change {
    fn deref_mut(&mut self) -> &mut Connection {
        match &mut self.state {
            Some(state) => &mut state.connection,
            // Only `commit` and `drop` take it, and both own the change.
            None => unreachable!("a change that has ended"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{query, query_scalar};

    struct Notes {
        writer: Writer,
        folder: tempfile::TempDir,
    }

    impl Notes {
        async fn open() -> Notes {
            let folder = tempfile::tempdir().unwrap();
            let options = crate::sqlite_options(&folder.path().join("notes.db"));
            let writer = Writer::open(&options).await.unwrap();
            let mut change = writer.begin().await;
            query("CREATE TABLE note (words TEXT NOT NULL UNIQUE)")
                .execute(&mut change)
                .await
                .unwrap();
            change.commit().await.unwrap();
            Notes { writer, folder }
        }

        async fn change(&self, words: &str) -> Change {
            let mut change = self.writer.begin().await;
            note(&mut change, words).await.unwrap();
            change
        }

        /// All stored notes, and the number of commits so far.
        async fn read(&self) -> (Vec<String>, u64) {
            let mut change = self.writer.begin().await;
            let notes = query_scalar("SELECT words FROM note ORDER BY words")
                .fetch_all(&mut change)
                .await
                .unwrap();
            let batches = change.state.as_ref().unwrap().batches;
            (notes, batches)
        }
    }

    async fn note(change: &mut Change, words: &str) -> Result<(), sqlx::Error> {
        query("INSERT INTO note (words) VALUES (?)")
            .bind(words)
            .execute(change)
            .await
            .map(|_| ())
    }

    #[tokio::test]
    async fn a_lone_change_is_committed_at_once_and_one_that_is_dropped_never_was() {
        let notes = Notes::open().await;
        notes.change("kept").await.commit().await.unwrap();
        drop(notes.change("dropped").await);
        assert_eq!(notes.read().await.0, ["kept"]);
    }

    #[tokio::test]
    async fn those_that_wait_share_a_commit() {
        let notes = Notes::open().await;
        let before = notes.read().await.1;
        let first = notes.change("00").await;
        // All of them wait while the first is running.
        let mut others = tokio::task::JoinSet::new();
        for number in 1..50 {
            let writer = notes.writer.clone();
            others.spawn(async move {
                let mut change = writer.begin().await;
                note(&mut change, &format!("{number:02}")).await.unwrap();
                change.commit().await
            });
        }
        tokio::task::yield_now().await;
        first.commit().await.unwrap();
        while let Some(other) = others.join_next().await {
            other.unwrap().unwrap();
        }
        let (there, batches) = notes.read().await;
        assert_eq!(there.len(), 50);
        // One commit for the first change, and one for all that waited. Some may arrive just after the second one began.
        assert!(batches - before <= 4, "{} commits", batches - before);
    }

    #[tokio::test]
    async fn a_change_that_fails_takes_no_other_with_it() {
        let notes = Notes::open().await;
        let first = notes.change("a").await;
        let writer = notes.writer.clone();
        let second = tokio::spawn(async move {
            let mut change = writer.begin().await;
            note(&mut change, "b").await.unwrap();
            note(&mut change, "a").await
        });
        tokio::task::yield_now().await;
        first.commit().await.unwrap();
        assert!(second.await.unwrap().is_err(), "`a` is there already");
        assert_eq!(notes.read().await.0, ["a"]);
    }

    #[tokio::test]
    async fn a_change_that_fails_at_its_end_takes_no_other_with_it() {
        let notes = Notes::open().await;
        let first = notes.change("a").await;
        let mut others = tokio::task::JoinSet::new();
        for words in ["b", "a", "c"] {
            let writer = notes.writer.clone();
            others.spawn(async move {
                let mut change = writer.begin().await;
                change
                    .enqueue("INSERT INTO note (words) VALUES (?)")
                    .bind(words);
                (words, change.commit().await.is_ok())
            });
        }
        tokio::task::yield_now().await;
        first.commit().await.unwrap();
        let mut kept = others.join_all().await;
        kept.sort_unstable();
        assert_eq!(kept, [("a", false), ("b", true), ("c", true)]);
        assert_eq!(notes.read().await.0, ["a", "b", "c"]);
    }

    #[tokio::test]
    async fn a_change_that_is_given_up_among_others_leaves_theirs() {
        let notes = Notes::open().await;
        let first = notes.change("a").await;
        let mut others = tokio::task::JoinSet::new();
        for (words, is_kept) in [("b", false), ("c", true), ("d", false), ("e", true)] {
            let writer = notes.writer.clone();
            others.spawn(async move {
                let mut change = writer.begin().await;
                note(&mut change, words).await.unwrap();
                if is_kept {
                    change.commit().await.unwrap();
                }
            });
        }
        tokio::task::yield_now().await;
        first.commit().await.unwrap();
        others.join_all().await;
        assert_eq!(notes.read().await.0, ["a", "c", "e"]);
    }

    #[tokio::test]
    async fn a_full_disk_is_heard_of_and_the_next_change_finds_everything_in_order() {
        let notes = Notes::open().await;
        notes.change("kept").await.commit().await.unwrap();
        let pages = async |most: u32| {
            let mut change = notes.writer.begin().await;
            let set = format!("PRAGMA max_page_count = {most}");
            query(set.leak()).fetch_one(&mut change).await.unwrap();
        };
        // Not less than the present number.
        pages(1).await;
        let mut change = notes.writer.begin().await;
        for words in ["small".to_owned(), "large".repeat(100_000)] {
            change
                .enqueue("INSERT INTO note (words) VALUES (?)")
                .bind(words);
        }
        assert!(change.commit().await.is_err());
        pages(1_000_000).await;
        notes.change("next").await.commit().await.unwrap();
        assert_eq!(notes.read().await.0, ["kept", "next"]);
    }

    #[tokio::test]
    async fn a_file_that_another_program_holds_is_a_reason_to_come_back() {
        let notes = Notes::open().await;
        let mut change = notes.writer.begin().await;
        let patience = query("PRAGMA busy_timeout = 20");
        patience.fetch_all(&mut change).await.unwrap();
        drop(change);
        let path = notes.folder.path().join("notes.db");
        let mut other = Connection::open(&crate::sqlite_options(&path))
            .await
            .unwrap();
        let begun = query("BEGIN IMMEDIATE").execute(&mut other);
        begun.await.unwrap();
        let mut asking = notes.writer.begin().await;
        let refused = note(&mut asking, "asked").await.unwrap_err();
        drop(asking);
        assert!(crate::is_passing(&refused), "{refused}");
        let mut queueing = notes.writer.begin().await;
        queueing
            .enqueue("INSERT INTO note (words) VALUES (?)")
            .bind("queued");
        let refused = queueing.commit().await.unwrap_err();
        assert!(crate::is_passing(&refused), "{refused}");
        query("ROLLBACK").execute(&mut other).await.unwrap();
        notes.change("later").await.commit().await.unwrap();
        assert_eq!(notes.read().await.0, ["later"]);
    }

    #[tokio::test]
    async fn a_change_that_does_nothing_is_over_without_a_word() {
        let notes = Notes::open().await;
        drop(notes.writer.begin().await);
        notes.change("a").await.commit().await.unwrap();
        drop(notes.writer.begin().await);
        notes.writer.begin().await.commit().await.unwrap();
        assert_eq!(notes.read().await.0, ["a"]);
    }

    #[tokio::test]
    async fn a_caller_that_goes_away_blocks_nobody() {
        let notes = Notes::open().await;
        let held = notes.change("held").await;
        let writer = notes.writer.clone();
        let waiting = tokio::spawn(async move { drop(writer.begin().await) });
        tokio::task::yield_now().await;
        waiting.abort();
        // Its commit is in progress when the caller is dropped. It completes all the same.
        let committing = tokio::spawn(held.commit());
        tokio::task::yield_now().await;
        committing.abort();
        notes.change("next").await.commit().await.unwrap();
        assert!(notes.read().await.0.contains(&"next".to_owned()));
    }

    #[tokio::test]
    async fn nobody_is_told_of_a_commit_that_was_not() {
        let notes = Notes::open().await;
        let mut change = notes.change("lost").await;
        query("ROLLBACK").execute(&mut change).await.unwrap();
        assert!(change.commit().await.is_err());
        notes.change("next").await.commit().await.unwrap();
        assert_eq!(notes.read().await.0, ["next"]);
    }
}
