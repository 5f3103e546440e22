import assert from 'node:assert/strict';
import { mnemonicToAccount, privateKeyToAddress } from 'viem/accounts';
import { isWellKnownTestAccount, wellKnownAccounts } from '../../../src/payments/chain/well-known-accounts.js';

describe('isWellKnownTestAccount', () => {
  it('knows the ten accounts of the public test phrase, by address', () => {
    const phrase = 'test test test test test test test test test test test junk';
    for (let addressIndex = 0; addressIndex < 10; addressIndex += 1) {
      const { address } = mnemonicToAccount(phrase, { addressIndex });
      assert.ok(isWellKnownTestAccount(address));
      assert.ok(isWellKnownTestAccount(address.toLowerCase()));
    }
  });

  it('knows their private keys, with and without 0x, in any case', () => {
    for (const { privateKey } of wellKnownAccounts) {
      assert.ok(isWellKnownTestAccount(privateKey));
      assert.ok(isWellKnownTestAccount(privateKey.slice(2).toUpperCase()));
    }
  });

  it('does not know any other address or key', () => {
    assert.equal(isWellKnownTestAccount('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'), false);
    assert.equal(isWellKnownTestAccount(`0x${'11'.repeat(32)}`), false);
    assert.equal(isWellKnownTestAccount(''), false);
  });
});

describe('wellKnownAccounts', () => {
  it('holds the key of each of its addresses', () => {
    for (const { address, privateKey } of wellKnownAccounts) assert.equal(privateKeyToAddress(privateKey), address);
  });
});
