import assert from 'node:assert/strict';
import { decodeFunctionData } from 'viem';
import type { Authorization, AuthorizationVerifier, Hex } from '../../../src/payments/chain/eip3009.js';
import { tokenAbi } from '../../../src/payments/chain/token-abi.js';
import { encodeSettlement, encodeTransfer } from '../../../src/payments/settlement/relayer/encode-settlement.js';
import { maxBatchSize } from '../../../src/payments/settlement/settlement-settings.js';

const rs = `${'a1'.repeat(32)}${'52'.repeat(32)}`;
const authorization: Authorization = {
  from: '0x00000000000000000000000000000000000000AA',
  to: '0x00000000000000000000000000000000000000bb',
  value: 1n,
  validAfter: 2n,
  validBefore: 3n,
  nonce: `0x${'cd'.repeat(32)}`,
  signature: `0x${rs}1b`,
};

/** The arguments behind the six that both overloads share. */
function encodeSignature(signature: Hex, isPlain: boolean): readonly unknown[] {
  const verifier: AuthorizationVerifier = {
    digest: () => undefined,
    recover: () => undefined,
    isSignedByPayer: () => isPlain,
  };
  const data = encodeTransfer({ ...authorization, signature }, verifier);
  return decodeFunctionData({ abi: tokenAbi, data }).args?.slice(6) ?? [];
}

describe('encodeTransfer', () => {
  it('sends the signature of a plain account as v, r, s', () => {
    const vrs = (v: number) => [v, `0x${'a1'.repeat(32)}`, `0x${'52'.repeat(32)}`];
    assert.deepEqual(encodeSignature(`0x${rs}1b`, true), vrs(27));
    assert.deepEqual(encodeSignature(`0x${rs}1C`, true), vrs(28));
  });

  it('writes 0 and 1 as 27 and 28, as the token wants them', () => {
    assert.equal(encodeSignature(`0x${rs}00`, true)[0], 27);
    assert.equal(encodeSignature(`0x${rs}01`, true)[0], 28);
  });

  it("changes nothing in a contract wallet's signature, whatever its length and last byte", () => {
    for (const signature of [`0x${rs}00`, `0x${rs}01`, `0x${rs}1d`, `0x${rs}`, '0x', `0x${rs}${rs}`] as const) {
      assert.deepEqual(encodeSignature(signature, false), [signature]);
    }
  });
});

describe('encodeSettlement', () => {
  it('keeps the largest batch that can be set within the gas of one transaction (EIP-7825)', () => {
    const verifier = { digest: () => undefined, recover: () => undefined, isSignedByPayer: () => true };
    const all = Array.from({ length: maxBatchSize }, () => authorization);
    const { gas } = encodeSettlement(all, { asset: '0x00000000000000000000000000000000000000aa', verifier });
    assert.ok(gas <= 16_777_216n);
    // What a shared transfer uses.
    assert.ok(gas >= BigInt(maxBatchSize) * 57_000n);
  });
});
