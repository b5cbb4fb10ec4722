// @ts-check
// What a live form needs of the browser itself, and only some time later: whether a press is visible, encryption, and the page in another
// language. One file, which is loaded once the form is live.

export { ClickjackingGuard } from './clickjacking-guard.js';
export { encryptCard } from './encrypt-card.js';
export { price, switchLocale } from './locale-switch.js';
