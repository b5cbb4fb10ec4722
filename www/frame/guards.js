// @ts-check
// Puts the guards of a form to work: the one of its presses, and the one of the focus in its fields.

import { ClickjackingGuard } from './clickjacking-guard.js';
import { FocusGuard } from './focus-guard.js';

/**
 * Guards the presses and the fields of a form.
 * @param {{ texts: Record<string, string> }} page
 * @param {(code: 'button_covered' | 'focus_taken', words: string) => void} reportError tells the shop
 */
export function guardForm(page, reportError) {
  const sentence = Object.assign(document.createElement('p'), { className: 'message bad' });
  guardFields(async () => {
    reportError('focus_taken', 'focus_taken');
    // Without the late texts, nothing is said to the buyer yet.
    if (!page.texts.focus_taken) await payframeLoadTexts('$late').catch(() => {});
    const { focus_taken: text = '' } = page.texts;
    sentence.textContent = text;
    document.getElementById('promise')?.before(sentence);
    const urgent = document.getElementById('urgent');
    if (urgent) urgent.textContent = text;
  });
  return new ClickjackingGuard(page, reportError);
}

/** Guards the fields in this frame, and in all frames that it drives. @param {() => void} tell called each time that the focus was taken */
export function guardFields(tell) {
  const guard = new FocusGuard(() => {
    count();
    tell();
  });
  guard.watch(window);
  window.payframe?.driver?.eachFrame((frame) => guard.watch(frame));
}

/** Has the gateway count it, like what browsers report (`gateway/src/pages/reports.rs`). The address without the session. */
function count() {
  const reports = [{ type: 'focus-taken', body: { documentURL: location.origin + location.pathname } }];
  fetch('/reports', { method: 'POST', headers: { 'content-type': 'application/reports+json' }, body: JSON.stringify(reports), keepalive: true }).catch(() => {});
}
