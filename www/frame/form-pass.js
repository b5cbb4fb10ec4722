// @ts-check
// The pass of a document that shows saved cards: the gateway gives those to the first document of a session, and to each that follows it
// in the same tab. A document that shows them leaves the pass for the next one in the storage of its tab. A document without them
// looks for a pass there, before anything else of it runs, and gives way to one with the cards. No other page can read this storage.
// A browser without storage loads the form without saved cards a second time. A classic script, because it has to run at its place.
// The gateway adds it to documents of customers with saved cards only: `gateway/src/pages/form.rs`.

{
  const { pass } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset;
  const address = new URL(location.href);
  const session = `${address.searchParams.get('sessionid')}`;
  try {
    if (pass) {
      sessionStorage.setItem(session, pass);
    } else {
      const kept = sessionStorage.getItem(session);
      if (kept) {
        // It is good for one document. So this is no endless loop, if the gateway does not take it.
        sessionStorage.removeItem(session);
        // Otherwise this document would go on, and would greet the page, until the next one arrives.
        stop();
        address.searchParams.set('pass', kept);
        location.replace(address);
      }
    }
  } catch {
    // The browser has no storage for frames, or the buyer does not allow any.
  }
}
