//! The operator's acquirers by name, and which terminal uses which.

use crate::client::HttpAcquirer;
use crate::routes::Routes;
use crate::settings::AcquirerFile;
use payframe_payment_ports::acquirers::{ChosenAcquirer, Instruments, NewPayment};
use payframe_payment_ports::{Acquirer, Acquirers, Clock};
use payframe_settings_file::SettingsFileError;
use std::collections::HashMap;
use std::sync::Arc;

/// The acquirers of a file, and the gateway's own for the terminals that are not in it.
pub struct HttpAcquirers {
    by_name: HashMap<String, Arc<dyn Acquirer>>,
    /// Where the payments of each terminal go.
    routes: HashMap<String, Routes>,
    /// Those of a sandbox, or none.
    own: Arc<dyn Acquirers>,
}

impl HttpAcquirers {
    /// The acquirers of a file. `others` are those of its other protocols, by name; `own` has those of the terminals that are not in it.
    ///
    /// # Errors
    /// A certificate cannot be read.
    pub fn connect(
        file: &AcquirerFile,
        clock: &Clock,
        others: HashMap<String, Arc<dyn Acquirer>>,
        own: Arc<dyn Acquirers>,
    ) -> Result<HttpAcquirers, SettingsFileError> {
        let mut by_name = others;
        for settings in file.acquirers() {
            let acquirer = HttpAcquirer::new(settings, clock.clone());
            let acquirer = acquirer.map_err(|_| file.bad_certificates(&settings.name))?;
            by_name.insert(settings.name.clone(), Arc::new(acquirer));
        }
        Ok(HttpAcquirers {
            by_name,
            routes: file
                .terminals()
                .map(|(id, routes)| (id.to_owned(), routes.clone()))
                .collect(),
            own,
        })
    }
}

impl Acquirers for HttpAcquirers {
    fn of_terminal(&self, terminal_id: &str) -> Option<Instruments> {
        match self.routes.contains_key(terminal_id) {
            true => Some(Instruments::Cards),
            false => self.own.of_terminal(terminal_id),
        }
    }

    fn choose(&self, payment: &NewPayment<'_>) -> Option<ChosenAcquirer<'_>> {
        match self.routes.get(payment.terminal_id) {
            Some(routes) => routes.choose(payment),
            None => self.own.choose(payment),
        }
    }

    fn named(&self, name: Option<&str>) -> Option<&dyn Acquirer> {
        let connected = name.and_then(|name| self.by_name.get(name));
        match connected {
            Some(acquirer) => Some(&**acquirer),
            None => self.own.named(name),
        }
    }

    fn is_empty(&self) -> bool {
        self.routes.is_empty() && self.own.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Place;
    use payframe_payment_ports::acquirers::NoAcquirers;

    const FILE: &str = "
        [[acquirer]]
        name = 'main'
        url = 'https://adapter.example/payframe'
        secret_file = 'main.secret'
        [[terminal]]
        id = '55000001'
        acquirer = 'main'
        ";

    fn connect(text: &str) -> Result<HttpAcquirers, SettingsFileError> {
        let folder = tempfile::tempdir().unwrap();
        let secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
        std::fs::write(folder.path().join("main.secret"), secret).unwrap();
        std::fs::write(folder.path().join("ca.pem"), "no certificate").unwrap();
        let path = folder.path().join("acquirers.toml");
        std::fs::write(&path, text).unwrap();
        let file = AcquirerFile::read(&path, Place::Production)?;
        HttpAcquirers::connect(
            &file,
            &Clock::system(),
            HashMap::new(),
            Arc::new(NoAcquirers),
        )
    }

    #[test]
    fn a_terminal_has_the_acquirer_of_the_file_and_others_have_none() {
        let acquirers = connect(FILE).unwrap();
        let payment = |terminal_id| NewPayment {
            terminal_id,
            merchant_id: "blumen",
            order_id: "A1",
            currency: "EUR",
            card: None,
        };
        let chosen = ChosenAcquirer {
            name: Some("main"),
            fallback: None,
        };
        assert_eq!(acquirers.choose(&payment("55000001")), Some(chosen));
        assert_eq!(acquirers.of_terminal("55000001"), Some(Instruments::Cards));
        assert_eq!(acquirers.choose(&payment("55000002")), None);
        assert_eq!(acquirers.of_terminal("55000002"), None);
        assert!(acquirers.named(Some("main")).is_some());
        assert!(acquirers.named(Some("former")).is_none());
        let converts =
            |acquirers: &HttpAcquirers| acquirers.named(Some("main")).unwrap().converts();
        assert!(!converts(&acquirers));
        let text = FILE.replacen("secret_file", "currency_conversion = true\nsecret_file", 1);
        assert!(converts(&connect(&text).unwrap()));
        assert!(acquirers.named(None).is_none());
        assert!(!acquirers.is_empty());
        let (without_terminals, _) = FILE.split_once("[[terminal]]").unwrap();
        let acquirers = connect(without_terminals).unwrap();
        assert!(acquirers.is_empty());
        assert!(acquirers.named(Some("main")).is_some());
    }

    #[test]
    fn a_file_without_certificates_is_refused() {
        let text = FILE.replacen("secret_file", "ca_file = 'ca.pem'\nsecret_file", 1);
        let said = connect(&text).err().unwrap().to_string();
        assert!(
            said.ends_with(
                "ca_file of acquirer main must be the path of a file with certificates, as PEM"
            ),
            "{said}"
        );
    }
}
