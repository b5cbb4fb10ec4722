//! Former addresses, for pages and clients that can change only the host of what they load and call.
//!
//! The class `Build` is also served at the address that such pages know. The operator adds other addresses (`PAYFRAME_ALIASES`).
//! An address that the gateway serves itself is never an alias: aliases are tried only when no route matches.

use axum::body::Body;
use axum::http::{Request, Response, StatusCode, Uri};
use std::convert::Infallible;
use std::str::FromStr;
use tower::{Service, ServiceExt as _};

/// Additional addresses: each path, or path prefix, with its present path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aliases(Vec<(String, String)>);

impl FromStr for Aliases {
    type Err = ();

    /// Reads a list such as `/old/sdk.js=/sdk/build.js,/old/api=/api`.
    fn from_str(text: &str) -> Result<Aliases, ()> {
        let aliases = text.split(',').map(|alias| {
            let (former, present) = alias.trim().split_once('=')?;
            let is_target =
                present.starts_with("/sdk/") || present == "/api" || present.starts_with("/api/");
            (is_path(former) && is_path(present) && is_target)
                .then(|| (former.to_owned(), present.to_owned()))
        });
        aliases.collect::<Option<_>>().map(Aliases).ok_or(())
    }
}

impl Aliases {
    /// The aliases in the format of the setting; `None` if there are no aliases.
    pub(crate) fn written(&self) -> Option<String> {
        let pairs: Vec<String> = self
            .0
            .iter()
            .map(|(former, present)| format!("{former}={present}"))
            .collect();
        (!pairs.is_empty()).then(|| pairs.join(","))
    }

    /// The present path of the alias `path`.
    fn present(&self, path: &str) -> Option<String> {
        let ours = FORMER.iter().copied();
        let set = self
            .0
            .iter()
            .map(|(former, present)| (former.as_str(), present.as_str()));
        ours.chain(set).find_map(|(former, present)| {
            let rest = path.strip_prefix(former)?;
            (rest.is_empty() || rest.starts_with('/')).then(|| format!("{present}{rest}"))
        })
    }

    /// Answers a request that no route matches: like the present address of an alias, or with 404.
    pub(crate) async fn answer<S>(&self, served: S, mut request: Request<Body>) -> Response<Body>
    where
        S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    {
        let Some(path) = self.present(request.uri().path()) else {
            return not_found();
        };
        let path = match request.uri().query() {
            Some(query) => format!("{path}?{query}"),
            None => path,
        };
        let Ok(uri) = path.parse::<Uri>() else {
            return not_found();
        };
        *request.uri_mut() = uri;
        let Ok(response) = served.oneshot(request).await;
        response
    }
}

fn not_found() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

fn is_path(text: &str) -> bool {
    text.len() > 1
        && text.starts_with('/')
        && !text.ends_with('/')
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte))
}

/// The path from which existing pages load the class `Build` (contract 7).
const FORMER: [(&str, &str); 1] = [("/monetaweb/resources/hfsdk.js", "/sdk/build.js")];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn former_addresses_stand_for_present_ones() {
        let aliases: Aliases = "/old/sdk.js=/sdk/build.js, /old/api=/api/v1"
            .parse()
            .unwrap();
        for (path, expected) in [
            ("/monetaweb/resources/hfsdk.js", Some("/sdk/build.js")),
            ("/old/sdk.js", Some("/sdk/build.js")),
            ("/old/api/orders/A1", Some("/api/v1/orders/A1")),
            ("/old/apis", None),
            ("/monetaweb", None),
        ] {
            assert_eq!(aliases.present(path).as_deref(), expected, "{path}");
        }
        assert_eq!(
            aliases.written().as_deref(),
            Some("/old/sdk.js=/sdk/build.js,/old/api=/api/v1")
        );
    }

    #[test]
    fn only_scripts_and_the_api_have_aliases() {
        for text in [
            "",
            "/a",
            "/a=b",
            "a=/sdk/build.js",
            "/a=/office",
            "/a=/sdk/x?y",
            "/=/api",
        ] {
            assert_eq!(text.parse::<Aliases>(), Err(()), "{text}");
        }
    }
}
