import { isAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Network } from '../../wire/networks.js';
import { lowerHex, type Hex } from '../chain/eip3009.js';
import { isWellKnownTestAccount } from '../chain/well-known-accounts.js';

/** Who is paid, who pays the gas, and who signs receipts. */
export interface KeyRoles {
  readonly network: Network;
  readonly payTo: Hex;
  /** Empty: a facilitator pays the gas. */
  readonly relayerKeys: readonly Hex[];
  readonly receiptKey: Hex | undefined;
}

/** Whether the capitals of an address agree with it; without capitals nothing can disagree. */
export function hasChecksum(address: string): boolean {
  return isAddress(address);
}

/** The addresses of private keys, in lower case. */
export function addressesOf(keys: readonly Hex[]): Hex[] {
  return keys.map((key) => lowerHex(privateKeyToAccount(key).address));
}

/** What is wrong with the roles of the keys, as a sentence without a key; undefined where each has one of its own. */
export function findKeyFault({ network, payTo, relayerKeys, receiptKey }: KeyRoles): string | undefined {
  const holders = [lowerHex(payTo), ...addressesOf(relayerKeys)];
  if (holders.some(isWellKnownTestAccount))
    return `PAY_TO or one of RELAYER_PRIVATE_KEYS is a public test account: whoever likes could take what is paid on ${network.label}.`;
  if (holders.lastIndexOf(lowerHex(payTo)) > 0) return 'RELAYER_PRIVATE_KEYS must not have the key of PAY_TO.';
  if (receiptKey === undefined) return undefined;
  // A key that signs each receipt is more exposed than one that holds money: it must not be one.
  const signers = addressesOf([receiptKey]);
  if (signers.some((signer) => holders.includes(signer)))
    return "RECEIPT_PRIVATE_KEY must be a key of its own: neither that of PAY_TO nor the relayer's.";
  return signers.some(isWellKnownTestAccount)
    ? 'RECEIPT_PRIVATE_KEY is a public test key: whoever likes could sign receipts with it.'
    : undefined;
}
