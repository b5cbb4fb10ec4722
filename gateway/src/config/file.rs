//! The file with settings: TOML, one key for each, e.g. `idle_seconds = 300`.

use super::settings::{SETTINGS, Value};
use super::{Config, ConfigError};

/// Reads the settings of a file; those that it does not have keep their defaults.
pub(super) fn read(path: &str) -> Result<Config, ConfigError> {
    let problem = |problem: String| ConfigError::File {
        file: path.to_owned(),
        problem,
    };
    let text = std::fs::read_to_string(path).map_err(|error| problem(error.to_string()))?;
    let table: toml::Table = text
        .parse()
        .map_err(|error: toml::de::Error| problem(error.to_string()))?;
    let mut config = Config::default();
    for (key, value) in table {
        let Some(setting) = SETTINGS.iter().find(|setting| setting.key() == key) else {
            let file = path.to_owned();
            return Err(ConfigError::UnknownKey { file, key });
        };
        let value = match value {
            toml::Value::String(text) => Value::Text(text),
            toml::Value::Integer(number) => Value::Number(number),
            toml::Value::Boolean(is_on) => Value::Switch(is_on),
            _ => Value::Other,
        };
        if !setting.put(&mut config, value) {
            return Err(ConfigError::Key {
                file: path.to_owned(),
                key,
                accepts: setting.accepts_in_files(),
            });
        }
    }
    Ok(config)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Reads a file with these words, and an environment with this one variable beside it.
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
        let words = "idle_seconds = 77\nsandbox_faults = false\norigin = 'https://pay.example'\nlisten = '127.0.0.1:0'";
        let config = with(words, Some(("PAYFRAME_IDLE_SECONDS", "5"))).unwrap();
        assert_eq!(config.idle, Duration::from_secs(5));
        assert!(!config.sandbox_faults);
        assert_eq!(config.origin, "https://pay.example");
        assert_eq!(config.listen.port(), 0);
        assert_eq!(config.hard, Config::default().hard);
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
                "there is no setting idel_seconds; there are listen, ",
            ),
            ("[session]\nidle = 3", "there is no setting session; "),
            ("idle_seconds = ", "TOML parse error at line 1"),
            ("idle_seconds = 3\nidle_seconds = 4", "duplicate key"),
        ] {
            let problem = with(words, None).unwrap_err().to_string();
            assert!(problem.contains("/payframe.toml: "), "{words}: {problem}");
            assert!(problem.contains(expected), "{words}: {problem}");
        }
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
