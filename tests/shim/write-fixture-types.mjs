/**
 * Writes the protocol's fixtures as TypeScript, so that tsc checks them against `www/sdk/messages.d.ts`: an import of the JSON
 * would widen every `"ready"` to `string`. Literals are checked both ways, for members that lack and for members too many.
 * And the React component of docs/element.md, so that tsc checks what merchants copy.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const fixture = JSON.parse(readFileSync(new URL('../../crates/protocol/fixtures/frame-messages.json', import.meta.url), 'utf8'));
const types = { hello: 'WindowMessage', init: 'WindowMessage', greet: 'WindowMessage', frameMessages: 'FrameMessage[]', shimCommands: 'ShimCommand[]' };

const unknown = Object.keys(fixture).filter((name) => !Object.hasOwn(types, name));
if (unknown.length > 0) throw new Error(`frame-messages.json has members without a type: ${unknown}`);

const consts = Object.entries(types).map(([name, type]) => `export const ${name}: ${type} = ${JSON.stringify(fixture[name], null, 2)};\n`);
const folder = new URL('../../target/shim/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(
  new URL('frame-messages.ts', folder),
  `// Written by tests/shim/write-fixture-types.mjs.\nimport type { FrameMessage, ShimCommand, WindowMessage } from '../../www/sdk/messages.js';\n\n${consts.join('\n')}`,
);

const guide = readFileSync(new URL('../../docs/element.md', import.meta.url), 'utf8');
const component = /```tsx\n([^]*?)```/.exec(guide)?.[1];
if (!component?.includes("'./payframe.js'")) throw new Error('docs/element.md has no component that imports the types');
writeFileSync(new URL('react-component.tsx', folder), component.replace("'./payframe.js'", "'../../www/sdk/payframe.js'"));
