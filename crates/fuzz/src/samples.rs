//! Inputs that the parsers take.

/// Fonts that are small: each mutation is a run over the whole file.
pub(crate) fn fonts() -> Vec<Vec<u8>> {
    let woff2: &[u8] = include_bytes!("../../merchant-font/fixtures/digits.woff2");
    let rebuilt = payframe_merchant_font::rebuild(woff2, payframe_merchant_font::Outlines::All);
    [Ok(woff2.to_vec()), rebuilt]
        .into_iter()
        .flatten()
        .collect()
}

/// Sheets of merchants with each kind of rule, and with what is dropped.
pub(crate) fn style_sheets() -> Vec<Vec<u8>> {
    [
        "input { color: #223344; font: italic 600 14px / 1.5 \"Open Sans\", Arial } #CARD_NUMBER, .a > *:hover { margin: 0 2px }",
        ":root { --brand: #0af; --gap: calc(1px + 2 * var(--unit, 4px)) }\ninput::placeholder { color: rgb(10, 20, 30); opacity: 0.7 }",
        "@media screen, not all and (prefers-reduced-motion) { body { font-size: 110% } }\n@media (min-width: 480px) { a { x: y } }",
        "input { background-image: url(\"data:image/svg+xml,<svg xmlns='a'/>\"); background-position: right 8px center !important }",
        "@import url(https://other.example/a.css); @font-face { font-family: a; src: url(data:font/woff2;base64,AA) format('woff2') }",
        "input[value^='4'] { background: url(//other.example/4) } u\\72l(a); </style><script> /* <!-- */ input { content: attr(value) }",
    ]
    .map(|text| text.as_bytes().to_vec())
    .into()
}

/// What is shown, a line break, and what a buyer makes of it.
pub(crate) fn typed() -> Vec<Vec<u8>> {
    [
        "4761 7300 0000 0003\n4761 7300 0000 00003",
        "3782 822463 10005\n3782-822463-10005",
        "4761 7300\n4761７300 \u{200f}0000 0003",
        "\n12/30",
        "\n1 / 2030",
    ]
    .map(|text| text.as_bytes().to_vec())
    .into()
}

pub(crate) fn challenge_answers() -> Vec<Vec<u8>> {
    // {"messageType":"CRes","messageVersion":"2.2.0","transStatus":"Y", …}
    [
        "eyJtZXNzYWdlVHlwZSI6IkNSZXMiLCJtZXNzYWdlVmVyc2lvbiI6IjIuMi4wIiwidHJhbnNTdGF0dXMiOiJZIn0",
        "eyJtZXNzYWdlVHlwZSI6IkVycm8iLCJlcnJvckNvZGUiOiI0MDIifQ==",
        "e30",
    ]
    .map(|text| text.as_bytes().to_vec())
    .into()
}

pub(crate) fn three_ds_messages() -> Vec<Vec<u8>> {
    let ids = r#""threeDSServerTransID":"6afa6072-9412-446b-9673-2f98b3ee98a2","dsTransID":"11111111-2222-4333-8444-555555555555","acsTransID":"aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee""#;
    let proof = r#""authenticationValue":"AAECAwQFBgcICQoLDA0ODxAREhM=","eci":"05""#;
    [
        format!(
            r#"{{"messageType":"ARes","messageVersion":"2.2.0",{ids},{proof},"acsReferenceNumber":"A1","dsReferenceNumber":"D1","transStatus":"Y","acsChallengeMandated":"N","authenticationType":"02","acsURL":"https://acs.example/c"}}"#
        ),
        format!(
            r#"{{"messageType":"RReq","messageVersion":"2.2.0",{ids},{proof},"messageCategory":"01","transStatus":"Y","interactionCounter":"01","authenticationType":"02"}}"#
        ),
        format!(
            r#"{{"messageType":"RRes","messageVersion":"2.2.0",{ids},"resultsStatus":"01"}}"#
        ),
        format!(
            r#"{{"messageType":"PRes","messageVersion":"2.2.0",{ids},"serialNum":"1","cardRangeData":[{{"startRange":"4000000000000000","endRange":"4999999999999999","dsStartProtocolVersion":"2.2.0","dsEndProtocolVersion":"2.2.0","acsStartProtocolVersion":"2.2.0","acsEndProtocolVersion":"2.2.0","actionInd":"A"}}]}}"#
        ),
    ]
    .map(String::into_bytes)
    .into()
}

/// Documents of the log-in provider that the check knows.
pub(crate) fn discovery_documents() -> Vec<Vec<u8>> {
    [
        r#"{"issuer":"https://login.example","authorization_endpoint":"https://login.example/authorize","token_endpoint":"https://login.example/token","jwks_uri":"https://login.example/keys","token_endpoint_auth_methods_supported":["client_secret_post"],"authorization_response_iss_parameter_supported":true}"#,
        r#"{"issuer":"https://login.example","authorization_endpoint":"https://login.example/a?state=1&b=2#c","token_endpoint":"https://[2001:db8::1]:8443/token","jwks_uri":"https://login.example/keys"}"#,
        r#"{"issuer":"https://other.example","authorization_endpoint":"http://login.example/a","token_endpoint":"javascript:1","jwks_uri":"file:///etc/keys"}"#,
    ]
    .map(|text| text.as_bytes().to_vec())
    .into()
}
