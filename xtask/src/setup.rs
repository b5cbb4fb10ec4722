//! Installs what the other commands need and is missing: wasm target, wasm-pack, wasm-bindgen's
//! command line, npm packages, browsers with their drivers, bash, curl and SoftHSM.
//!
//! Each function has one concern and is quick when there is nothing to do (it only asks for versions). If something cannot
//! be installed, the error says what to install. Nothing outside `target/` and `node_modules/`
//! is changed, except rustup's components and, as root on Debian or Ubuntu, the packages of browsers, PostgreSQL, PHP and SoftHSM.

use crate::dist::hex_digest;
use crate::process::{StepLine, capture, find_in, find_on_path, step, version_of};
use crate::project::{Project, locked_version};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether the standard library's source is available, to be rebuilt for size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StdSource {
    Present,
    Absent,
}

/// The tools that compile the widget: the wasm target, wasm-bindgen's command line at the locked version, wasm-pack.
pub(crate) fn widget_tools(project: &Project) -> Result<StdSource> {
    let sysroot =
        PathBuf::from(capture(Command::new("rustc").args(["--print", "sysroot"]))?.trim());
    installed_target(&sysroot, WASM_TARGET)?;
    let std_source = std_source(&sysroot)?;
    let lock = std::fs::read_to_string(project.root.join("Cargo.lock"))?;
    let bindgen = locked_version(&lock, "wasm-bindgen")?;
    cargo_tool(project, "wasm-bindgen-cli", "wasm-bindgen", &bindgen)?;
    cargo_tool(project, "wasm-pack", "wasm-pack", WASM_PACK)?;
    splitter(project)?;
    // Files left by the compilation of the tools; if removing fails, it only costs disk space.
    let _ = std::fs::remove_dir_all(project.target.join("tools-build"));
    Ok(std_source)
}

/// The programs that run the examples of the guides: bash and curl.
pub(crate) fn command_line() -> Result<()> {
    step("setup: bash and curl", |line| {
        let missing: Vec<&str> = ["bash", "curl"]
            .into_iter()
            .filter(|program| version_of(program).is_none())
            .collect();
        if missing.is_empty() {
            line.say("present");
            return Ok(());
        }
        line.say("installing");
        apt_install(&missing).with_context(|| {
            format!(
                "{} is missing: a test runs the examples of the guides with it. Install your system's package",
                missing.join(" and ")
            )
        })
    })
}

/// SoftHSM: the token of the tests of wrapped keys.
pub(crate) fn soft_hsm() -> Result<()> {
    step("setup: SoftHSM", |line| {
        if let Some(version) = version_of("softhsm2-util") {
            line.say(&version);
            return Ok(());
        }
        line.say("installing with apt-get");
        apt_install(&SOFT_HSM_PACKAGES).context(
            "SoftHSM is needed by the tests of keys in an HSM, and could not be installed. On Debian or Ubuntu: \
             `apt-get install softhsm2` as root. Elsewhere: your system's package `softhsm`",
        )
    })
}

/// Node and the packages of `package-lock.json`: type checker, test tools, wasm-opt, minifier.
pub(crate) fn node_packages(project: &Project) -> Result<()> {
    step("setup: Node and npm packages", |line| {
        let version = version_of("node").context(
            "Node is not on PATH. Install Node 20 or newer (https://nodejs.org, or your system's package `nodejs` with `npm`)",
        )?;
        let major = version.trim_start_matches('v').split('.').next();
        if major.and_then(|text| text.parse().ok()).unwrap_or(0) < NODE_MAJOR {
            bail!("Node is {version}; Payframe's tests and build need Node {NODE_MAJOR} or newer");
        }
        line.say(&format!("Node {version}"));
        let lock = std::fs::read(project.root.join("package-lock.json"))
            .context("package-lock.json is missing: is this a whole checkout?")?;
        let stamp_file = project.root.join("node_modules/.payframe-lock");
        let stamp = hex_digest(&lock);
        if std::fs::read_to_string(&stamp_file).is_ok_and(|text| text == stamp) {
            line.say("packages as locked");
            return Ok(());
        }
        line.say("installing with npm ci");
        capture(Command::new("npm").current_dir(&project.root).args([
            "ci",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
        ]))
        .context(
            "npm could not install the packages of package-lock.json (is the registry reachable?)",
        )?;
        std::fs::write(&stamp_file, stamp)?;
        Ok(())
    })
}

/// A Chromium and its WebDriver.
pub(crate) struct Browser {
    pub(crate) chromium: PathBuf,
    /// The same engine without a browser's window around the page, or `chromium` where there is none. It takes a third less time.
    shell: PathBuf,
    pub(crate) driver: PathBuf,
}

/// Finds a Chromium with its driver, or installs both if that is possible without a question.
pub(crate) fn browser() -> Result<Browser> {
    step("setup: Chromium and chromedriver", |line| {
        // Systems without a package of the shell test in the whole browser.
        if find_on_path(HEADLESS_SHELL).is_none() {
            let _ = apt_install(&[HEADLESS_SHELL]);
        }
        if let Some(found) = find_browser(line) {
            return Ok(found);
        }
        line.say("installing with apt-get (about a minute)");
        apt_install(&CHROMIUM_PACKAGES).context(NO_BROWSER)?;
        find_browser(line).context(NO_BROWSER)
    })
}

/// Firefox and WebKit, each with its driver, and the X server without a screen that WebKit's browser needs.
pub(crate) struct OtherEngines {
    firefox: PathBuf,
    geckodriver: PathBuf,
    minibrowser: PathBuf,
    webkit_driver: PathBuf,
    x_server: PathBuf,
}

/// Finds the other two engines, or installs them if that is possible without a question.
pub(crate) fn other_engines(project: &Project) -> Result<OtherEngines> {
    cargo_tool(project, "geckodriver", "geckodriver", GECKODRIVER)?;
    let _ = std::fs::remove_dir_all(project.target.join("tools-build"));
    step("setup: Firefox and WebKit", |line| {
        let missing = match find_engines(project)? {
            Ok(found) => {
                line.say(&version_of(&found.firefox).unwrap_or_default());
                return Ok(found);
            }
            Err(missing) => missing,
        };
        line.say(&format!(
            "{} not there, installing with apt-get (minutes)",
            missing.join(", ")
        ));
        apt_install(&ENGINE_PACKAGES).context(NO_ENGINES)?;
        match find_engines(project)? {
            Ok(found) => Ok(found),
            Err(missing) => {
                bail!("{} still not there. {NO_ENGINES}", missing.join(", "))
            }
        }
    })
}

/// rustfmt and clippy, which a minimal toolchain lacks.
pub(crate) fn rust_components() -> Result<()> {
    step("setup: rustfmt and clippy", |line| {
        let missing: Vec<&str> = [("cargo-fmt", "rustfmt"), ("cargo-clippy", "clippy")]
            .into_iter()
            .filter(|(program, _)| version_of(program).is_none())
            .map(|(_, component)| component)
            .collect();
        if missing.is_empty() {
            line.say("present");
            return Ok(());
        }
        line.say("rustup component add");
        rustup(&[&["component", "add"], missing.as_slice()].concat())
    })
}

fn installed_target(sysroot: &Path, target: &str) -> Result<()> {
    step(&format!("setup: Rust target {target}"), |line| {
        let library = sysroot.join("lib/rustlib").join(target).join("lib");
        if library.is_dir() {
            line.say("present");
            return Ok(());
        }
        line.say("rustup target add");
        rustup(&["target", "add", target])
    })
}

/// Installs the standard library for a target.
pub(crate) fn rust_target(target: &str) -> Result<()> {
    let sysroot = capture(Command::new("rustc").args(["--print", "sysroot"]))?;
    installed_target(Path::new(sysroot.trim()), target)
}

fn std_source(sysroot: &Path) -> Result<StdSource> {
    step(
        "setup: Rust's library source, to build it for size",
        |line| {
            let source = sysroot.join("lib/rustlib/src/rust/library/std/Cargo.toml");
            if source.is_file() {
                line.say("present");
                return Ok(StdSource::Present);
            }
            line.say("rustup component add rust-src");
            match rustup(&["component", "add", "rust-src"]) {
                Ok(()) => Ok(StdSource::Present),
                Err(_) => {
                    line.say("not to be had; the widget will be built with the ready-made library and come out larger");
                    Ok(StdSource::Absent)
                }
            }
        },
    )
}

fn rustup(arguments: &[&str]) -> Result<()> {
    if version_of("rustup").is_none() {
        bail!(
            "rustup is not on PATH. Install it (https://rustup.rs), or run what `rustup {}` would do with your own toolchain",
            arguments.join(" ")
        );
    }
    capture(Command::new("rustup").args(arguments))
        .with_context(|| {
            format!(
                "`rustup {}` did not work; it needs the network once",
                arguments.join(" ")
            )
        })
        .map(drop)
}

/// Installs the program that splits the widget's module into parts. It does not tell its version, so cargo's record of it is asked.
fn splitter(project: &Project) -> Result<()> {
    step(&format!("setup: wasm-split-cli {WASM_SPLIT}"), |line| {
        let record = project.target.join("tools/.crates.toml");
        let entry = format!("\"wasm_split_cli_support {WASM_SPLIT} (");
        if std::fs::read_to_string(record).is_ok_and(|record| record.contains(&entry)) {
            line.say("present");
            return Ok(());
        }
        let options = ["--features", "build-binary"];
        install_tool(
            project,
            line,
            "wasm_split_cli_support",
            WASM_SPLIT,
            &options,
        )
    })
}

/// Installs a command-line tool from crates.io into the target directory, unless PATH has that version.
fn cargo_tool(project: &Project, package: &str, program: &str, version: &str) -> Result<()> {
    step(&format!("setup: {program} {version}"), |line| {
        let is_right = |path: PathBuf| {
            version_of(path).is_some_and(|said| said.split_whitespace().nth(1) == Some(version))
        };
        if find_in(&project.search_path()?, program).is_some_and(is_right) {
            line.say("present");
            return Ok(());
        }
        install_tool(project, line, package, version, &[])
    })
}

/// Compiles a program into the tools of this checkout.
fn install_tool(
    project: &Project,
    line: &mut StepLine,
    package: &str,
    version: &str,
    options: &[&str],
) -> Result<()> {
    line.say("compiling from crates.io (minutes, once)");
    let build_dir = project.target.join("tools-build");
    let install = |locked: &[&str]| {
        capture(
            Command::new("cargo")
                // Outside the checkout, because its settings are not for other people's programs.
                .current_dir(std::env::temp_dir())
                .args(["install", "--force", package, "--version"])
                .arg(format!("={version}"))
                .arg("--root")
                .arg(project.target.join("tools"))
                .args(options)
                .args(locked)
                .env("CARGO_TARGET_DIR", &build_dir)
                // They run for seconds, so only the compile time matters.
                .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
                .env("CARGO_PROFILE_RELEASE_LTO", "off")
                .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "256")
                .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
                .env_remove("RUSTFLAGS")
                .env_remove("CARGO_ENCODED_RUSTFLAGS"),
        )
    };
    // A mirror may lack a very new release that a tool's own lock file names.
    let installed = install(&["--locked"]).or_else(|_| {
        line.say("its own lock file could not be met, trying without");
        install(&[])
    });
    installed.with_context(|| {
        format!("{package} {version} could not be installed: put it on PATH, or run again with the network up")
    })?;
    Ok(())
}

fn find_browser(line: &mut StepLine) -> Option<Browser> {
    let chosen = |variable: &str, names: &[&str]| -> Option<PathBuf> {
        let by_hand = std::env::var_os(variable).map(PathBuf::from);
        let on_path = names.iter().filter_map(|name| find_on_path(name));
        // A system may have a program with this name that only says how to install the real one.
        by_hand
            .into_iter()
            .chain(on_path)
            .find(|program| version_of(program).is_some())
    };
    let chromium = chosen("CHROMIUM", &CHROMIUM_NAMES)?;
    let driver = chosen("CHROMEDRIVER", &["chromedriver"])?;
    let shell = chosen("HEADLESS_SHELL", &[HEADLESS_SHELL]).unwrap_or_else(|| chromium.clone());
    line.say(&version_of(&chromium)?);
    Some(Browser {
        chromium,
        shell,
        driver,
    })
}

/// The engines, or the names of the missing programs.
fn find_engines(project: &Project) -> Result<Result<OtherEngines, Vec<&'static str>>> {
    let path = project.search_path()?;
    let program = |variable: &str, names: &[&str]| -> Option<PathBuf> {
        std::env::var_os(variable)
            .map(PathBuf::from)
            .filter(|program| program.is_file())
            .or_else(|| names.iter().find_map(|name| find_in(&path, name)))
    };
    let found = [
        (
            "Firefox",
            // Ubuntu's own package of this name only says how to install the real one.
            program("FIREFOX", &["firefox-esr", "firefox"])
                .filter(|program| version_of(program).is_some()),
        ),
        ("geckodriver", program("GECKODRIVER", &["geckodriver"])),
        (
            "WebKit's MiniBrowser",
            program("MINIBROWSER", &[]).or_else(minibrowser),
        ),
        (
            "WebKitWebDriver",
            program("WEBKITWEBDRIVER", &["WebKitWebDriver"]),
        ),
        ("Xvfb", program("XVFB", &["Xvfb"])),
    ];
    let missing: Vec<&str> = found
        .iter()
        .filter(|(_, program)| program.is_none())
        .map(|(name, _)| *name)
        .collect();
    let [firefox, geckodriver, minibrowser, webkit_driver, x_server] =
        found.map(|(_, program)| program);
    Ok((|| {
        Some(OtherEngines {
            firefox: firefox?,
            geckodriver: geckodriver?,
            minibrowser: minibrowser?,
            webkit_driver: webkit_driver?,
            x_server: x_server?,
        })
    })()
    .ok_or(missing))
}

/// WebKit's browser for tests is beside its processes, in a folder whose name contains machine and version.
fn minibrowser() -> Option<PathBuf> {
    let entries = |folder: PathBuf| -> Vec<PathBuf> {
        std::fs::read_dir(folder)
            .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
            .unwrap_or_default()
    };
    let libraries = [PathBuf::from("/usr/lib"), PathBuf::from("/usr/libexec")];
    let mut found: Vec<PathBuf> = libraries
        .into_iter()
        .flat_map(|folder| [vec![folder.clone()], entries(folder)].concat())
        .flat_map(entries)
        .filter(|folder| {
            folder
                .file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("webkit2gtk-"))
        })
        .map(|folder| folder.join("MiniBrowser"))
        .filter(|program| program.is_file())
        .collect();
    found.sort();
    found.pop()
}

/// Whether no browser was installed yet.
pub(crate) fn is_fresh_machine() -> bool {
    CHROMIUM_NAMES
        .iter()
        .all(|name| find_on_path(name).is_none())
}

/// Installs packages of Debian or Ubuntu, if that is possible without a question, which means as root.
pub(crate) fn apt_install(packages: &[&str]) -> Result<()> {
    let root = nix::unistd::Uid::effective().is_root();
    if !root || version_of("apt-get").is_none() {
        bail!("packages are installed only by root, with apt-get");
    }
    let install = [
        &["install", "-y", "-qq", "--no-install-recommends"],
        packages,
    ]
    .concat();
    for arguments in [&["update", "-qq"][..], &install] {
        capture(
            Command::new("apt-get")
                // A machine that was just started may be installing its own updates.
                .args(["-o", "DPkg::Lock::Timeout=600"])
                .args(arguments)
                .env("DEBIAN_FRONTEND", "noninteractive"),
        )?;
    }
    Ok(())
}

/// Environment of a program that starts the other two engines.
pub(crate) fn engine_environment(engines: &OtherEngines) -> [(&'static str, OsString); 5] {
    [
        ("FIREFOX", engines.firefox.clone().into()),
        ("GECKODRIVER", engines.geckodriver.clone().into()),
        ("MINIBROWSER", engines.minibrowser.clone().into()),
        ("WEBKITWEBDRIVER", engines.webkit_driver.clone().into()),
        ("XVFB", engines.x_server.clone().into()),
    ]
}

/// Environment of a program that starts the browser with its driver or with playwright-core.
pub(crate) fn browser_environment(browser: &Browser) -> [(&'static str, OsString); 3] {
    [
        ("CHROMIUM", browser.chromium.clone().into()),
        ("HEADLESS_SHELL", browser.shell.clone().into()),
        ("CHROMEDRIVER", browser.driver.clone().into()),
    ]
}

pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";
const WASM_PACK: &str = "0.15.1";
const WASM_SPLIT: &str = "0.2.4";
const GECKODRIVER: &str = "0.37.1";
const NODE_MAJOR: u32 = 20;
const CHROMIUM_NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
];
pub(crate) const CHROMIUM_PACKAGES: [&str; 2] = ["chromium", "chromium-driver"];
/// A program, and the package of Debian that has it.
pub(crate) const HEADLESS_SHELL: &str = "chromium-headless-shell";
pub(crate) const SOFT_HSM_PACKAGES: [&str; 1] = ["softhsm2"];
pub(crate) const ENGINE_PACKAGES: [&str; 3] = ["firefox-esr", "webkit2gtk-driver", "xvfb"];
const NO_BROWSER: &str = "Chromium and chromedriver are needed and could not be installed. On Debian or Ubuntu: \
    `apt-get install chromium chromium-driver` as root. Elsewhere: put `chromium` (or Google Chrome) and a `chromedriver` \
    of the same major version on PATH, or name them in the variables CHROMIUM and CHROMEDRIVER";
const NO_ENGINES: &str = "Firefox and WebKit are needed and could not be installed. On Debian or Ubuntu: \
    `apt-get install firefox-esr webkit2gtk-driver xvfb` as root (on Ubuntu `firefox` from Mozilla's own package). Elsewhere: put \
    `firefox`, `WebKitWebDriver` and `Xvfb` on PATH, or name them in the variables FIREFOX, MINIBROWSER, WEBKITWEBDRIVER and XVFB. \
    Without them: `cargo xtask test --engines chromium` tests everything in Chromium alone";
