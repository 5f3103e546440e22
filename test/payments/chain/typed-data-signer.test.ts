import assert from 'node:assert/strict';
import fc from 'fast-check';
import { recoverTypedDataAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createTypedDataSigner } from '../../../src/payments/chain/typed-data-signer.js';

const struct = {
  domain: { name: 'a test', version: '1', chainId: 8453 },
  primaryType: 'Note',
  fields: [
    { name: 'text', type: 'string' },
    { name: 'number', type: 'uint256' },
    { name: 'other', type: 'string' },
  ],
} as const;
const typedData = (message: { text: string; number: number; other: string }) => ({
  domain: struct.domain,
  types: { Note: struct.fields },
  primaryType: struct.primaryType,
  message: { ...message, number: BigInt(message.number) },
});
const messages = fc.record({
  text: fc.string({ unit: 'binary' }),
  number: fc.maxSafeNat(),
  other: fc.string({ unit: 'binary' }),
});

describe('the signer of typed data', () => {
  it('makes the very signature that viem makes, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(messages, async (message) => {
        const key = generatePrivateKey();
        const account = privateKeyToAccount(key);
        const signer = await createTypedDataSigner(key);
        assert.equal(signer.address, account.address);
        assert.equal(signer.signerOf(struct)(message), await account.signTypedData(typedData(message)));
      }),
      { numRuns: 50 },
    );
  });

  it('signs for one domain and one type only', async () => {
    const signer = await createTypedDataSigner(generatePrivateKey());
    const message = { text: 'a', number: 1, other: 'b' };
    const signature = signer.signerOf({ ...struct, domain: { ...struct.domain, name: 'another test' } })(message);
    assert.notEqual(await recoverTypedDataAddress({ ...typedData(message), signature }), signer.address);
  });

  it('refuses a message that does not fit its type rather than signing another', async () => {
    const sign = (await createTypedDataSigner(generatePrivateKey())).signerOf(struct);
    for (const wrong of [
      { text: 'a', number: 1 },
      { text: 'a', number: '1', other: 'b' },
      { text: 1, number: 1, other: 'b' },
      { text: 'a', number: -1, other: 'b' },
      { text: 'a', number: 1.5, other: 'b' },
      { text: 'a', number: 2 ** 53, other: 'b' },
    ])
      assert.throws(() => sign(wrong as unknown as { text: string }), /is no (string|uint256)/);
  });
});
