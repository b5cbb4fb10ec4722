// @ts-check
// Enrols the buyer's device at the sandbox's issuer: a credential that may confirm payments on other sites (W3C Secure Payment
// Confirmation, "Registration").

const form = document.querySelector("form");
const button = document.querySelector("button");
const status = document.querySelector("[role=status]");

button?.addEventListener("click", async () => {
  if (!form || button.disabled) return;
  if (!navigator.credentials) return say(form.dataset.notPossible);
  button.disabled = true;
  try {
    const credential = await navigator.credentials.create({ publicKey: asked(form.dataset) });
    if (!(credential instanceof PublicKeyCredential)) throw new TypeError("no credential");
    const response = /** @type {AuthenticatorAttestationResponse} */ (credential.response);
    fill(form, "client_data", response.clientDataJSON);
    fill(form, "authenticator_data", response.getAuthenticatorData());
    form.submit();
  } catch {
    say(form.dataset.failed);
    button.disabled = false;
  }
});

/**
 * @param {DOMStringMap} data
 * @returns {PublicKeyCredentialCreationOptions}
 */
function asked({ rpId, name, challenge }) {
  return {
    rp: { id: rpId, name: String(name) },
    user: { id: crypto.getRandomValues(new Uint8Array(16)), name: "4761 7300 0000 3148", displayName: "4761 7300 0000 3148" },
    challenge: bytes(String(challenge)),
    pubKeyCredParams: [{ type: "public-key", alg: -7 }],
    authenticatorSelection: { authenticatorAttachment: "platform", residentKey: "required", userVerification: "required" },
    // @ts-ignore: the extension is younger than the types.
    extensions: { payment: { isPayment: true } },
  };
}

/** @param {string} base64url */
function bytes(base64url) {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** @param {HTMLFormElement} form @param {string} name @param {ArrayBuffer} value */
function fill(form, name, value) {
  const text = btoa(String.fromCharCode(...new Uint8Array(value)));
  const input = form.elements.namedItem(name);
  if (input instanceof HTMLInputElement) input.value = text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string | undefined} text */
function say(text) {
  if (status) status.textContent = text ?? "";
}

export {};
