/** How Chromium is started for tests. */

/**
 * Features that are off. The last list that Chromium is given counts, so Playwright's own is in it.
 * @param {string[]} more
 */
export const featuresOff = (...more) =>
  `--disable-features=${[
    // Two pages in each window, for suggestions below an address bar that nobody sees: a second of the machine beside every page under test.
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
    'ThirdPartyStoragePartitioning',
    ...more,
  ]}`;

/** Alone, as root or not, and asking nobody outside. */
export const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', featuresOff()];
