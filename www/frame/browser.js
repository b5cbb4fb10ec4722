// @ts-check
// What only the browser can do, and what a form needs some time later: the appearance that a page gives, whether a press is visible, whether
// the page takes the focus, encryption, and the page in another language. One file, which is loaded once the form is live, or before if the page gives an appearance.

export { applyAppearance } from './appearance.js';
export { encryptCard } from './encrypt-card.js';
export { guardFields, guardForm } from './guards.js';
export { price, switchLocale } from './locale-switch.js';
