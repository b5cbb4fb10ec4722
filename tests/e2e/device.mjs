/** A virtual device that signs; the page where a buyer enrols it to confirm payments, and the page that asks it. */

/** What the browser says on the console about the enrolment: the sandbox's issuer takes one kind of key. */
export const ENROLLING = /pubKeyCredParams/;

/**
 * A device with the finger of its owner on it, whose browser answers its own dialogue.
 * @param {import('playwright-core').Page} page
 */
export const plugIn = async (page) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Whether the finger is that of the owner. @param {boolean} isUserVerified */
    verify: (isUserVerified) => devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    /** How many passkeys it has. */
    count: async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    /** What the buyer does in the browser's dialogue. @param {'autoAccept' | 'autoReject'} mode */
    answer: (mode) => devtools.send('Page.setSPCTransactionMode', { mode }),
  };
};

/** Enrols the device on the issuer's page. @param {import('playwright-core').Page} page @param {string} address */
export const enrol = async (page, address) => {
  await page.goto(address);
  await page.getByRole('button', { name: 'Enrol this device' }).click();
  await page.getByRole('status').filter({ hasText: 'This device may confirm payments now.' }).waitFor();
};

/** The page in the issuer's place. @param {import('./checkout.mjs').Payment} payment @param {string} title */
export const pageIn = (payment, title = 'Page of your bank') => {
  const page = payment.frame.getByTitle(title).contentFrame();
  return {
    heading: page.getByRole('heading'),
    device: page.getByRole('button', { name: 'Confirm with this device', exact: true }),
    other: page.getByRole('button', { name: 'Use another way', exact: true }),
    status: page.getByRole('status'),
  };
};
