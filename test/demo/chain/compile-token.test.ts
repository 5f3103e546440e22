import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { compileToken } from '../../../src/demo/chain/compile-token.js';

describe('compileToken', () => {
  it('compiles the committed source to the committed artifact, byte for byte', () => {
    const committed = readFileSync(new URL('../../../src/demo/chain/test-token.json', import.meta.url), 'utf8');
    const compiled = `${JSON.stringify(compileToken(), undefined, 2)}\n`;
    assert.equal(compiled, committed, 'Run: npx tsx src/demo/chain/compile-token.ts');
  }).timeout(60_000);
});
