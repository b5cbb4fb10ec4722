//! The file with settings: TOML, one key for each, e.g. `idle_seconds = 300`.

use super::settings::{MODE, SETTINGS, Setting, Value, all};
use super::{Config, ConfigError, Mode};

/// The settings of a file. Settings that are not in it keep their defaults.
#[derive(Default)]
pub(super) struct File {
    path: String,
    table: toml::Table,
}

impl File {
    /// Reads a file. Every key in it is a setting.
    pub(super) fn read(path: &str) -> Result<File, ConfigError> {
        let path = path.to_owned();
        let problem = |problem: String| ConfigError::File {
            file: path.clone(),
            problem,
        };
        let text = std::fs::read_to_string(&path).map_err(|error| problem(error.to_string()))?;
        let table: toml::Table = text
            .parse()
            .map_err(|error: toml::de::Error| problem(error.to_string()))?;
        let is_setting = |key: &str| all().any(|setting| setting.key() == key);
        if let Some(key) = table.keys().find(|key| !is_setting(key)) {
            let key = key.clone();
            return Err(ConfigError::UnknownKey { file: path, key });
        }
        Ok(File { path, table })
    }

    /// The mode, if the file sets it.
    pub(super) fn mode(&self) -> Result<Option<Mode>, ConfigError> {
        let Some(value) = self.table.get(&MODE.key()) else {
            return Ok(None);
        };
        let mode = value.as_str().and_then(Mode::named);
        let accepts = super::MODES;
        mode.map(Some).ok_or_else(|| self.refused(&MODE, accepts))
    }

    /// Applies the other settings.
    pub(super) fn put(&self, config: &mut Config) -> Result<(), ConfigError> {
        for setting in SETTINGS {
            let Some(value) = self.table.get(&setting.key()) else {
                continue;
            };
            let value = match value {
                toml::Value::String(text) => Value::Text(text.clone()),
                toml::Value::Integer(number) => Value::Number(*number),
                toml::Value::Boolean(is_on) => Value::Switch(*is_on),
                _ => Value::Other,
            };
            if !setting.put(config, value) {
                return Err(self.refused(setting, setting.accepts_in_files(config.mode)));
            }
        }
        Ok(())
    }

    fn refused(&self, setting: &Setting, accepts: &'static str) -> ConfigError {
        ConfigError::Key {
            file: self.path.clone(),
            key: setting.key(),
            accepts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Reads a file with this text, and an environment with this one variable.
    fn with(
        words: &str,
        variable: Option<(&'static str, &'static str)>,
    ) -> Result<Config, ConfigError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("payframe.toml");
        std::fs::write(&path, words).unwrap();
        Config::read(|asked| match variable {
            _ if asked == super::super::CONFIG_FILE => path.to_str().map(str::to_owned),
            Some((name, value)) if name == asked => Some(value.to_owned()),
            _ => None,
        })
    }

    #[test]
    fn a_file_sets_what_it_names_and_the_environment_wins_over_it() {
        let words = "mode = 'sandbox'\nidle_seconds = 77\nsandbox_faults = false\norigin = 'https://pay.example'\nlisten = '127.0.0.1:0'\nrefusals_per_card = 0";
        let config = with(words, Some(("PAYFRAME_IDLE_SECONDS", "5"))).unwrap();
        assert_eq!(config.idle, Duration::from_secs(5));
        assert!(!config.mode.accepts_fault_injection());
        assert!(config.mode.is_sandbox());
        assert_eq!(config.origin, "https://pay.example");
        assert_eq!(config.listen.port(), 0);
        assert_eq!(config.refusals_per_card, Some(0));
        assert_eq!(config.hard, Config::sandbox().hard);
        assert_eq!(with(words, None).unwrap().idle, Duration::from_secs(77));
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said_with_its_name_its_key_and_what_is_accepted() {
        for (words, expected) in [
            (
                "idle_seconds = 0",
                "idle_seconds must be a whole number of seconds above 0",
            ),
            (
                "idle_seconds = '300'",
                "idle_seconds must be a whole number of seconds above 0",
            ),
            (
                "idle_seconds = 99999999999",
                "idle_seconds must be a whole number of seconds above 0",
            ),
            ("sandbox_faults = 1", "sandbox_faults must be true or false"),
            ("listen = 8787", "listen must be an address and a port"),
            ("origin = ['https://a.example']", "origin must be scheme"),
            (
                "idel_seconds = 3",
                "there is no setting idel_seconds; there are mode, listen, ",
            ),
            ("[session]\nidle = 3", "there is no setting session; "),
            ("idle_seconds = ", "TOML parse error at line 1"),
            ("idle_seconds = 3\nidle_seconds = 4", "duplicate key"),
        ] {
            let sandbox = Some(("PAYFRAME_MODE", "sandbox"));
            let problem = with(words, sandbox).unwrap_err().to_string();
            assert!(problem.contains("/payframe.toml: "), "{words}: {problem}");
            assert!(problem.contains(expected), "{words}: {problem}");
        }
    }

    #[test]
    fn the_mode_may_be_set_in_the_file() {
        let production = "mode = 'production'\norigin = 'https://pay.example'\n";
        assert_eq!(with(production, None).unwrap().mode, Mode::Production);
        let sandbox = Some(("PAYFRAME_MODE", "sandbox"));
        assert!(with(production, sandbox).unwrap().mode.is_sandbox());
        assert_eq!(
            with("idle_seconds = 3", None).unwrap_err(),
            ConfigError::NoMode
        );
        for (words, expected) in [
            ("mode = 'live'", "mode must be sandbox or production"),
            ("mode = true", "mode must be sandbox or production"),
        ] {
            // Also if a variable overrides it.
            for variable in [None, sandbox] {
                let said = with(words, variable).unwrap_err().to_string();
                assert!(said.ends_with(expected), "{words}: {said}");
            }
        }
        for (words, expected) in [
            (
                "sandbox_merchants = true",
                "sandbox_merchants must be false where the mode is production",
            ),
            (
                "require_encrypted_cards = false",
                "require_encrypted_cards must be true where the mode is production",
            ),
        ] {
            let said = with(&format!("{production}{words}"), None).unwrap_err();
            let said = said.to_string();
            assert!(said.ends_with(expected), "{words}: {said}");
        }
    }

    #[test]
    fn the_file_of_the_debian_package_has_settings_and_leaves_the_mode_to_the_operator() {
        let words = include_str!("../../packaging/debian/gateway.toml");
        assert_eq!(with(words, None).unwrap_err(), ConfigError::NoMode);
        // Lines such as `#mode = "production"` are settings that are switched off.
        let switched_on = |line: &str| {
            let setting = line.strip_prefix('#')?;
            let (key, _) = setting.split_once(" = ")?;
            (!key.contains(' ')).then(|| setting.to_owned())
        };
        let all: Vec<String> = words
            .lines()
            .map(|line| switched_on(line).unwrap_or_else(|| line.to_owned()))
            .collect();
        let config = with(&all.join("\n"), None).unwrap();
        assert_eq!(config.mode, Mode::Production);
        assert_eq!(config.data, std::path::Path::new("/var/lib/payframe"));
        assert_eq!((config.proxies, config.tls_key.is_some()), (1, true));
    }

    #[test]
    fn a_file_that_is_not_there_stops_the_start() {
        let problem = Config::read(|asked| {
            (asked == super::super::CONFIG_FILE).then(|| String::from("/nowhere/payframe.toml"))
        });
        let said = problem.unwrap_err().to_string();
        assert!(said.starts_with("/nowhere/payframe.toml: "), "{said}");
    }
}
