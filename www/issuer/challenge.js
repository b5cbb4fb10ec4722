// @ts-check
// Sends the browser to the issuer's page, in the frame of this page. The frame comes back to a page of the gateway, which tells this one.

addEventListener("message", ({ origin, data }) => {
  /** @type {import("../frame/own-frames.js").NestedPageMessage["type"] | undefined} */
  const type = data?.type;
  if (origin === location.origin && type === "challenge-returned") location.replace(location.pathname.replace("/threeds/challenge/", "/threeds/return/"));
});

document.querySelector("form")?.submit();

export {};
