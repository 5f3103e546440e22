import assert from 'node:assert/strict';
import { mnemonicToAccount } from 'viem/accounts';
import { isWellKnownTestAccount, wellKnownAccounts } from '../../../src/payments/chain/well-known-accounts.js';
import { addressesOf } from '../../../src/payments/settlement/key-roles.js';

const mnemonic = 'test test test test test test test test test test test junk';
/** As many as Hardhat prints; anvil prints half of them. */
const printed = 20;

describe('isWellKnownTestAccount', () => {
  it('recognizes the address of every account that anvil or Hardhat prints, in any case, and no other', () => {
    for (let addressIndex = 0; addressIndex <= printed; addressIndex += 1) {
      const { address } = mnemonicToAccount(mnemonic, { addressIndex });
      for (const spelled of [address, `0x${address.slice(2).toLowerCase()}`] as const)
        assert.equal(isWellKnownTestAccount(spelled), addressIndex < printed, address);
    }
  });

  it('has the private key of each account that the demonstration uses', () => {
    const addresses = wellKnownAccounts.map(({ address }) => address.toLowerCase());
    assert.deepEqual(addressesOf(wellKnownAccounts.map(({ privateKey }) => privateKey)), addresses);
  });
});
