import assert from 'node:assert/strict';
import { networks } from '../../src/payments/chain/networks.js';
import { demonstrationKey } from '../../src/client/payments/choose-payer.js';
import { knownTokens } from '../../src/client/payments/known-tokens.js';
import { buyer } from '../../src/demo/chain/accounts.js';

describe('what the client knows by itself', () => {
  it('knows exactly the tokens that the server sells for', () => {
    const sold = networks.map(({ id, chainId, label, asset, domain, isLocal }) => ({
      network: id,
      chainId,
      label,
      address: asset,
      ...domain,
      isLocal,
    }));
    assert.deepEqual(knownTokens, sold);
  });

  it("pays with the demonstration's buyer where nobody gives a key", () => {
    assert.equal(demonstrationKey, buyer.privateKey);
  });
});
