//! Keeps what is in the gateway's memory, cards and keys, off the disk: a process of production has no core dumps, and none of its memory is
//! swapped where the operating system lets it demand that.
//!
//! Memory that is given back is wiped by the program's allocator ([`crate`]).

/// Whether memory can get into the swap space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Swap {
    /// It stays in memory.
    Never,
    /// The process may lock only a part of its memory, so it locks none: what comes after that part could not be allocated.
    Possible,
}

/// Forbids core dumps of this process, and debuggers that are not root's. Elsewhere than on Linux the operator forbids them.
#[cfg(target_os = "linux")]
pub(crate) fn forbid_dumps() -> std::io::Result<()> {
    Ok(nix::sys::prctl::set_dumpable(false)?)
}

/// Locks all memory that this process has and will have, each page once it is used.
#[cfg(target_os = "linux")]
pub(crate) fn lock() -> std::io::Result<Swap> {
    use nix::sys::mman::{MlockAllFlags, mlockall};
    use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
    let (limit, _) = getrlimit(Resource::RLIMIT_MEMLOCK)?;
    if limit != RLIM_INFINITY {
        return Ok(Swap::Possible);
    }
    let once_used = MlockAllFlags::from_bits_retain(nix::libc::MCL_ONFAULT);
    mlockall(MlockAllFlags::MCL_CURRENT | MlockAllFlags::MCL_FUTURE | once_used)?;
    Ok(Swap::Never)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn forbid_dumps() -> std::io::Result<()> {
    Ok(())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn lock() -> std::io::Result<Swap> {
    Ok(Swap::Possible)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn dumps_are_forbidden() {
        forbid_dumps().unwrap();
        assert!(!nix::sys::prctl::get_dumpable().unwrap());
    }
}
