import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { createWalletClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import type { TestAccount } from '../../src/payments/chain/well-known-accounts.js';
import type { ContractArtifact } from './contracts/compile-contract.js';
import type { TestChain } from './chain.js';
import type { PaymentChanges } from './pay.js';
import { findProjectFile } from '../../src/project-file.js';

const artifact: ContractArtifact = JSON.parse(readFileSync(findProjectFile('test/support/wallet.json'), 'utf8'));

/** A new account that nobody else uses. */
export function newAccount(): TestAccount {
  const privateKey = generatePrivateKey();
  return { address: privateKeyToAccount(privateKey).address, privateKey };
}

/** Deploys a contract wallet of this owner, with a test dollar. A hostile one burns all the gas it gets. */
export async function placeWallet(chain: TestChain, owner: TestAccount, isHostile = false): Promise<Hex> {
  const wallet: Hex = `0x${randomBytes(20).toString('hex')}`;
  await chain.ask('anvil_setCode', [wallet, artifact.runtimeCode]);
  const storage = owner.address.slice(2).padStart(64, isHostile ? '01'.padStart(24, '0') : '0');
  await chain.ask('anvil_setStorageAt', [wallet, `0x${'0'.repeat(64)}`, `0x${storage}`]);
  await chain.fund(wallet);
  return wallet;
}

/** Gives a plain account the code of a contract (EIP-7702): the account signs, a sponsor sends the transaction. */
export async function delegate(chain: TestChain, { privateKey, address }: TestAccount, code: Hex): Promise<void> {
  const sponsor = newAccount();
  await chain.ask('anvil_setBalance', [sponsor.address, '0xde0b6b3a7640000']);
  const { client, network } = chain;
  const authorization = await privateKeyToAccount(privateKey).signAuthorization({
    contractAddress: code,
    chainId: network.chainId,
    nonce: await client.getTransactionCount({ address }),
  });
  const receipt = await createWalletClient({
    account: privateKeyToAccount(sponsor.privateKey),
    transport: http(chain.rpcUrl),
  }).sendTransactionSync({ chain: null, to: sponsor.address, authorizationList: [authorization] });
  if (receipt.status !== 'success') throw new Error('The delegation was not taken');
}

/** A key's signature in the format of wallet.sol: with one extra byte before it. */
export const inWalletForm: NonNullable<PaymentChanges['alter']> = (payload) => {
  const inner = payload['payload'] as { signature: Hex };
  return { ...payload, payload: { ...inner, signature: `0x01${inner.signature.slice(2)}` } };
};
