//! Tests of what is taken for a release, and of what counts as a difference.

use super::*;
use crate::dist::tests::MadeUpDist;
use axum::Router;
use axum::extract::Request;
use axum::response::IntoResponse;
use axum::routing::get;
use payframe_vault::hex;
use ssh_key::private::Ed25519Keypair;
use ssh_key::{HashAlg, LineEnding, PrivateKey};
use std::path::Path;
use tempfile::TempDir;
use tokio::net::TcpListener;

/// The files of a release, with the public key of its signer.
struct Files(TempDir);

impl Files {
    /// Of a dist, signed with the key of this seed.
    fn of(dist: &MadeUpDist, seed: u8) -> Files {
        let files = Files(tempfile::tempdir().unwrap());
        let mut list = String::new();
        for (path, content) in Files::content(dist.folder.path(), "") {
            list += &format!("{}  {path}\n", hex(&Sha256::digest(&content)));
        }
        files.write("payframe-gateway-0.1.0-files.sha256", &list);
        let hash = hex(&Sha256::digest(&list));
        files.sign(
            &format!("{hash}  payframe-gateway-0.1.0-files.sha256\n"),
            seed,
        );
        let key = key(1).public_key().to_openssh().unwrap();
        files.write(
            "signers",
            &format!("# who makes releases\npayframe {key}\n"),
        );
        files
    }

    fn content(folder: &Path, prefix: &str) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{prefix}{}", entry.file_name().to_str().unwrap());
            match entry.path().is_dir() {
                true => found.extend(Files::content(&entry.path(), &format!("{path}/"))),
                false => drop(found.insert(path, std::fs::read(entry.path()).unwrap())),
            }
        }
        found
    }

    fn sign(&self, checksums: &str, seed: u8) {
        let signature = key(seed)
            .sign("payframe-release", HashAlg::Sha512, checksums.as_bytes())
            .unwrap();
        self.write("SHA256SUMS", checksums);
        self.write("SHA256SUMS.sig", &signature.to_pem(LineEnding::LF).unwrap());
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.path().join(name)).unwrap()
    }

    /// What the command says, and how it ends.
    async fn compare(&self, gateway: &str) -> (Vec<String>, Result<(), VerifyError>) {
        let verification = Verification {
            gateway: gateway.to_owned(),
            release: self.0.path().to_owned(),
            signers: self.0.path().join("signers"),
        };
        let mut said = Vec::new();
        let done = verification.run(|line| said.push(line.to_owned())).await;
        (said, done)
    }

    /// The reason why the files are not taken.
    async fn refusal(&self) -> String {
        let (said, done) = self.compare("http://127.0.0.1:9").await;
        assert_eq!(said, [""; 0]);
        let problem = done.unwrap_err();
        assert!(matches!(problem, VerifyError::Release(_)), "{problem}");
        problem
            .to_string()
            .replace(self.0.path().to_str().unwrap(), "")
    }
}

fn key(seed: u8) -> PrivateKey {
    PrivateKey::from(Ed25519Keypair::from_seed(&[seed; 32]))
}

async fn served(routes: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, routes).await });
    address
}

/// A dist before a gateway writes its tables into the folder.
fn dist() -> MadeUpDist {
    let dist = MadeUpDist::new();
    dist.write("docs/index.html", "<p>start</p>");
    dist.write("docs/api/payments.html", "<p>payments</p>");
    dist.write("docs/api/payments.md", "payments");
    dist.write("docs/playground.html", "<p>play</p>");
    dist
}

/// Of `dist`: 11 scripts and styles, two of them compressed twice, and three files of the docs.
const ANSWERS: usize = 16;

#[tokio::test]
async fn a_gateway_that_serves_the_signed_files_passes() {
    let dist = dist();
    let files = Files::of(&dist, 1);
    let gateway = served(crate::router(dist.app().await)).await;
    let (said, done) = files.compare(&format!("{gateway}/")).await;
    done.unwrap();
    assert_eq!(
        said,
        [
            String::from("payframe signed the release 0.1.0-1a2b3c4d"),
            format!("{gateway} serves it: {ANSWERS} answers compared"),
        ]
    );
}

#[tokio::test]
async fn one_other_byte_is_found_in_each_file_and_each_encoding() {
    let dist = dist();
    let files = Files::of(&dist, 1);
    let gateway = crate::router(dist.app().await);
    // What stands between: it changes the last byte of everything but the release's name.
    let change = |gateway: Router| async move {
        let change = async |gateway: Router, request: Request| {
            let changed = request.uri().path() != "/sdk/release.json";
            let answer = tower::ServiceExt::oneshot(gateway, request).await.unwrap();
            let (head, body) = answer.into_parts();
            let mut bytes = axum::body::to_bytes(body, 1 << 20).await.unwrap().to_vec();
            if changed && let Some(last) = bytes.last_mut() {
                *last ^= 1;
            }
            (head, bytes).into_response()
        };
        served(Router::new().fallback(move |request| change(gateway.clone(), request))).await
    };
    let (said, done) = files.compare(&change(gateway).await).await;
    let Err(VerifyError::Differs { differing, answers }) = done else {
        panic!("{done:?}");
    };
    assert_eq!(
        (differing, answers, said.len()),
        (ANSWERS, ANSWERS, ANSWERS + 1)
    );
    for differs in [
        "/sdk/payframe.js (identity)",
        "/sdk/payframe.js (br)",
        "/sdk/payframe.js (gzip)",
        "/assets/hosted/hosted.css (identity)",
        "/docs/ (identity)",
        "/docs/api/payments (identity)",
    ] {
        let found = said
            .iter()
            .any(|line| line.starts_with("differs: ") && line.ends_with(differs));
        assert!(found, "{differs}: {said:?}");
    }
}

#[tokio::test]
async fn a_file_that_is_not_served_is_missing() {
    let dist = dist();
    let files = Files::of(&dist, 1);
    let says = || async { r#"{ "release": "0.1.0-1a2b3c4d" }"# };
    let gateway = served(Router::new().route("/sdk/release.json", get(says))).await;
    let (said, done) = files.compare(&gateway).await;
    assert!(
        matches!(
            done,
            Err(VerifyError::Differs {
                differing: ANSWERS,
                ..
            })
        ),
        "{done:?}"
    );
    let missing = format!("missing: {gateway}/sdk/payframe.js (status 404)");
    assert!(said.contains(&missing), "{said:?}");
}

#[tokio::test]
async fn a_gateway_of_another_release_is_told_so() {
    let dist = dist();
    let files = Files::of(&dist, 1);
    let says = || async { r#"{ "release": "0.2.0-00000000" }"# };
    let gateway = served(Router::new().route("/sdk/release.json", get(says))).await;
    let (_, done) = files.compare(&gateway).await;
    assert_eq!(
        done.unwrap_err().to_string(),
        "the gateway serves the release 0.2.0-00000000, and the files are of 0.1.0-1a2b3c4d"
    );
    let (_, done) = files.compare(&served(Router::new()).await).await;
    assert!(matches!(done, Err(VerifyError::NotAGateway(_))), "{done:?}");
}

#[tokio::test]
async fn only_what_a_signer_signed_is_taken_for_a_release() {
    let dist = dist();
    // Of somebody else.
    let refusal = Files::of(&dist, 2).refusal().await;
    assert!(
        refusal.starts_with("/SHA256SUMS is not signed by any of the signers"),
        "{refusal}"
    );
    // Changed after it was signed.
    let files = Files::of(&dist, 1);
    files.write("SHA256SUMS", &files.read("SHA256SUMS").replace('a', "b"));
    let refusal = files.refusal().await;
    assert!(
        refusal.starts_with("/SHA256SUMS is not signed by any of the signers"),
        "{refusal}"
    );
    // For another purpose.
    let files = Files::of(&dist, 1);
    let text = files.read("SHA256SUMS");
    let other = key(1)
        .sign("file", HashAlg::Sha512, text.as_bytes())
        .unwrap();
    files.write("SHA256SUMS.sig", &other.to_pem(LineEnding::LF).unwrap());
    let refusal = files.refusal().await;
    assert!(
        refusal.starts_with("/SHA256SUMS is not signed by any of the signers"),
        "{refusal}"
    );
    // The list is another one.
    let files = Files::of(&dist, 1);
    let list = "payframe-gateway-0.1.0-files.sha256";
    files.write(
        list,
        &files
            .read(list)
            .replace("sdk/payframe.js\n", "sdk/other.js\n"),
    );
    assert_eq!(
        files.refusal().await,
        "/payframe-gateway-0.1.0-files.sha256 is not the file that SHA256SUMS names"
    );
}

#[tokio::test]
async fn files_that_cannot_be_read_are_named_with_their_line() {
    let dist = dist();
    let files = Files::of(&dist, 1);
    files.write("signers", "payframe ssh-ed25519\n");
    assert_eq!(
        files.refusal().await,
        "/signers, line 1: write a name and a public key, as `payframe ssh-ed25519 AAAA…`"
    );
    let files = Files::of(&dist, 1);
    files.write("SHA256SUMS.sig", "nothing");
    assert_eq!(
        files.refusal().await,
        "/SHA256SUMS.sig is not a signature that `ssh-keygen -Y sign` makes"
    );
    let hash = "0".repeat(64);
    for (checksums, refusal) in [
        (
            "no hash\n",
            "/SHA256SUMS, line 1: not a line that `sha256sum` writes",
        ),
        (
            &format!("{hash}  ../x-files.sha256\n"),
            "/SHA256SUMS, line 1: not a line that `sha256sum` writes",
        ),
        (
            &format!("{hash}  other\n"),
            "/SHA256SUMS has to name one file that ends in -files.sha256",
        ),
    ] {
        files.sign(checksums, 1);
        assert_eq!(files.refusal().await, refusal);
    }
    let files = Files::of(&dist, 1);
    std::fs::remove_file(files.0.path().join("SHA256SUMS.sig")).unwrap();
    assert_eq!(files.refusal().await, "cannot read /SHA256SUMS.sig");
}
