import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { compileToken } from '../../support/contracts/compile-token.js';
import { compileWallet } from '../../support/compile-wallet.js';
import { findProjectFile } from '../../../src/project-file.js';

describe('the contracts of the local chain', () => {
  it('are the committed sources, compiled: the token, byte for byte', () => {
    const committed = readFileSync(findProjectFile('test/support/contracts/test-token.json'), 'utf8');
    const compiled = `${JSON.stringify(compileToken(), undefined, 2)}\n`;
    assert.equal(compiled, committed, 'Run: npx tsx test/support/contracts/compile-token.ts');
  });

  it('are the committed sources, compiled: the wallet of the tests, byte for byte', () => {
    const committed = readFileSync(findProjectFile('test/support/wallet.json'), 'utf8');
    const compiled = `${JSON.stringify(compileWallet(), undefined, 2)}\n`;
    assert.equal(compiled, committed, 'Run: npx tsx test/support/compile-wallet.ts');
  });
});
