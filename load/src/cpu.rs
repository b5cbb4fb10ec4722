//! The computing time of processes of this machine, so far.

use std::time::Duration;

/// Of one process, over all its threads; `None` if the system does not tell it.
pub(crate) fn of_process(process: Option<u32>) -> Option<Duration> {
    Some(ticks(stat_of(&process?.to_string())?.own))
}

/// Of a process and all that it started, also those that have ended.
pub(crate) fn of_family(main: u32) -> Option<Duration> {
    let mut all = 0;
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let name = entry.file_name();
        let Some((name, stat)) = name.to_str().and_then(|name| Some((name, stat_of(name)?))) else {
            continue;
        };
        if name == main.to_string() {
            all += stat.own + stat.of_ended_children;
        } else if stat.parent == main {
            all += stat.own;
        }
    }
    Some(ticks(all))
}

/// The process that started another one with this name.
pub(crate) fn parent(process: u32, name: &str) -> Option<u32> {
    let stat = stat_of(&process.to_string())?;
    (stat.name == name).then_some(stat.parent)
}

/// What `/proc/…/stat` says of a process.
struct Stat {
    name: String,
    parent: u32,
    own: u64,
    of_ended_children: u64,
}

fn stat_of(process: &str) -> Option<Stat> {
    read(&std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?)
}

fn read(stat: &str) -> Option<Stat> {
    // The name, in brackets, may contain anything.
    let (name, words) = stat.rsplit_once(')')?;
    let words: Vec<&str> = words.split_whitespace().collect();
    let number = |at: usize| words.get(at)?.parse::<u64>().ok();
    Some(Stat {
        name: name.split_once('(')?.1.to_owned(),
        parent: words.get(1)?.parse().ok()?,
        own: number(11)? + number(12)?,
        of_ended_children: number(13)? + number(14)?,
    })
}

fn ticks(number: u64) -> Duration {
    Duration::from_millis(number * 1000 / TICKS_PER_SECOND)
}

/// The unit in `/proc/…/stat`: fixed for user space on every Linux.
const TICKS_PER_SECOND: u64 = 100;

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn parents_and_times_are_read_whatever_the_name_is() {
        let stat = "77 (post) gres) S 12 77 77 0 -1 4194304 1 2 3 4 500 60 7000 800 20 0 1 0";
        let read = read(stat).unwrap();
        assert_eq!(read.name, "post) gres");
        assert_eq!(
            (read.parent, read.own, read.of_ended_children),
            (12, 560, 7800)
        );
    }
}
