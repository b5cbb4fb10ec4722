// @ts-check
// The loader of a form's frame whose fields are elsewhere in the page, each in a frame of its own.

import './fields-host-driver.js';
import './loader.js';
