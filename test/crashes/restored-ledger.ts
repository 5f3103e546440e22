import assert from 'node:assert/strict';
import { addressTopic, eventTopics } from '../../src/payments/chain/transfer-proof.js';
import { readAnswer, type Answer } from '../payments/answer.js';
import { assertAskedToSignIn, signIn } from '../payments/sign-in.js';
import { createAccount, type TestChain } from '../support/chain.js';
import type { CrashServer } from '../support/crash-process.js';
import { assertCutOff } from './assert-cut-off.js';
import { pointOf, type Cell } from './cells.js';
import type { CrashProduct } from './crash-products.js';

export interface RestoringPorts {
  readonly chain: TestChain;
  readonly product: CrashProduct;
  /** Atomic units. */
  readonly price: bigint;
  /** The one that runs now. */
  readonly server: () => CrashServer;
  readonly restart: () => Promise<void>;
  readonly advance: (seconds: number) => Promise<void>;
  readonly pay: (header: string, at?: string, proof?: string) => Promise<Answer>;
}

/** What holds where a server starts on an older copy of its ledger. */
export function createRestoring({ chain, product, price, server, restart, advance, pay }: RestoringPorts) {
  const listSettled = async () => (await server().audit()).payments.filter(({ state }) => state === 'settled');
  const countReceived = async () => (await readReceived(chain)).length;

  async function killAtRebuild(dies: 'before' | 'after'): Promise<void> {
    const dying = server().rebuild(dies).catch(assertCutOff);
    await server().died();
    await dying;
    await restart();
    const rebuilt = (await listSettled()).filter(({ isRebuilt }) => isRebuilt);
    for (const { amount, transaction } of rebuilt) {
      assert.ok(transaction, 'a row is whole');
      assert.equal(amount, price.toString());
    }
  }

  return {
    /** For a minute: what the ledger lacks may still be on its way. */
    async assertSellsNothing(): Promise<void> {
      const ask = async () => readAnswer(await fetch(server().url + product.path));
      // Half of it is left for a busy machine.
      for (const seconds of [0, 30]) {
        await advance(seconds);
        const { status, problem } = await ask();
        assert.deepEqual([status, problem?.reason], [503, 'chain_unavailable'], `after ${seconds} s`);
      }
      await advance(30);
      assert.equal((await ask()).status, 402);
    },

    /** Everybody can send what the chain shows of a payment; it buys nothing. */
    async assertNothingForStrangers(header: string): Promise<void> {
      const challenge = assertAskedToSignIn(await pay(header));
      const proof = await signIn(challenge, { signer: createAccount() });
      for (const at of [product.path, product.other]) assertAskedToSignIn(await pay(header, at, proof));
    },

    /** Kills the server at the statement that writes, where a cell says so; then the ledger equals the chain. */
    async rebuild(cells: readonly Cell[]): Promise<void> {
      await chain.mineBlocks(3);
      const lost = (await countReceived()) - (await listSettled()).length;
      const step = cells.find((cell) => pointOf(cell.step) === 'rebuild')?.step;
      if (step !== undefined) await killAtRebuild(step === 'before rebuild' ? 'before' : 'after');
      const { written, differenceUsd } = await server().rebuild();
      assert.deepEqual([written, differenceUsd], [step === 'after rebuild' ? 0 : lost, '0.00']);
      assert.equal((await listSettled()).length, await countReceived());
      assert.equal((await server().rebuild()).written, 0);
    },
  };
}

/** The transfers that payTo has received. */
export function readReceived(chain: TestChain): Promise<readonly { readonly data: string }[]> {
  const topics = [eventTopics.transfer, null, addressTopic(chain.payTo.address)];
  return chain.ask('eth_getLogs', [{ address: chain.token, fromBlock: '0x0', toBlock: 'latest', topics }]);
}
