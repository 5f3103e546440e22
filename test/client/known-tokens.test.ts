import assert from 'node:assert/strict';
import { networks } from '../../src/payments/chain/networks.js';
import { demonstrationKey } from '../../src/client/payments/choose-payer.js';
import { knownTokens } from '../../src/client/payments/known-tokens.js';
import { buyer } from '../../src/demo/chain/accounts.js';

describe("the client's built-in tokens", () => {
  it('are exactly the tokens that the server sells for', () => {
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

  it("include the demonstration's buyer, used when no key is given", () => {
    assert.equal(demonstrationKey, buyer.privateKey);
  });
});
