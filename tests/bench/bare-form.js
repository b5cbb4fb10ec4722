// @ts-check
// Makes the bare form live: groups the card number in fours, and tells the shop's page.

const form = /** @type {HTMLFormElement} */ (document.getElementById('card'));
const number = /** @type {HTMLInputElement} */ (form.elements.namedItem('cardnumber'));
number.addEventListener('input', () => {
  number.value = (number.value.match(/\d/g) ?? []).join('').replace(/(\d{4})(?=\d)/g, '$1 ');
});
form.addEventListener('submit', (event) => event.preventDefault());
const shop = new URLSearchParams(location.search).get('shop') ?? '';
parent.postMessage({ bare: 'ready', height: document.documentElement.scrollHeight }, shop);
