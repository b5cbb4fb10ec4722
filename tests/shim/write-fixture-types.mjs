/**
 * Writes the protocol's fixtures as TypeScript, so that tsc checks them against `www/sdk/messages.d.ts` and `www/sdk/build-messages.d.ts`: an import of the JSON
 * would widen every `"ready"` to `string`. Literals are checked both ways, for members that lack and for members too many.
 * And the React component of docs/element.md, so that tsc checks what merchants copy.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const folder = new URL('../../target/shim/', import.meta.url);
mkdirSync(folder, { recursive: true });

/**
 * @param {string} file the fixture
 * @param {string} name of its declarations
 * @param {Record<string, string>} types by member of the fixture
 */
function write(file, name, types) {
  const fixture = JSON.parse(readFileSync(new URL(`../../crates/protocol/fixtures/${file}.json`, import.meta.url), 'utf8'));
  const unknown = Object.keys(fixture).filter((member) => !Object.hasOwn(types, member));
  if (unknown.length > 0) throw new Error(`${file}.json has members without a type: ${unknown}`);
  const consts = Object.entries(types).map(([member, type]) => `export const ${member}: ${type} = ${JSON.stringify(fixture[member], null, 2)};\n`);
  const used = [...new Set(Object.values(types).map((type) => type.replace('[]', '')))];
  writeFileSync(new URL(`${file}.ts`, folder), `// Written by tests/shim/write-fixture-types.mjs.\nimport type { ${used.join(', ')} } from '../../www/sdk/${name}.js';\n\n${consts.join('\n')}`);
}

write('frame-messages', 'messages', { hello: 'WindowMessage', init: 'WindowMessage', greet: 'WindowMessage', frameMessages: 'FrameMessage[]', shimCommands: 'ShimCommand[]' });
write('build-messages', 'build-messages', { commands: 'BuildCommand[]', messages: 'FieldFrameMessage[]', events: 'BuildEvent[]' });

const guide = readFileSync(new URL('../../docs/element.md', import.meta.url), 'utf8');
const component = /```tsx\n([^]*?)```/.exec(guide)?.[1];
if (!component?.includes("'./payframe.js'")) throw new Error('docs/element.md has no component that imports the types');
writeFileSync(new URL('react-component.tsx', folder), component.replace("'./payframe.js'", "'../../www/sdk/payframe.js'"));
