/** How Chromium is started for tests. */

/** The whole browser. */
export const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** The same engine without a window around the page, or the whole browser where there is none. It takes a third less CPU time. */
export const SHELL = process.env.HEADLESS_SHELL ?? BROWSER;

// Chromium uses only the last list, so Playwright's own list is included.
const OFF = [
  // Two pages in each window, for suggestions below an invisible address bar: they take a second of CPU time for every page under test.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
];
/** Browsers of buyers have it: the storage of a frame is another one below each site, and is there where cookies of frames are refused. */
const DIVIDED_STORAGE = 'ThirdPartyStoragePartitioning';

/** @param {string[]} off features that are off */
const without = (...off) => [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  `--disable-features=${[...OFF, ...off]}`,
];

/** Flags for tests: also as root, and without requests to other servers. @param {string[]} off further features that are off */
export const flags = (...off) => without(DIVIDED_STORAGE, ...off);

/**
 * Secure Payment Confirmation, which Chromium has on the systems of most buyers, and on this one with a flag. Only the whole browser has it.
 */
export const CONFIRMING = ['--site-per-process', ...flags(), '--enable-features=SecurePaymentConfirmationBrowser'];

/** The shell isolates sites only with this flag, as browsers of computers do without it. */
export const FLAGS = ['--site-per-process', ...flags()];
/** The same for tests that keep something in a frame's storage. */
export const WITH_STORAGE = ['--site-per-process', ...without()];
