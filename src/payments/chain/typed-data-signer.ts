import { LRUCache } from 'lru-cache';
import { privateKeyToAccount } from 'viem/accounts';
import { writeUint256, type Hex } from './eip3009.js';
import { openEthereumCrypto } from './ethereum-crypto.js';

/** An EIP-712 struct without nesting, under a domain that names no smart contract. */
export interface FlatStruct {
  readonly domain: { readonly name: string; readonly version: string; readonly chainId: number };
  readonly primaryType: string;
  readonly fields: readonly { readonly name: string; readonly type: 'string' | 'uint256' }[];
}

/** A message of such a struct: texts for `string`, whole numbers for `uint256`. */
export type FlatMessage = Readonly<Record<string, string | number>>;

/** Signs EIP-712 messages with one key. */
export interface TypedDataSigner {
  /** The address of the key, in EIP-55 form: signatures recover to it. */
  readonly address: Hex;
  /**
   * What signs messages of one struct; domain and type are hashed here, once. The same message gives the same signature
   * (RFC 6979). Throws when a field is missing or does not fit its type.
   */
  signerOf(struct: FlatStruct): (message: FlatMessage) => Hex;
}

const domainType = 'EIP712Domain(string name,string version,uint256 chainId)';

/** A signer by its own EIP-712 digest and libsecp256k1: at most 0.2 ms a signature, a fifth of viem's. */
export async function createTypedDataSigner(privateKey: Hex): Promise<TypedDataSigner> {
  const { keccak256: hash, sign } = await openEthereumCrypto();
  const key = Buffer.from(privateKey.slice(2), 'hex');
  /** Most texts of a message are those of the message before. */
  const texts = new LRUCache<string, Uint8Array>({ max: 50, memoMethod: hash });

  function hashFields(type: string, fields: FlatStruct['fields'], message: FlatMessage): Uint8Array {
    const words = Buffer.alloc(32 * (1 + fields.length));
    words.set(texts.memo(type), 0);
    fields.forEach(({ name, type: fieldType }, index) => {
      const value = message[name];
      const offset = 32 * (1 + index);
      if (fieldType === 'string' && typeof value === 'string') words.set(texts.memo(value), offset);
      else if (
        fieldType !== 'uint256' ||
        !Number.isSafeInteger(value) ||
        !writeUint256(words, offset, BigInt(value ?? 0))
      )
        throw new Error(`${name} is no ${fieldType}`);
    });
    return hash(words);
  }

  return {
    address: privateKeyToAccount(privateKey).address,
    signerOf({ domain, primaryType, fields }) {
      const type = `${primaryType}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`;
      const envelope = Buffer.alloc(2 + 2 * 32);
      envelope.set([0x19, 0x01], 0);
      envelope.set(hashFields(domainType, domainFields, domain), 2);
      return (message) => {
        envelope.set(hashFields(type, fields, message), 34);
        return `0x${Buffer.from(sign(hash(envelope), key)).toString('hex')}`;
      };
    },
  };
}

const domainFields: FlatStruct['fields'] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
];
