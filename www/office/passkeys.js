// @ts-check

// Passkeys: a form with `data-passkey` carries what the gateway asks the browser for. The browser answers, and the form is sent with the
// answer. Without this script the form is sent without one, and the gateway says so.

/** @param {HTMLFormElement} form */
const answer = async (form) => {
  const question = JSON.parse(form.dataset.question ?? '');
  const credential =
    form.dataset.passkey === 'create'
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(question) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(question) });
  if (credential === null) throw new TypeError('the browser gave no passkey');
  return JSON.stringify(credential);
};

/** Why there is no answer, for the member. @param {unknown} problem */
const sentence = (problem) => {
  switch (problem instanceof DOMException ? problem.name : '') {
    case 'NotAllowedError':
      return 'No passkey was used: it was cancelled or took too long, or this device has none for this page.';
    case 'InvalidStateError':
      return 'This device has a passkey for you already.';
    default:
      return 'This browser cannot use passkeys on this page.';
  }
};

for (const form of document.querySelectorAll('form')) {
  if (form.dataset.passkey === undefined) continue;
  const field = form.elements.namedItem('answer');
  const problem = form.querySelector('[role="alert"]');
  if (!(field instanceof HTMLInputElement) || !(problem instanceof HTMLElement)) continue;
  let isAsking = false;
  form.addEventListener('submit', async (event) => {
    if (field.value !== '') return;
    event.preventDefault();
    // The form is not sent yet, so it may be sent again.
    event.stopPropagation();
    if (isAsking) return;
    isAsking = true;
    problem.hidden = true;
    try {
      field.value = await answer(form);
      form.requestSubmit();
    } catch (cause) {
      problem.textContent = sentence(cause);
      problem.hidden = false;
    } finally {
      isAsking = false;
    }
  });
  if (form.dataset.start !== undefined) form.requestSubmit();
}
