//! The list of frame pages and their parts: one page with the whole form, one for a form whose fields are in other
//! frames, one for each field, for a method's button, for the device check, and one that shows an error.

use crate::pages::{self, PLAIN, WITH_BUTTON};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;

/// One page, the same in every language.
pub(crate) struct Recipe {
    /// Its name in the gateway.
    pub(crate) name: String,
    pub(crate) html: String,
    /// Style sheet below `www/`.
    pub(crate) style: &'static str,
    /// Entry of the loader below `www/`.
    pub(crate) loader: &'static str,
    /// The placeholders that the gateway fills.
    pub(crate) marks: &'static [&'static str],
}

/// All pages. `text`: reads a file below `www/`.
pub(crate) fn recipes(text: impl Fn(&str) -> Result<String>) -> Result<Vec<Recipe>> {
    let form = text("frame/form.html")?;
    let with_button = |name: &str, html: String, loader| Recipe {
        name: name.to_owned(),
        html,
        style: "frame/frame.css",
        loader,
        marks: WITH_BUTTON,
    };
    let plain = |name: String, html: String, loader| Recipe {
        name,
        html,
        style: "frame/field.css",
        loader,
        marks: PLAIN,
    };
    let mut recipes = vec![
        with_button(
            "fields-host",
            pages::without(&form, "fields")?,
            "frame/fields-host.js",
        ),
        with_button("form", form, "frame/loader.js"),
    ];
    for (name, loader) in [
        ("button", "frame/button.js"),
        ("gdi", "frame/gdi.js"),
        ("unavailable-field", "frame/unavailable-field.js"),
    ] {
        let html = text(&format!("frame/{name}.html"))?;
        recipes.push(plain(name.to_owned(), html, loader));
    }
    let template = text("frame/field.html")?;
    let number = text("frame/card-number.html")?;
    let fields: BTreeMap<String, Field> =
        serde_json::from_str(&text("frame/fields.json")?).context("www/frame/fields.json")?;
    for (id, field) in fields {
        let beside = if id == "CARD_NUMBER" { &number } else { "" };
        let html = template
            .replace("{{title}}", &format!("{{{{t:{}}}}}", field.label))
            .replace("{{input}}", &field.markup(&id, beside))
            .replace("{{id}}", &id);
        recipes.push(plain(id, html, "frame/field.js"));
    }
    Ok(recipes)
}

/// A field, as `www/frame/fields.json` describes it. Texts are keys of the locales.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Field {
    label: String,
    attributes: BTreeMap<String, String>,
    placeholder: Option<String>,
}

impl Field {
    /// Label and input. `beside`: what else is in the field's box.
    fn markup(&self, id: &str, beside: &str) -> String {
        let ticked = self
            .attributes
            .get("type")
            .is_some_and(|kind| kind == "checkbox");
        let mut input = format!("<input id=\"{id}\"");
        for (name, value) in &self.attributes {
            input.push_str(&format!(" {name}=\"{value}\""));
        }
        if let Some(key) = &self.placeholder {
            input.push_str(&format!(" placeholder=\"{{{{t:{key}}}}}\""));
        }
        if !ticked {
            input.push_str(" spellcheck=\"false\"");
        }
        input.push_str(&format!(" required aria-describedby=\"{id}-note\">"));
        let label = format!("{{{{t:{}}}}}</label>", self.label);
        if ticked {
            format!(
                "<div id=\"box\" class=\"tick\">{input}<label for=\"{id}\">{label}{PRIVACY_LINK}</div>"
            )
        } else {
            format!(
                "<div id=\"box\"><label class=\"sr-only\" for=\"{id}\">{label}{input}{beside}</div>"
            )
        }
    }
}

/// Opens in a new window, so that what was typed is not lost.
const PRIVACY_LINK: &str = "<a href=\"/privacy/?lang={{lang}}\" target=\"_blank\" rel=\"noopener\">{{t:label_privacy_link}}</a>";

#[cfg(test)]
mod tests {
    use super::*;

    fn of_www(path: &str) -> Result<String> {
        let www = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../www");
        Ok(std::fs::read_to_string(www.join(path))?)
    }

    fn page(name: &str) -> Result<Recipe> {
        recipes(of_www)?
            .into_iter()
            .find(|recipe| recipe.name == name)
            .with_context(|| format!("no page {name}"))
    }

    #[test]
    fn there_is_a_page_for_everything_that_the_gateway_shows() -> Result<()> {
        let mut names: Vec<String> = recipes(of_www)?
            .into_iter()
            .map(|recipe| recipe.name)
            .collect();
        names.sort();
        assert_eq!(
            names,
            [
                "CARDHOLDER_EMAIL",
                "CARDHOLDER_NAME",
                "CARDHOLDER_SURNAME",
                "CARD_NUMBER",
                "EXPIRATION_DATE",
                "PRIVACY_CONDITIONS",
                "SECURITY_CODE",
                "button",
                "fields-host",
                "form",
                "gdi",
                "unavailable-field",
            ]
        );
        Ok(())
    }

    /// A class that was renamed in one of them only changes how the page looks.
    #[test]
    fn a_class_of_a_page_is_in_its_style_sheet() -> Result<()> {
        for Recipe {
            name, html, style, ..
        } in recipes(of_www)?
        {
            let sheet = of_www(style)? + &of_www("frame/late.css")? + &of_www("frame/choices.css")?;
            let classes = html.split("class=\"").skip(1).filter_map(|rest| {
                let (classes, _) = rest.split_once('"')?;
                Some(classes)
            });
            for class in classes.flat_map(str::split_whitespace) {
                assert!(sheet.contains(&format!(".{class}")), "{name}: .{class}");
            }
        }
        Ok(())
    }

    #[test]
    fn a_form_whose_fields_stand_elsewhere_has_none() -> Result<()> {
        assert!(page("form")?.html.contains("<input id=\"CARD_NUMBER\""));
        let host = page("fields-host")?.html;
        assert!(!host.contains("<input"));
        assert!(host.contains("id=\"pay\"") && host.contains("id=\"main\""));
        Ok(())
    }

    #[test]
    fn a_field_is_one_labelled_input() -> Result<()> {
        let code = page("SECURITY_CODE")?.html;
        assert!(
            code.contains("<label class=\"sr-only\" for=\"SECURITY_CODE\">{{t:label_security_code}}</label><input id=\"SECURITY_CODE\""),
            "{code}"
        );
        assert!(code.contains(" type=\"password\"") && code.contains("id=\"SECURITY_CODE-note\""));
        assert_eq!(code.matches("<input").count(), 1);
        assert!(
            page("PRIVACY_CONDITIONS")?
                .html
                .contains("type=\"checkbox\"")
        );
        Ok(())
    }
}
