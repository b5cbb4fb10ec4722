// @ts-check
// The end of a 3-step payment's part in the browser: the result goes back to the shop. Without script the buyer presses the button.

const form = document.querySelector("#back");
if (form instanceof HTMLFormElement) form.submit();

export {};
