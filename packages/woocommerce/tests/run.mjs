// @ts-check
/**
 * The plug-in in WordPress itself: `node packages/woocommerce/tests/run.mjs`. It downloads Debian's package of WordPress, and needs `mariadbd` and PHP with `mysqli`. WooCommerce is in no
 * registry that this project's machines reach: in its place is the small one of the tests. PAYFRAME_GATEWAY_BIN and PAYFRAME_DIST name the gateway and what it serves.
 */

import { mkdirSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { FOLDER, ROOT } from '../../../tests/plugins/install.mjs';

mkdirSync(FOLDER, { recursive: true });
const file = join(ROOT, 'packages/woocommerce/tests/wordpress/payments.test.mjs');
const { status } = spawnSync(process.execPath, ['--test', '--test-timeout=600000', file], { cwd: ROOT, stdio: 'inherit' });
process.exitCode = status ?? 1;
