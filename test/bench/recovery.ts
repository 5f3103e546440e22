import { randomBytes } from 'node:crypto';
import { openEthereumCrypto } from '../../src/payments/chain/ethereum-crypto.js';

/** Microseconds of CPU that recovering one public key costs on this machine: the floor of refusing a bad signature. */
export async function measureRecovery(): Promise<{ micros: number; build: string }> {
  const secp256k1 = await openEthereumCrypto();
  const digest = randomBytes(32);
  const signature = secp256k1.sign(digest, Buffer.alloc(32, 1));
  const compact = signature.subarray(0, 64);
  const recoveryId = signature[64] === 28 ? 1 : 0;
  const recover = (count: number) => {
    for (let index = 0; index < count; index++) secp256k1.recoverPublicKey(compact, recoveryId, digest);
  };
  recover(1_000);
  const before = process.cpuUsage();
  recover(1_000);
  const { user, system } = process.cpuUsage(before);
  return { micros: (user + system) / 1_000, build: secp256k1.build };
}
