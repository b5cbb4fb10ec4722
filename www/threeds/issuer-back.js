// @ts-check
// The end of a page of the sandbox's issuer: the browser goes back to the gateway, at once or after a while. Without script the buyer presses
// the button.

const form = document.querySelector("#back");
if (form instanceof HTMLFormElement) setTimeout(() => form.submit(), Number(document.body.dataset.delayMs));

export {};
