/**
 * Presses a button. Chromium's headless shell, the usual browser of Playwright, drops a press at a form that moved within the last half
 * second, as the page does that scrolls to it (https://chromestatus.com/feature/5406180975312896). Such a press is made again.
 * @param {import('playwright-core').Locator} button
 */
export declare function press(button: import('playwright-core').Locator): Promise<void>;
