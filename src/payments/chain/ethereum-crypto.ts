// The library's main module loads its whole virtual machine (150 ms); this file of it is the curve alone.
import {
  CompressionFlag,
  ContextFlag,
  instantiateSecp256k1Wasm,
} from '@bitauth/libauth/build/lib/bin/secp256k1/secp256k1-wasm.js';
import { createKeccak } from 'hash-wasm';
import { createRequire } from 'node:module';

/** libsecp256k1's recovery and signing. Not to be shared between threads. */
export interface Curve {
  /** Which build of the library it is. */
  readonly build: 'native' | 'WebAssembly';
  /**
   * The 64 bytes (x, y) of the key that signed, or undefined when there is none: r or s is 0 or not below the group
   * order, or r is no point. The bytes are a view that the next call overwrites.
   *
   * @param signature r and s, 64 bytes
   * @param digest 32 bytes
   */
  recoverPublicKey(signature: Uint8Array, recoveryId: 0 | 1, digest: Uint8Array): Uint8Array | undefined;
  /**
   * A signature as Ethereum writes it: r, s and v (27 or 28), 65 bytes, s in the lower half. The same key and digest
   * give the same signature (RFC 6979).
   *
   * @param digest 32 bytes
   * @param privateKey 32 bytes, above 0 and below the group order; throws for any other
   */
  sign(digest: Uint8Array, privateKey: Uint8Array): Uint8Array;
}

/** Keccak in WebAssembly, and the curve. */
export interface EthereumCrypto extends Curve {
  /** 32 bytes; a text is hashed as UTF-8. */
  keccak256(data: string | Uint8Array): Uint8Array;
}

let opened: Promise<EthereumCrypto> | undefined;

/** The one of this process, opened when it is first asked for. */
export function openEthereumCrypto(): Promise<EthereumCrypto> {
  return (opened ??= open());
}

async function open(): Promise<EthereumCrypto> {
  const [keccak, curve] = await Promise.all([createKeccak(256), openNativeCurve() ?? openWasmCurve()]);
  return { ...curve, keccak256: (data) => keccak.init().update(data).digest('binary') };
}

/** What is used of the package `secp256k1`. Both functions throw for what they cannot do. */
export interface NativeSecp256k1 {
  ecdsaRecover(signature: Uint8Array, id: number, digest: Uint8Array, compressed: false, out: Uint8Array): Uint8Array;
  ecdsaSign(digest: Uint8Array, key: Uint8Array): { readonly signature: Uint8Array; readonly recid: number };
}

/**
 * The library as an addon of Node, where its optional package has one for this machine: a third of the time that
 * WebAssembly takes. Undefined where it has none, or where the addon does not answer a known question as it should.
 */
export function openNativeCurve(load: () => NativeSecp256k1 = loadAddon): Curve | undefined {
  try {
    const { ecdsaRecover, ecdsaSign } = load();
    const key = new Uint8Array(65);
    const curve: Curve = {
      build: 'native',
      recoverPublicKey(signature, recoveryId, digest) {
        try {
          return ecdsaRecover(signature, recoveryId, digest, false, key).subarray(1);
        } catch {
          return undefined;
        }
      },
      sign(digest, privateKey) {
        const { signature, recid } = ecdsaSign(digest, privateKey);
        return Uint8Array.of(...signature, 27 + recid);
      },
    };
    return isRight(curve) ? curve : undefined;
  } catch {
    return undefined;
  }
}

/** Not by the package's main module, which falls back to a curve in JavaScript. */
function loadAddon(): NativeSecp256k1 {
  const load = createRequire(import.meta.url);
  try {
    return load('secp256k1/bindings.js') as NativeSecp256k1;
  } catch {
    // As `npm run bundle` writes it.
    return load('./secp256k1/bindings.cjs') as NativeSecp256k1;
  }
}

/** What the library answers for a key and a digest of nothing but ones and twos. */
const known = {
  key: Buffer.alloc(32, 1),
  digest: Buffer.alloc(32, 2),
  publicKey:
    '1b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078f70beaf8f588b541507fed6a642c5ab42dfdf8120a7f639de5122d47a69a8e8d1',
  signature:
    '97ef30233ead25d10f7bb2bf9eaf571a16f2deb33a75f20819284f0cb8ff3cc14870ca05940199c113b4dc77866f001702691cde269f6835581e7aea1ead26601b',
};

function isRight({ sign, recoverPublicKey }: Curve): boolean {
  const signature = Buffer.from(known.signature, 'hex');
  const id = signature[64] === 28 ? 1 : 0;
  const recovered = recoverPublicKey(signature.subarray(0, 64), id, known.digest) ?? [];
  return (
    signature.equals(sign(known.digest, known.key)) &&
    Buffer.from(recovered).toString('hex') === known.publicKey &&
    recoverPublicKey(Buffer.alloc(64), id, known.digest) === undefined
  );
}

/** The library in WebAssembly, which is right everywhere (about 20 ms and 16 MB at first). */
export async function openWasmCurve(): Promise<Curve> {
  const wasm = await instantiateSecp256k1Wasm();
  const context = wasm.contextCreate(ContextFlag.BOTH);
  const signatureIn = wasm.malloc(64);
  const digestIn = wasm.malloc(32);
  const parsedSignature = wasm.malloc(65);
  const parsedKey = wasm.malloc(64);
  const keyOut = wasm.malloc(65);
  const keyLength = wasm.mallocSizeT(65);
  const keyBytes = wasm.readHeapU8(keyOut + 1, 64);
  const secretIn = wasm.malloc(32);
  const signatureOut = wasm.malloc(64);
  const recoveryIdOut = wasm.mallocSizeT(0);

  return {
    build: 'WebAssembly',
    recoverPublicKey(signature, recoveryId, digest) {
      wasm.heapU8.set(signature, signatureIn);
      wasm.heapU8.set(digest, digestIn);
      if (wasm.recoverableSignatureParse(context, parsedSignature, signatureIn, recoveryId) !== 1) return undefined;
      if (wasm.recover(context, parsedKey, parsedSignature, digestIn) !== 1) return undefined;
      wasm.pubkeySerialize(context, keyOut, keyLength, parsedKey, CompressionFlag.UNCOMPRESSED);
      return keyBytes;
    },
    sign(digest, privateKey) {
      wasm.heapU8.set(digest, digestIn);
      wasm.heapU8.set(privateKey, secretIn);
      const isSigned = wasm.signRecoverable(context, parsedSignature, digestIn, secretIn) === 1;
      wasm.heapU8.fill(0, secretIn, secretIn + 32);
      if (!isSigned) throw new Error('The key is no private key of secp256k1');
      wasm.recoverableSignatureSerialize(context, signatureOut, recoveryIdOut, parsedSignature);
      const signature = new Uint8Array(65);
      signature.set(wasm.readHeapU8(signatureOut, 64));
      signature[64] = 27 + wasm.readSizeT(recoveryIdOut);
      return signature;
    },
  };
}
