import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeFunctionData } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createChainClient } from '../../src/payments/chain/clients.js';
import type { ChainClient } from '../../src/payments/chain/clients.js';
import type { Authorization, Hex, TokenDomain } from '../../src/payments/chain/eip3009.js';
import { findNetwork } from '../../src/wire/networks.js';
import type { Network } from '../../src/wire/networks.js';
import { tokenAbi } from '../../src/payments/chain/token-abi.js';
import { buyer, payTo, relayer, tokenOwner } from '../../src/demo/chain/accounts.js';
import type { TestAccount } from '../../src/payments/chain/well-known-accounts.js';
import { testTokenAbi, placeToken } from './contracts/place-token.js';
import { startChain } from '../../src/demo/chain/start-chain.js';

/** A local chain, with the actions of parties other than this service. */
export interface TestChain {
  readonly rpcUrl: string;
  readonly client: ChainClient;
  readonly network: Network;
  readonly token: Hex;
  readonly domain: TokenDomain;
  readonly buyer: TestAccount;
  readonly relayer: TestAccount;
  readonly payTo: TestAccount;
  /** Unix seconds on this chain. */
  now(): bigint;
  /** Signed by the buyer for one cent to payTo, valid for five minutes, unless overridden. */
  signAuthorization(overrides?: AuthorizationOverrides): Promise<Authorization>;
  /** Sends a transferWithAuthorization or a cancellation from a third party. Resolves when it is mined. */
  submitElsewhere(authorization: Authorization): Promise<Hex>;
  cancelElsewhere(nonce: Hex): Promise<Hex>;
  /** Mints test dollars, by default one. Atomic units. */
  fund(address: Hex, value?: bigint): Promise<void>;
  balanceOf(address: Hex): Promise<bigint>;
  setPaused(paused: boolean): Promise<void>;
  setBlacklisted(address: Hex, blacklisted: boolean): Promise<void>;
  mineBlocks(count?: number): Promise<void>;
  /** Mines a block every `periodMs` milliseconds until the returned function is called. */
  mineEvery(periodMs: number): () => void;
  /** Advances the chain's clock and mines a block. */
  warp(seconds: number): Promise<void>;
  /** Calls any method of the node; fails the test when the node refuses. */
  ask<T = unknown>(method: string, params?: readonly unknown[]): Promise<T>;
  /** Sends from any address, without its key, and resolves when it is mined. */
  send(from: Hex, to: Hex, data: Hex): Promise<Hex>;
  stop(): Promise<void>;
}

export type AuthorizationOverrides = Partial<Omit<Authorization, 'signature' | 'from'>> & {
  readonly signer?: TestAccount;
  /** A contract wallet: its signature is whatever the wallet accepts. */
  readonly from?: Hex;
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
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

const stranger: Hex = '0x00000000000000000000000000000000000057a6';

/**
 * Starts the seeded demonstration chain in its own directory, in about a quarter of a second. With chain id 84532 the
 * test token is also at Base Sepolia's USDC address under its domain, for clients that know only real networks.
 */
export async function startTestChain(chainId: 31337 | 84532 = 31337): Promise<TestChain> {
  const network = networkOf(chainId);
  const directory = await mkdtemp(join(tmpdir(), 'test-chain-'));
  const chain = await startChain({ directory, chainId, log: { info: () => undefined, warn: () => undefined } });
  const domain = { ...network.domain, chainId, verifyingContract: network.asset };
  // Its newest block has the time of now.
  await chain.ask('anvil_mine', ['0x1']);
  if (!network.isLocal) await placeToken(Number(new URL(chain.rpcUrl).port), domain, buyer.address, 1_000_000_000_000n);
  return {
    ...attachTestChain(chain.rpcUrl, chainId),
    async stop() {
      await chain.stop();
      await rm(directory, { recursive: true });
    },
  };
}

/** A running local chain, such as an app's own. Its owner stops it. */
export function attachTestChain(rpcUrl: string, chainId: 31337 | 84532 = 31337): TestChain {
  const network = networkOf(chainId);
  const token = network.asset;
  const domain: TokenDomain = { ...network.domain, chainId, verifyingContract: token };
  const client = createChainClient({ rpcUrl });
  let warpedSeconds = 0;
  const now = (): bigint => BigInt(Math.floor(Date.now() / 1000) + warpedSeconds);

  async function ask<T = unknown>(method: string, params: readonly unknown[] = []): Promise<T> {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const answer = (await response.json()) as { result?: T; error?: unknown };
    assert.ok('result' in answer, `${method}: ${JSON.stringify(answer.error)}`);
    return answer.result as T;
  }

  async function send(from: Hex, to: Hex, data: Hex): Promise<Hex> {
    await ask('anvil_setBalance', [from, '0xde0b6b3a7640000']);
    await ask('anvil_impersonateAccount', [from]);
    const receipt = await mine({ from, to, data });
    assert.equal(receipt.status, '0x1', 'the transaction reverted');
    return receipt.transactionHash;
  }

  /** A chain that does not mine each transaction as it comes may rest: it is told to make a block. */
  async function mine(transaction: object): Promise<{ readonly transactionHash: Hex; readonly status: Hex }> {
    if (await ask('anvil_getAutomine')) return ask('eth_sendTransactionSync', [transaction]);
    const hash = await ask<Hex>('eth_sendTransaction', [transaction]);
    await ask('evm_mine');
    return ask('eth_getTransactionReceipt', [hash]);
  }

  async function signAuthorization(overrides: AuthorizationOverrides = {}): Promise<Authorization> {
    const { signer = buyer, ...fields } = overrides;
    const message = {
      from: signer.address,
      to: payTo.address,
      value: 10_000n,
      validAfter: now() - 600n,
      validBefore: now() + 300n,
      nonce: `0x${randomBytes(32).toString('hex')}` as const,
      ...fields,
    };
    const account = privateKeyToAccount(signer.privateKey);
    const signature = await account.signTypedData({ domain, types, primaryType: 'TransferWithAuthorization', message });
    return { ...message, signature };
  }

  async function mineBlocks(count = 1): Promise<void> {
    await ask('anvil_mine', [`0x${count.toString(16)}`]);
  }

  return {
    rpcUrl,
    client,
    network,
    token,
    domain,
    buyer,
    relayer,
    payTo,
    now,
    signAuthorization,
    async submitElsewhere({ from, to, value, validAfter, validBefore, nonce, signature }) {
      const args = [from, to, value, validAfter, validBefore, nonce, signature] as const;
      return send(
        stranger,
        token,
        encodeFunctionData({ abi: tokenAbi, functionName: 'transferWithAuthorization', args }),
      );
    },
    async cancelElsewhere(nonce) {
      const message = { authorizer: buyer.address, nonce };
      const account = privateKeyToAccount(buyer.privateKey);
      const signature = await account.signTypedData({ domain, types, primaryType: 'CancelAuthorization', message });
      const args = [buyer.address, nonce, signature] as const;
      return send(
        stranger,
        token,
        encodeFunctionData({ abi: testTokenAbi, functionName: 'cancelAuthorization', args }),
      );
    },
    async fund(address, value = 1_000_000n) {
      await send(
        tokenOwner.address,
        token,
        encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [address, value] }),
      );
    },
    async balanceOf(address) {
      return client.readContract({ address: token, abi: tokenAbi, functionName: 'balanceOf', args: [address] });
    },
    async setPaused(paused) {
      await send(
        tokenOwner.address,
        token,
        encodeFunctionData({ abi: testTokenAbi, functionName: 'setPaused', args: [paused] }),
      );
    },
    async setBlacklisted(address, blacklisted) {
      const args = [address, blacklisted] as const;
      await send(
        tokenOwner.address,
        token,
        encodeFunctionData({ abi: testTokenAbi, functionName: 'setBlacklisted', args }),
      );
    },
    mineBlocks,
    mineEvery(periodMs) {
      const miner = setInterval(() => void mineBlocks().catch(() => undefined), periodMs);
      return () => clearInterval(miner);
    },
    async warp(seconds) {
      warpedSeconds += seconds;
      await ask('evm_increaseTime', [seconds]);
      await ask('anvil_mine', ['0x1']);
    },
    ask,
    send,
    stop: async () => undefined,
  };
}

/** A new, empty account. */
export function createAccount(): TestAccount {
  const privateKey = generatePrivateKey();
  return { privateKey, address: privateKeyToAccount(privateKey).address };
}

function networkOf(chainId: number): Network {
  const network = findNetwork(`eip155:${chainId}`);
  assert.ok(network);
  return network;
}
