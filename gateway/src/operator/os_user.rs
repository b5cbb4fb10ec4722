//! Who gives a command: the user of the operating system, for the audit log.

/// The name of the user who runs this process, or their number if it has no name. Behind `sudo` also who called it: that is what its
/// variable says, which a process of root can set to anything.
pub fn os_user() -> String {
    let (name, is_root) = current();
    let caller = std::env::var("SUDO_USER").ok().filter(|_| is_root);
    described(&name, caller.as_deref())
}

#[cfg(unix)]
fn current() -> (String, bool) {
    use nix::unistd::{Uid, User};
    let uid = Uid::current();
    let known = User::from_uid(uid).ok().flatten();
    let name = known.map_or_else(|| format!("uid {uid}"), |user| user.name);
    (name, uid.is_root())
}

#[cfg(not(unix))]
fn current() -> (String, bool) {
    (String::from("unknown"), false)
}

fn described(name: &str, caller: Option<&str>) -> String {
    match caller.filter(|caller| is_plain(caller)) {
        Some(caller) => format!("{name}, by sudo of {caller}"),
        None => name.to_owned(),
    }
}

/// Whether this can be the name of a user: a variable can hold anything.
fn is_plain(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-@".contains(&byte);
    (1..=64).contains(&name.len()) && name.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_called_sudo_is_named_too() {
        for (caller, expected) in [
            (None, "root"),
            (Some("anna"), "root, by sudo of anna"),
            (Some(""), "root"),
            (Some("anna\nroot"), "root"),
        ] {
            assert_eq!(described("root", caller), expected);
        }
        assert!(!os_user().is_empty());
    }
}
