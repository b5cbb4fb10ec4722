// @ts-check
// A button that copies.

/** Copies a text and says so on the button. @param {string} text @param {HTMLButtonElement} button */
export async function copy(text, button) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not copied: select the text';
  }
  button.addEventListener('blur', () => { button.textContent = label; }, { once: true });
}
