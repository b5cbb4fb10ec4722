//! The one connection that writes: writers take turns on it and share commits.
//!
//! SQLite lets one transaction write at a time. Connections that compete for that poll and sleep; here they queue,
//! first come first served, in this process. A commit waits for the disk, so whoever has finished a change queues once
//! more, behind those that wait already, and then commits for all that came in between: under load many changes cost
//! one commit, and a lone one is committed at once. Each change is a savepoint: one that is given up takes nothing of
//! the others with it. [`Change::commit`] answers when the change is on the disk.
//!
//! The words that begin and end a change travel with its own statements ([`Connection::enqueue`]), so that none of them
//! is a message to the database by itself.
//!
//! Nothing in here is cut off half way when a caller goes away: what must be done to the end runs in tasks of its own.
//!
//! Libraries weighed: the pool of sqlx with a single connection, deadpool-sqlite and tokio-rusqlite have writers queue, too, but each
//! change has a commit, and so a wait for the disk, of its own; none lets one change be given up among others that share a commit.

use super::connection::Connection;
use sqlx::sqlite::SqliteConnectOptions;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};

/// Hands the connection to one writer after the other.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    state: Arc<Mutex<WriterState>>,
    /// How many wait for their turn, to make a change or to commit.
    queue: Arc<AtomicUsize>,
}

/// What the writer whose turn it is has before it.
#[derive(Debug)]
struct WriterState {
    connection: Connection,
    /// Those whose changes stand in the open transaction. None: none is open.
    batch: Option<Vec<Finished>>,
    /// The open transaction is at a savepoint at which the next change can begin.
    is_ready: bool,
    /// Batches so far, so that a finished writer knows whether its own is still open.
    batches: u64,
}

/// Where somebody waits to hear that its change is on the disk.
type Finished = oneshot::Sender<Result<(), String>>;

/// A change that is being made. Given up, it has never been.
#[derive(Debug)]
pub(crate) struct Change {
    /// Nothing only while it ends.
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

    /// Waits for its turn; from then on the database is the caller's until it commits or lets go.
    pub(crate) async fn begin(&self) -> Change {
        let mut state = self.queue().lock().await;
        state.start();
        Change {
            state: Some(state),
            writer: self.clone(),
        }
    }

    /// Puts a change into the batch and sees to it that the batch is committed.
    async fn finish(self, mut state: OwnedMutexGuard<WriterState>, finished: Finished) {
        let is_last = self.queue.load(Ordering::Acquire) == 0;
        let Some(batch) = state.release(finished, is_last).await else {
            return;
        };
        let slot = self.queue();
        drop(state);
        // Behind everybody who waits already: their changes come along.
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

/// Somebody who waits for its turn, or did until it went away.
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
    /// Answers when the change is on the disk. An error: it is not, and was never there.
    pub(crate) async fn commit(mut self) -> Result<(), sqlx::Error> {
        let Some(state) = self.state.take() else {
            return Ok(());
        };
        let (finished, heard) = oneshot::channel();
        tokio::spawn(self.writer.clone().finish(state, finished));
        match heard.await {
            Ok(outcome) => outcome.map_err(sqlx::Error::Protocol),
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
        // Without a runtime the process is ending, and the open transaction with it.
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

    /// Whether the change has done nothing with the database. Then it is over without a word.
    fn has_not_begun(&mut self) -> bool {
        let has_not = self.connection.is_silent();
        if has_not && self.batch.as_ref().is_some_and(Vec::is_empty) {
            self.batch = None;
        }
        has_not
    }

    /// Ends a change that is kept; which batch it is in. None: its writer knows already what became of it, because nobody else
    /// was to be waited for (`is_last`), or because it failed.
    async fn release(&mut self, finished: Finished, is_last: bool) -> Option<u64> {
        self.is_ready = false;
        self.connection.enqueue(if is_last {
            "RELEASE one; COMMIT"
        } else {
            // Somebody waits to begin the next one, or to commit, which takes the savepoint along.
            "RELEASE one; SAVEPOINT one"
        });
        match self.connection.send().await {
            Ok(()) => {
                self.is_ready = !is_last;
                self.batch.get_or_insert_default().push(finished);
                if is_last {
                    self.tell(&Ok(()));
                    return None;
                }
                Some(self.batches)
            }
            Err(problem) => {
                let _ = finished.send(Err(problem.to_string()));
                self.give_up().await;
                None
            }
        }
    }

    /// Undoes a change that nobody keeps, and lets go of the database if there was no other.
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
            Ok(()) => self.tell(&Ok(())),
            Err(problem) => self.fail(&problem.to_string()).await,
        }
    }

    /// The open transaction is lost as a whole: the database said so, or can not be trusted with the rest of it.
    async fn fail(&mut self, problem: &str) {
        // It may have been rolled back already, which is an error of no account.
        let _ = self.run("ROLLBACK").await;
        self.tell(&Err(problem.to_owned()));
    }

    fn tell(&mut self, outcome: &Result<(), String>) {
        self.is_ready = false;
        self.batches += 1;
        for finished in self.batch.take().unwrap_or_default() {
            // Who went away meanwhile does not hear it.
            let _ = finished.send(outcome.clone());
        }
    }

    /// These words alone: what waited is not to be sent any more, or was.
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
        _folder: tempfile::TempDir,
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
            Notes {
                writer,
                _folder: folder,
            }
        }

        async fn change(&self, words: &str) -> Change {
            let mut change = self.writer.begin().await;
            note(&mut change, words).await.unwrap();
            change
        }

        /// All notes that stand, and how many commits it took so far.
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
        // All of them queue while the first is at work.
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
        // That of the first, and one for all that waited meanwhile. Some may come just after that one was begun.
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
        // No fewer than there are.
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
        // Its commit is under way when the caller goes: it is made all the same.
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
