import { bytesToHex } from 'viem';
import { openEthereumCrypto } from './ethereum-crypto.js';

export type Hex = `0x${string}`;

/** The same bytes in lower case: the form for comparing, and the one that asks for no EIP-55 checksum. */
export function lowerHex(hex: Hex): Hex {
  return hex.toLowerCase() as Hex; // toLowerCase() forgets the template type
}

/** A signed EIP-3009 transferWithAuthorization, as the payment payload carries it. Amounts in atomic units. */
export interface Authorization {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
  /** Unix seconds. */
  readonly validAfter: bigint;
  /** Unix seconds. */
  readonly validBefore: bigint;
  /** 32 bytes. */
  readonly nonce: Hex;
  readonly signature: Hex;
}

/** The EIP-712 domain of the token: whatever is signed under it is valid for this token contract on this chain only. */
export interface TokenDomain {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly verifyingContract: Hex;
}

/** Checks signatures without asking anybody. Never throws, whatever the fields hold. */
export interface AuthorizationVerifier {
  /** The EIP-712 digest that was signed, or undefined when a field does not fit its type. */
  digest(authorization: Authorization): Hex | undefined;
  /**
   * The address whose key made the signature, in lower case. Undefined when it is no signature that the token would
   * take from a plain account: 65 bytes r, s, v; v 0, 1, 27 or 28; s in the lower half (EIP-2); r and s in range.
   */
  recover(authorization: Authorization): Hex | undefined;
  /** True when that address is the payer. False says nothing of contract wallets: only the token can judge theirs. */
  isSignedByPayer(authorization: Authorization): boolean;
}

/** Ends each ERC-6492 signature: its wallet is not deployed yet. */
const undeployedWalletMark = '6492'.repeat(16);

/** The refusal of a payer whose wallet is not deployed. */
export const undeployedWallet = 'The payer is a wallet that is not deployed yet (ERC-6492): deploy it first.';

/** True for the signature of a wallet that is not deployed yet. */
export function isUndeployedWallet(signature: Hex): boolean {
  return lowerHex(signature).endsWith(undeployedWalletMark);
}

const domainType = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
const transferType =
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)';
/** Half the group order of secp256k1: a larger s is the mirror image of a signature, refused since EIP-2. */
const maxS = Buffer.from('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0', 'hex');

/** By v. Wallets write the parity of the key as 27 and 28, libraries also as 0 and 1. */
const recoveryIds = new Map<number | undefined, 0 | 1>([
  [0, 0],
  [1, 1],
  [27, 0],
  [28, 1],
]);

/**
 * A verifier for one token, by its own EIP-712 digest with a cached domain separator, and libsecp256k1: at most 0.1 ms
 * a check, where a JavaScript curve takes more than ten times as long.
 * Throws when the domain's token contract is not an address.
 */
export async function createAuthorizationVerifier(domain: TokenDomain): Promise<AuthorizationVerifier> {
  const { keccak256: hash, recoverPublicKey } = await openEthereumCrypto();

  // Buffers are written anew by each check: calls are synchronous, so they cannot meet.
  const message = Buffer.alloc(7 * 32);
  const envelope = Buffer.alloc(2 + 2 * 32);
  const signature = Buffer.alloc(65);
  message.set(hash(transferType), 0);
  envelope.set([0x19, 0x01], 0);
  envelope.set(hashDomain(domain, hash), 2);

  function hashAuthorization(authorization: Authorization): Uint8Array | undefined {
    const fits =
      writeHexBytes(message, 44, authorization.from, 20) &&
      writeHexBytes(message, 76, authorization.to, 20) &&
      writeUint256(message, 96, authorization.value) &&
      writeUint256(message, 128, authorization.validAfter) &&
      writeUint256(message, 160, authorization.validBefore) &&
      writeHexBytes(message, 192, authorization.nonce, 32);
    if (!fits) return undefined;
    envelope.set(hash(message), 34);
    return hash(envelope);
  }

  function recoverAddress(authorization: Authorization): Uint8Array | undefined {
    if (!writeHexBytes(signature, 0, authorization.signature, 65)) return undefined;
    const recoveryId = recoveryIds.get(signature[64]);
    if (recoveryId === undefined || signature.compare(maxS, 0, 32, 32, 64) > 0) return undefined;
    const digest = hashAuthorization(authorization);
    const key = digest && recoverPublicKey(signature.subarray(0, 64), recoveryId, digest);
    return key && hash(key).subarray(12);
  }

  return {
    digest(authorization) {
      const digest = hashAuthorization(authorization);
      return digest && bytesToHex(digest);
    },
    recover(authorization) {
      const address = recoverAddress(authorization);
      return address && bytesToHex(address);
    },
    isSignedByPayer(authorization) {
      const address = recoverAddress(authorization);
      return address !== undefined && message.compare(address, 0, 20, 44, 64) === 0;
    },
  };
}

function hashDomain(domain: TokenDomain, hash: (data: string | Uint8Array) => Uint8Array): Uint8Array {
  const fields = Buffer.alloc(5 * 32);
  fields.set(hash(domainType), 0);
  fields.set(hash(domain.name), 32);
  fields.set(hash(domain.version), 64);
  writeUint256(fields, 96, BigInt(domain.chainId));
  if (!writeHexBytes(fields, 140, domain.verifyingContract, 20)) {
    throw new Error(`The token's contract must be an address of 20 bytes, not ${domain.verifyingContract}`);
  }
  return hash(fields);
}

const maxUint64 = (1n << 64n) - 1n;

/**
 * Writes `0x` and exactly `length` bytes of hexadecimal at `offset`. False, with the bytes there undefined, when the
 * text is anything else.
 */
export function writeHexBytes(target: Buffer, offset: number, hex: string, length: number): boolean {
  if (hex.length !== 2 + 2 * length || !hex.startsWith('0x')) return false;
  return target.write(hex.slice(2), offset, length, 'hex') === length;
}

/** Writes a uint256 as 32 bytes, big-endian. False when the number is negative or does not fit. */
export function writeUint256(target: Buffer, offset: number, value: bigint): boolean {
  if (value < 0n) return false;
  if (value > maxUint64) return writeHexBytes(target, offset, `0x${value.toString(16).padStart(64, '0')}`, 32);
  target.fill(0, offset, offset + 24);
  target.writeBigUInt64BE(value, offset + 24);
  return true;
}

/**
 * The signature as a token accepts it: a plain account's v as 27 or 28, also if its wallet writes 0 or 1. Any other
 * signature stays unchanged, in lower case: only the payer's smart contract can interpret it (ERC-1271).
 */
export function normalizeSignature(authorization: Authorization, verifier: AuthorizationVerifier): Hex {
  const signature = lowerHex(authorization.signature);
  if (!/^0x[0-9a-f]{128}0[01]$/.test(signature) || !verifier.isSignedByPayer(authorization)) return signature;
  return `${signature.slice(0, -2) as Hex}${signature.endsWith('0') ? '1b' : '1c'}`;
}
