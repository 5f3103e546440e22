import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hashTypedData, recoverTypedDataAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createAuthorizationVerifier } from '../../../src/payments/chain/eip3009.js';
import type { Authorization, AuthorizationVerifier, Hex, TokenDomain } from '../../../src/payments/chain/eip3009.js';

const groupOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const domain: TokenDomain = {
  name: 'USD Coin',
  version: '2',
  chainId: 8453,
  verifyingContract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
};
const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

const hexOf = (bytes: number): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array): Hex => `0x${Buffer.from(array).toString('hex')}`);
const uint256 = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 12n }),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.constantFrom(0n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 256n - 1n),
);
const privateKey = fc
  .bigInt({ min: 1n, max: groupOrder - 1n })
  .map((key): Hex => `0x${key.toString(16).padStart(64, '0')}`);
const fields = fc.record({
  to: hexOf(20),
  value: uint256,
  validAfter: uint256,
  validBefore: uint256,
  nonce: hexOf(32),
});

const typedData = (message: Omit<Authorization, 'signature'>) =>
  ({ domain, types, primaryType: 'TransferWithAuthorization', message }) as const;

async function sign(key: Hex, message: Omit<Authorization, 'signature' | 'from'>): Promise<Authorization> {
  const account = privateKeyToAccount(key);
  const unsigned = { from: account.address, ...message };
  return { ...unsigned, signature: await account.signTypedData(typedData(unsigned)) };
}

/** The same r and s, or others, with another v. */
function signatureOf(r: bigint, s: bigint, v: number): Hex {
  const word = (value: bigint): string => value.toString(16).padStart(64, '0');
  return `0x${word(r)}${word(s)}${v.toString(16).padStart(2, '0')}`;
}

const rOf = (signature: Hex): bigint => BigInt(signature.slice(0, 66));
const sOf = (signature: Hex): bigint => BigInt(`0x${signature.slice(66, 130)}`);
const vOf = (signature: Hex): number => Number(`0x${signature.slice(130)}`);

describe('createAuthorizationVerifier', () => {
  let verifier: AuthorizationVerifier;
  let signed: Authorization;

  before(async () => {
    verifier = await createAuthorizationVerifier(domain);
    signed = await sign(`0x${'17'.repeat(32)}`, {
      to: '0x00000000000000000000000000000000000000aa',
      value: 50_000n,
      validAfter: 0n,
      validBefore: 1_900_000_000n,
      nonce: `0x${'ab'.repeat(32)}`,
    });
  });

  it('computes the digest that viem computes', () => {
    fc.assert(
      fc.property(fields, hexOf(20), hexOf(65), (message, from, signature) => {
        const authorization = { from, ...message, signature };
        assert.equal(verifier.digest(authorization), hashTypedData(typedData(authorization)));
      }),
      { numRuns: 300 },
    );
  });

  it('recovers the signer that viem recovers', async () => {
    await fc.assert(
      fc.asyncProperty(privateKey, fields, async (key, message) => {
        const authorization = await sign(key, message);
        const expected = await recoverTypedDataAddress({
          ...typedData(authorization),
          signature: authorization.signature,
        });
        assert.equal(verifier.recover(authorization), expected.toLowerCase());
        assert.equal(verifier.isSignedByPayer(authorization), true);
      }),
      { numRuns: 60 },
    );
  });

  it('recovers what viem recovers from random r and s, and nothing where viem finds nothing', async () => {
    const word = fc.bigInt({ min: 1n, max: groupOrder - 1n });
    const lowS = fc.bigInt({ min: 1n, max: groupOrder / 2n });
    await fc.assert(
      fc.asyncProperty(word, lowS, fc.constantFrom(27, 28), async (r, s, v) => {
        const authorization = { ...signed, signature: signatureOf(r, s, v) };
        const expected = await recoverTypedDataAddress({
          ...typedData(authorization),
          signature: authorization.signature,
        }).catch(() => undefined);
        assert.equal(verifier.recover(authorization), expected?.toLowerCase());
      }),
      { numRuns: 60 },
    );
  });

  it('accepts v as 27 and 28 and as 0 and 1, and refuses every other v', () => {
    const [r, s, v] = [rOf(signed.signature), sOf(signed.signature), vOf(signed.signature)];
    const accepted = Array.from({ length: 256 }, (_, candidate) => candidate).filter((candidate) =>
      verifier.isSignedByPayer({ ...signed, signature: signatureOf(r, s, candidate) }),
    );
    assert.deepEqual(accepted, [v - 27, v]);
    const recovered = Array.from({ length: 256 }, (_, candidate) => candidate).filter(
      (candidate) => verifier.recover({ ...signed, signature: signatureOf(r, s, candidate) }) !== undefined,
    );
    assert.deepEqual(recovered, [0, 1, 27, 28]);
  });

  it('refuses the mirrored signature with a high s', () => {
    const { signature } = signed;
    const mirrored = signatureOf(rOf(signature), groupOrder - sOf(signature), vOf(signature) === 27 ? 28 : 27);
    assert.equal(verifier.recover({ ...signed, signature: mirrored }), undefined);
    assert.equal(verifier.isSignedByPayer({ ...signed, signature: mirrored }), false);
  });

  it('refuses an s one above half the group order and takes the half itself', () => {
    const r = rOf(signed.signature);
    assert.equal(verifier.recover({ ...signed, signature: signatureOf(r, groupOrder / 2n + 1n, 27) }), undefined);
    assert.notEqual(verifier.recover({ ...signed, signature: signatureOf(r, groupOrder / 2n, 27) }), undefined);
  });

  it('refuses r and s that are 0 or not below the group order', () => {
    const [r, s] = [rOf(signed.signature), sOf(signed.signature)];
    for (const [badR, badS] of [
      [0n, s],
      [r, 0n],
      [0n, 0n],
      [groupOrder, s],
      [2n ** 256n - 1n, s],
      [r, groupOrder],
      [r, 2n ** 256n - 1n],
    ] as const) {
      assert.equal(verifier.recover({ ...signed, signature: signatureOf(badR, badS, 27) }), undefined);
    }
  });

  it('refuses a signature of any other length', () => {
    for (const signature of [
      '0x',
      '0x00',
      signed.signature.slice(0, -2),
      `${signed.signature}00`,
      signed.signature.slice(0, 130),
    ]) {
      assert.equal(verifier.recover({ ...signed, signature: signature as Hex }), undefined);
    }
  });

  it('does not take the signature when one field differs', () => {
    const others: Partial<Authorization>[] = [
      { from: '0x00000000000000000000000000000000000000bb' },
      { to: '0x00000000000000000000000000000000000000ab' },
      { value: 50_001n },
      { validAfter: 1n },
      { validBefore: 1_900_000_001n },
      { nonce: `0x${'ab'.repeat(31)}ac` },
    ];
    for (const other of others) assert.equal(verifier.isSignedByPayer({ ...signed, ...other }), false);
    assert.equal(verifier.isSignedByPayer(signed), true);
  });

  it('does not take the signature in another domain', async () => {
    const others: Partial<TokenDomain>[] = [
      { name: 'USDC' },
      { version: '1' },
      { chainId: 84532 },
      { verifyingContract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914' },
    ];
    for (const other of others) {
      const elsewhere = await createAuthorizationVerifier({ ...domain, ...other });
      assert.equal(elsewhere.isSignedByPayer(signed), false);
    }
  });

  it('takes addresses in any case', () => {
    const upper = `0x${signed.from.slice(2).toUpperCase()}` as const;
    assert.equal(verifier.isSignedByPayer({ ...signed, from: upper }), true);
  });

  it('answers garbage with no and never throws', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      hexOf(20),
      hexOf(32),
      hexOf(65),
      fc.string({ unit: 'grapheme', minLength: 42, maxLength: 42 }),
    );
    const garbage = text.map((value) => value as Hex);
    const number = fc.oneof(fc.bigInt(), fc.constantFrom(-1n, 2n ** 256n));
    fc.assert(
      fc.property(
        fc.record({
          from: garbage,
          to: garbage,
          value: number,
          validAfter: number,
          validBefore: number,
          nonce: garbage,
        }),
        garbage,
        (message, signature) => {
          verifier.digest({ ...message, signature });
          assert.equal(verifier.isSignedByPayer({ ...message, signature }), false);
          assert.equal(verifier.isSignedByPayer({ ...signed, ...message }), false);
        },
      ),
      { numRuns: 500 },
    );
    const misfits: Partial<Authorization>[] = [
      { value: -1n },
      { value: 2n ** 256n },
      { from: '0x' },
      { to: `0X${'0'.repeat(40)}` as Hex },
      { nonce: `0x${'é'.repeat(64)}` },
      { nonce: `0x${'ab'.repeat(31)}` },
    ];
    for (const misfit of misfits) assert.equal(verifier.digest({ ...signed, ...misfit }), undefined);
    assert.equal(verifier.isSignedByPayer(signed), true, 'and garbage leaves nothing behind');
  });

  it('refuses a domain whose contract is no address', async () => {
    await assert.rejects(
      createAuthorizationVerifier({ ...domain, verifyingContract: '0x1234' }),
      /address of 20 bytes/,
    );
  });
});
