import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  openEthereumCrypto,
  openNativeCurve,
  openWasmCurve,
  type Curve,
  type NativeSecp256k1,
} from '../../../src/payments/chain/ethereum-crypto.js';

const digestOf = (text: string) => createHash('sha256').update(text).digest();
const order = Buffer.from('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141', 'hex');

describe('the curve', () => {
  let wasm: Curve;
  let native: Curve;
  before(async function () {
    wasm = await openWasmCurve();
    native = openNativeCurve() ?? this.skip();
  });

  it('is the addon where there is one for this machine', async () => {
    assert.equal((await openEthereumCrypto()).build, 'native');
  });

  it('signs and recovers alike as an addon and in WebAssembly', () => {
    for (let index = 0; index < 200; index++) {
      const [key, digest] = [digestOf(`key ${index}`), digestOf(`digest ${index}`)];
      const signature = wasm.sign(digest, key);
      assert.deepEqual(native.sign(digest, key), signature);
      for (const id of [0, 1] as const) {
        const recovered = wasm.recoverPublicKey(signature.subarray(0, 64), id, digest);
        assert.deepEqual(
          Buffer.from(native.recoverPublicKey(signature.subarray(0, 64), id, digest) ?? []),
          Buffer.from(recovered ?? []),
        );
      }
    }
  });

  it('refuses the same signatures and keys as an addon and in WebAssembly', () => {
    const digest = digestOf('digest');
    const good = Buffer.from(wasm.sign(digest, digestOf('key'))).subarray(0, 64);
    const [r, s] = [good.subarray(0, 32), good.subarray(32)];
    const zero = Buffer.alloc(32);
    // The point of x = 5 is not on the curve.
    const noPoint = Buffer.from('5'.padStart(64, '0'), 'hex');
    const pairs = [
      [zero, s],
      [r, zero],
      [order, s],
      [r, order],
      [Buffer.alloc(32, 255), s],
      [noPoint, s],
    ] as const;
    for (const pair of pairs)
      for (const curve of [native, wasm])
        assert.equal(curve.recoverPublicKey(Buffer.concat(pair), 0, digest), undefined, curve.build);
    for (const key of [zero, order])
      for (const curve of [native, wasm]) assert.throws(() => curve.sign(digest, key), Error, curve.build);
  });

  it('is no addon that is missing, or that recovers or signs otherwise than the library', () => {
    const as = (addon: Partial<NativeSecp256k1>) =>
      openNativeCurve(() => ({
        ecdsaRecover: (signature, id, digest, _compressed, out) => {
          const key = native.recoverPublicKey(signature, id as 0 | 1, digest);
          if (key === undefined) throw new Error('none');
          out.set(key, 1);
          return out;
        },
        ecdsaSign: (digest, key) => {
          const signature = native.sign(digest, key);
          return { signature: signature.subarray(0, 64), recid: (signature[64] ?? 0) - 27 };
        },
        ...addon,
      }));
    assert.equal(as({})?.build, 'native');
    const missing = () => {
      throw new Error('No native build was found');
    };
    assert.equal(openNativeCurve(missing), undefined);
    assert.equal(as({ ecdsaRecover: () => new Uint8Array(65) }), undefined);
    assert.equal(as({ ecdsaSign: () => ({ signature: new Uint8Array(64), recid: 0 }) }), undefined);
    assert.equal(as({ ecdsaSign: missing }), undefined);
  });
});
