// @ts-check
/**
 * Diagnostics: what is wrong with the integration of a page, and how to correct it, in one group of the
 * console. Loaded for sessions of the sandbox only; reports nothing for a correct page, and changes nothing.
 *
 * @import { PaymentFormElement } from './payframe.js'
 */

/** @typedef {{ code: string, cause: string }} Finding */
/** @typedef {(form: PaymentFormElement, names: string[]) => string[]} Withheld which features the page keeps from the form; passed on by the script that loads this one */

/** What to do about each finding. The same sentences are in docs/errors.md. @type {Record<string, string>} */
export const CURES = {
  insecure_page: 'Serve the page by https: browsers fill no card into an insecure page, and buyers are warned of it.',
  script_without_integrity: 'Load the script by its release path, with the value of GET /build/integrity as attribute `integrity`, and `crossorigin`.',
  script_of_other_origin: 'Load payframe.js from the gateway that `gateway` names, so that shim and form are of one release.',
  script_twice: 'Load payframe.js once.',
  session_twice: 'Give each form a session of its own: two forms of one session interfere with each other.',
  policy_blocks: 'Allow the origin of the gateway in the directive of your Content-Security-Policy that is named here.',
  permission_missing: 'Allow the feature for the gateway\'s origin in the header Permissions-Policy of your page, such as payment=(self "https://gateway.example").',
  container_hidden: 'Show the element before the buyer is to pay; in a container without size nobody sees the form.',
  container_narrow: 'Give the element at least 280 CSS pixels of width.',
  button_unclear: 'Take opacity, filters, masks, blending and transforms from the element and from what it stands in: browsers can not tell that the pay button is seen, and its press is not taken.',
};

/** Features that the shim delegates to the frame, and that a page may withhold. */
const FEATURES = ['payment', 'publickey-credentials-get', 'autofill', 'shared-autofill'];
/** How long to wait for reports of policy violations before this script was loaded. */
const REPORTS_MS = 200;
const NARROWEST = 280;

/** @param {PaymentFormElement} form that is live @param {Withheld} withheld @returns {Promise<Finding[]>} */
export async function findings(form, withheld) {
  const checks = [page, scripts, sessions, permissions, container, clearness];
  const found = checks.flatMap((check) => check(form, withheld));
  return [...found, ...(await brokenPolicies(form))];
}

/** One panel, if there is anything to say. @param {Finding[]} found */
export function report(found) {
  if (!found.length) return;
  const lines = found.map(({ code, cause }, i) => `${i + 1}. ${code}: ${cause}\n   ${CURES[code]}`);
  console.groupCollapsed(`payframe: diagnostics found ${found.length} ${found.length > 1 ? 'faults' : 'fault'} in how this page has the form built in (said in the sandbox only)`);
  console.info(`${lines.join('\n')}\nSee docs/errors.md.`);
  console.groupEnd();
}

function page() {
  return isSecureContext ? [] : [{ code: 'insecure_page', cause: `${location.origin} is no secure context.` }];
}

/** @param {PaymentFormElement} form */
function scripts(form) {
  const ours = [...document.scripts].filter(({ src }) => /\/sdk\/([^/]+\/)?payframe\.js$/.test(src));
  /** @type {Finding[]} */
  const found = [];
  for (const { src, integrity } of ours) {
    if (!integrity) found.push({ code: 'script_without_integrity', cause: `${src} is loaded without \`integrity\`.` });
    if (new URL(src).origin !== new URL(form.gateway).origin) found.push({ code: 'script_of_other_origin', cause: `${src} is not of ${form.gateway}.` });
  }
  if (ours.length > 1) found.push({ code: 'script_twice', cause: `The page has ${ours.length} scripts payframe.js.` });
  return found;
}

/** @param {PaymentFormElement} form */
function sessions(form) {
  const root = /** @type {Document | ShadowRoot} */ (form.getRootNode());
  const twins = [...root.querySelectorAll('payment-form')].filter(({ session }) => session === form.session);
  return twins.length > 1 ? [{ code: 'session_twice', cause: `${twins.length} forms of the page have the same session.` }] : [];
}

/** @param {PaymentFormElement} form @param {Withheld} withheld */
function permissions(form, withheld) {
  return withheld(form, FEATURES).map((name) => ({ code: 'permission_missing', cause: `The page's header Permissions-Policy withholds \`${name}\` from the form.` }));
}

/** @param {PaymentFormElement} form */
function container(form) {
  const { width, height } = form.getBoundingClientRect();
  if (!width || !height || !form.checkVisibility({ visibilityProperty: true })) return [{ code: 'container_hidden', cause: 'The element is ready, but not shown.' }];
  return width < NARROWEST ? [{ code: 'container_narrow', cause: `The element is ${Math.round(width)} px wide.` }] : [];
}

/** @param {PaymentFormElement} form */
function clearness(form) {
  /** @type {Element | null} */
  let place = form;
  while (place) {
    const { opacity, filter, transform, mixBlendMode, maskImage, clipPath } = getComputedStyle(place);
    const odd = { opacity: opacity === '1' ? '' : opacity, filter, transform, 'mix-blend-mode': mixBlendMode === 'normal' ? '' : mixBlendMode, 'mask-image': maskImage, 'clip-path': clipPath };
    const set = Object.entries(odd).find(([, value]) => value && value !== 'none');
    if (set) return [{ code: 'button_unclear', cause: `<${place.localName}> has ${set.join(': ')}.` }];
    const root = place.getRootNode();
    place = place.assignedSlot ?? place.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  }
  return [];
}

/** Policies of the page that blocked something of the gateway, also before this script was loaded. @param {PaymentFormElement} form @returns {Promise<Finding[]>} */
function brokenPolicies(form) {
  if (typeof ReportingObserver === 'undefined') return Promise.resolve([]);
  const { origin } = new URL(form.gateway);
  return new Promise((resolve) => {
    /** @type {Map<string, Finding>} */
    const found = new Map();
    const observer = new ReportingObserver(
      (reports) => {
        for (const { body } of reports) {
          const { blockedURL, effectiveDirective } = /** @type {{ blockedURL?: string, effectiveDirective?: string }} */ (body ?? {});
          if (blockedURL?.startsWith(origin)) found.set(`${effectiveDirective}`, { code: 'policy_blocks', cause: `${effectiveDirective} kept ${blockedURL.split('?')[0]} out.` });
        }
      },
      { types: ['csp-violation'], buffered: true },
    );
    observer.observe();
    setTimeout(() => (observer.disconnect(), resolve([...found.values()])), REPORTS_MS);
  });
}
