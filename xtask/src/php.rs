//! The tests of the PHP package (`packages/php`) and of the plug-in for WooCommerce (`packages/woocommerce`): with PHP, PHPUnit and Guzzle of the system.
//!
//! Composer would fetch the tools from registries that not every machine reaches; Debian has them as packages.

use crate::process::{run as run_loudly, step, version_of};
use crate::project::Project;
use crate::setup::apt_install;
use anyhow::{Context, Result, bail};
use std::process::Command;

/// Which tests of the packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tests {
    /// Those that need nothing but PHP.
    Offline,
    /// Those that call a gateway.
    Live,
}

/// Finds PHP and what the tests need, or installs them if that is possible without a question.
pub(crate) fn set_up() -> Result<()> {
    step("setup: PHP, PHPUnit and Guzzle", |line| {
        if !is_there() {
            line.say("installing with apt-get");
            apt_install(&PACKAGES).context(NO_PHP)?;
        }
        if !is_there() {
            bail!("PHP, PHPUnit or Guzzle is still not there. {NO_PHP}");
        }
        line.say(&version_of("php").unwrap_or_default());
        Ok(())
    })
}

/// Finds what a WordPress under test needs, or installs it: the server of its database, and PHP's extension for it.
pub(crate) fn set_up_wordpress() -> Result<()> {
    step("setup: MariaDB for WordPress", |line| {
        let is_there = || {
            let loaded = Command::new("php")
                .args(["-r", "exit(extension_loaded('mysqli') ? 0 : 1);"])
                .output();
            version_of("mariadbd").is_some() && loaded.is_ok_and(|output| output.status.success())
        };
        if !is_there() {
            line.say("installing with apt-get");
            apt_install(&["mariadb-server", "php-mysql"]).context(NO_MARIADB)?;
        }
        if !is_there() {
            bail!("MariaDB or mysqli is still not there. {NO_MARIADB}");
        }
        line.say(&version_of("mariadbd").unwrap_or_default());
        Ok(())
    })
}

/// Runs tests of the packages. `environment` tells the live ones their gateway.
pub(crate) fn test(project: &Project, tests: Tests, environment: &[(&str, String)]) -> Result<()> {
    let suite = match tests {
        Tests::Offline => "offline",
        Tests::Live => "live",
    };
    for package in ["packages/php", "packages/woocommerce"] {
        run_loudly(
            Command::new("phpunit")
                .current_dir(project.root.join(package))
                .args(["--testsuite", suite])
                .envs(environment.iter().map(|(name, value)| (name, value))),
        )?;
    }
    Ok(())
}

/// Whether PHP is new enough and finds the files that the tests load.
fn is_there() -> bool {
    let script = "exit(PHP_VERSION_ID >= 80200 && extension_loaded('curl') && extension_loaded('pdo_sqlite') && stream_resolve_include_path('GuzzleHttp/autoload.php') \
        && stream_resolve_include_path('Psr/Log/autoload.php') ? 0 : 1);";
    let finds = Command::new("php").args(["-r", script]).output();
    finds.is_ok_and(|output| output.status.success()) && version_of("phpunit").is_some()
}

pub(crate) const PACKAGES: [&str; 6] = [
    "php-cli",
    "php-curl",
    "php-guzzlehttp-guzzle",
    "php-psr-log",
    "php-sqlite3",
    "phpunit",
];
const NO_MARIADB: &str = "The plug-in for WooCommerce is tried in Debian's WordPress, with MariaDB: `apt-get install mariadb-server php-mysql` as root";
const NO_PHP: &str = "The PHP package and the plug-in for WooCommerce are tested with PHP 8.2 or newer, PHPUnit 9.6 and Guzzle 7. On Debian or Ubuntu: \
    `apt-get install php-cli php-curl php-guzzlehttp-guzzle php-psr-log php-sqlite3 phpunit` as root. Elsewhere: put `php` and `phpunit` on PATH, and Guzzle and \
    psr/log with their `autoload.php` into PHP's include path";
