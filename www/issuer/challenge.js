// @ts-check
// Sends the browser to the issuer's page, in the frame of this page. The frame comes back to a page of the gateway, which leads on.

document.querySelector("form")?.submit();

export {};
