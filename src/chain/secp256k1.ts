// The library's main module loads its whole virtual machine (150 ms); this file of it is the curve alone.
import {
  CompressionFlag,
  ContextFlag,
  instantiateSecp256k1Wasm,
} from '@bitauth/libauth/build/lib/bin/secp256k1/secp256k1-wasm.js';

/** Public-key recovery on libsecp256k1, compiled to WebAssembly. Not to be shared between threads. */
export interface Secp256k1 {
  /**
   * The 64 bytes (x, y) of the key that signed, or undefined when there is none: r or s is 0 or not below the group
   * order, or r is no point. The bytes are a view that the next call overwrites.
   *
   * @param signature r and s, 64 bytes
   * @param digest 32 bytes
   */
  recoverPublicKey(signature: Uint8Array, recoveryId: 0 | 1, digest: Uint8Array): Uint8Array | undefined;
}

/** Instantiates the curve (about 20 ms, 16 MB). One per process is enough: a recovery takes about 0.1 ms. */
export async function createSecp256k1(): Promise<Secp256k1> {
  const wasm = await instantiateSecp256k1Wasm();
  const context = wasm.contextCreate(ContextFlag.VERIFY);
  const signatureIn = wasm.malloc(64);
  const digestIn = wasm.malloc(32);
  const parsedSignature = wasm.malloc(65);
  const parsedKey = wasm.malloc(64);
  const keyOut = wasm.malloc(65);
  const keyLength = wasm.mallocSizeT(65);
  const keyBytes = wasm.readHeapU8(keyOut + 1, 64);

  return {
    recoverPublicKey(signature, recoveryId, digest) {
      wasm.heapU8.set(signature, signatureIn);
      wasm.heapU8.set(digest, digestIn);
      if (wasm.recoverableSignatureParse(context, parsedSignature, signatureIn, recoveryId) !== 1) return undefined;
      if (wasm.recover(context, parsedKey, parsedSignature, digestIn) !== 1) return undefined;
      wasm.pubkeySerialize(context, keyOut, keyLength, parsedKey, CompressionFlag.UNCOMPRESSED);
      return keyBytes;
    },
  };
}
