import type { ChainClient } from '../chain/clients.js';
import type { Hex } from '../chain/eip3009.js';
import { multicall3Address, type Network } from '../../wire/networks.js';
import { isWellKnownTestAccount } from '../chain/well-known-accounts.js';
import { OperatorError } from '../../errors.js';
import type { Log } from '../../log.js';
import { isAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** What is configured to sell. */
export interface SellingSetup {
  readonly network: Network;
  readonly payTo: Hex;
  /** Empty: a facilitator pays the gas. */
  readonly relayerKeys: readonly Hex[];
  readonly receiptKey: Hex | undefined;
}

/**
 * Checks at start what would make the first payment fail:
 * - the RPC endpoint answers for the announced network, with the token and Multicall3 deployed
 * - PAY_TO has a valid checksum and is no relayer, each of which has gas
 * - no key is a public test key, and the receipt key is a key of its own
 * - real money is not taken on a development node
 *
 * @throws OperatorError saying what to change.
 */
export async function checkSelling(setup: SellingSetup, client: ChainClient, log: Log): Promise<void> {
  const { network, payTo, relayerKeys, receiptKey } = setup;
  // Wallets refuse to sign for an address whose capitals are no checksum (EIP-55).
  if (!isAddress(payTo)) throw new OperatorError(`PAY_TO ${payTo} is mistyped: its checksum is wrong. Copy it again.`);
  const relayers = relayerKeys.map((key) => privateKeyToAccount(key).address);
  if ([...relayerKeys, payTo].some(isWellKnownTestAccount)) {
    throw new OperatorError(
      `PAY_TO or one of RELAYER_PRIVATE_KEYS is a public test account: whoever likes could take what is paid on ${network.label}.`,
    );
  }
  if (relayers.some((relayer) => relayer.toLowerCase() === payTo.toLowerCase()))
    throw new OperatorError('RELAYER_PRIVATE_KEYS must not have the key of PAY_TO.');
  if (receiptKey !== undefined) checkReceiptKey(receiptKey, [payTo, ...relayers]);
  const chainId = await ask(client.getChainId());
  if (chainId !== network.chainId) {
    throw new OperatorError(`RPC_URL speaks for chain ${chainId}, but NETWORK is ${network.id}. Make them agree.`);
  }
  if (network.isRealMoney) {
    const version = await ask(client.request({ method: 'web3_clientVersion' })).catch(() => '');
    if (/anvil|hardhat|ganache/i.test(version))
      throw new OperatorError(`RPC_URL is a development node (${version}) that calls itself ${network.label}.`);
  }
  for (const [what, address] of [
    ['The token', network.asset],
    ['Multicall3', multicall3Address],
  ] as const) {
    const code = await ask(client.getCode({ address }));
    if (code === undefined || code === '0x')
      throw new OperatorError(`${what} is not at ${address} on ${network.label}. Check RPC_URL.`);
  }
  for (const relayer of relayers) {
    const balance = await ask(client.getBalance({ address: relayer }));
    if (balance === 0n)
      throw new OperatorError(
        `The relayer ${relayer} has no ether for gas on ${network.label}. Send it some, then start again.`,
      );
  }
  log.info({ network: network.id, payTo, relayers }, 'ready to sell');
}

/** A key that signs each receipt is more exposed than one that holds money: it must not be one. */
function checkReceiptKey(receiptKey: Hex, holders: readonly Hex[]): void {
  const signer = privateKeyToAccount(receiptKey).address.toLowerCase();
  if (holders.some((holder) => holder.toLowerCase() === signer))
    throw new OperatorError("RECEIPT_PRIVATE_KEY must be a key of its own: neither that of PAY_TO nor the relayer's.");
  if (isWellKnownTestAccount(receiptKey))
    throw new OperatorError('RECEIPT_PRIVATE_KEY is a public test key: whoever likes could sign receipts with it.');
}

async function ask<T>(question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (error) {
    throw new OperatorError(
      `RPC_URL does not answer: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'no answer'}`,
    );
  }
}
