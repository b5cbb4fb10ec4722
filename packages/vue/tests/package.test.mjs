// @ts-check
/** What the package promises about itself. */

import { packageKeepsItsPromises } from '../../form/tests/promises.mjs';

packageKeepsItsPromises(new URL('..', import.meta.url), { peers: ['vue'] });
