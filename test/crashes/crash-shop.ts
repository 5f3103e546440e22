import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { addressTopic, eventTopics } from '../../src/payments/chain/transfer-proof.js';
import { authorizationOf } from '../../src/payments/gate/read-payment.js';
import type { TestAccount } from '../../src/payments/chain/well-known-accounts.js';
import { payAt, type Answer } from '../payments/answer.js';
import { payloadIn } from '../payments/shop.js';
import { challengeIn, signIn } from '../payments/sign-in.js';
import { attachTestChain, createAccount, type TestChain } from '../support/chain.js';
import type { AuditedPayment, CrashOrders, Fate } from '../support/crash-messages.js';
import { startCrashServer, type CrashServer } from '../support/crash-process.js';
import { askPrice, signPayment } from '../support/pay.js';
import { assertCutOff } from './assert-cut-off.js';
import { forgottenSecondsOf, isPaid, nameOf, pointOf, windowOf, type Cell } from './cells.js';
import type { CrashProduct } from './crash-products.js';
import { openCrashStore } from './crash-store.js';
import { createRestoring, readReceived } from './restored-ledger.js';
import { describeAnswers, judge } from './judge.js';

/** The service in a separate process, with a chain and a database that outlive it. */
export interface CrashShop {
  readonly server: CrashServer;
  /**
   * Kills the service at the step of the last cell's payment, while the others wait at theirs, then starts it again.
   * After it has reconciled, the buyers return with the same payments, and each is checked. A ledger that was restored
   * is rebuilt in between. Returns the failures by cell.
   */
  crash(cells: readonly Cell[]): Promise<ReadonlyMap<string, unknown>>;
  /**
   * Asserts that settled rows equal the receipts of payTo, and that no payment is open after all windows. Each lead is
   * held by the one payment that settled for it.
   */
  assertConserved(): Promise<void>;
  close(): Promise<void>;
}

export interface CrashShopOptions {
  /** The request of all buyers. */
  readonly product: CrashProduct;
  /** A PostgreSQL server for a new database. Undefined: the embedded database. */
  readonly postgresUrl?: string;
  /** See `CrashOrders`. */
  readonly isPlainNode?: boolean;
  /** Sells one deal instead of the demonstration's. */
  readonly hasOneDeal?: boolean;
}

/** After every lease of a dead process: two minutes for jobs, one for payments. */
const pastLeasesSeconds = 121;
/** Past the window of each payment that is not paid. */
const pastWindowsSeconds = 400;

/** A payment in progress when the service died. */
interface Victim {
  readonly cell: Cell;
  readonly header: string;
  readonly signer: TestAccount;
  readonly nonce: string;
  /** All answers to it, in order. */
  readonly heard: Answer[];
  /** Resolves when its buyer has stopped retrying for now. */
  readonly insisting: Promise<void>;
}

/** Opens a shop with data to sell. */
export async function openCrashShop({
  product,
  postgresUrl,
  isPlainNode,
  hasOneDeal = false,
}: CrashShopOptions): Promise<CrashShop> {
  const directory = mkdtempSync(join(tmpdir(), 'crash-'));
  const store = await openCrashStore(directory, postgresUrl);
  const lost: string[] = [];
  let skewSeconds = 0;
  let chainSkewSeconds = 0;
  let isDoomed = false;
  let server = await start({ hasOneDeal });
  await server.worked;
  const chain = attachTestChain(server.rpcUrl);
  const challenge = await askPrice(server.url + product.path);
  const price = BigInt(challenge.accepts[0]?.amount ?? 0);

  function start(orders: Partial<CrashOrders>): Promise<CrashServer> {
    const environment = {
      DATA_DIR: directory,
      // The address in the payments must outlive the process.
      PUBLIC_BASE_URL: 'http://127.0.0.1:4021',
      ...store.environment,
    };
    return startCrashServer({ environment, skewSeconds, isPlainNode, ...orders });
  }

  async function restart(): Promise<void> {
    skewSeconds += pastLeasesSeconds;
    await store.passLeases();
    server = await start({ lost, isIdle: true });
    isDoomed = false;
    assert.equal(server.rpcUrl, chain.rpcUrl, 'the chain outlives the server and is found again');
  }

  /** Cleans up the server of a failed cell. */
  async function revive(): Promise<void> {
    if (!isDoomed) return;
    await server.kill();
    await restart();
  }

  async function advance(seconds: number): Promise<void> {
    skewSeconds += seconds;
    await server.advance(seconds);
  }

  /** Ends the windows of all payments, also for the chain. */
  async function passWindows(): Promise<void> {
    await advance(pastWindowsSeconds);
    await chain.warp(skewSeconds - chainSkewSeconds);
    chainSkewSeconds = skewSeconds;
    await server.reconcile();
  }

  const pay = (header: string, at = product.path, proof?: string) => payAt(server.url + at, header, proof);

  /** Retries the payment until it is decided, as instructed by the replies. */
  async function insist({ header, heard, signer }: Pick<Victim, 'header' | 'heard' | 'signer'>): Promise<void> {
    for (let attempt = 0; attempt < 5; attempt++) {
      const answer = await payWhenSold(header, signer);
      heard.push(answer);
      if (answer.status !== 503 && answer.status !== 409) return;
      await advance(Number(answer.headers.get('Retry-After')));
    }
  }

  /**
   * Whatever the clock says, the relayer needs a moment to see that the chain has mined what stood before. What a
   * stranger has sent before it was claimed is sold to the payer's proof.
   */
  async function payWhenSold(header: string, signer: TestAccount): Promise<Answer> {
    let proof: string | undefined;
    for (;;) {
      const answer = await pay(header, product.path, proof);
      const challenge = challengeIn(answer);
      if (challenge !== undefined && proof === undefined) proof = await signIn(challenge, { signer });
      else if (answer.problem?.reason === 'chain_unavailable') await delay(100);
      else return answer;
    }
  }

  async function rowOf(nonce: string): Promise<AuditedPayment | undefined> {
    const { payments } = await server.audit();
    return payments.find((each) => each.nonce === nonce);
  }

  /** Pays until the payment has reached its step, or the process has died there. */
  async function strike(cell: Cell, isLast: boolean): Promise<Victim> {
    const signer = createAccount();
    await chain.fund(signer.address, price);
    const validBefore = BigInt(Math.floor(Date.now() / 1000) + skewSeconds + windowOf(cell));
    const header = await signPayment(structuredClone(challenge), { signer, validBefore });
    const { nonce } = payloadIn(header).payload.authorization;
    const heard: Answer[] = [];
    if (pointOf(cell.step) === 'rebuild') {
      await insist({ header, heard, signer });
      if (isLast) await server.kill();
      return { cell, header, signer, nonce, heard, insisting: Promise.resolve() };
    }
    const forgottenSeconds = forgottenSecondsOf(cell);
    await server.arm({ ...cell, nonce, isLast, forgottenSeconds }, () => fulfil(chain, cell.fate, header));
    const standing: Promise<unknown> = isLast ? server.died() : server.reached();
    const insisting = insist({ header, heard, signer }).catch(assertCutOff);
    const missed = insisting.then(server.audit).then(() => {
      // Deliveries are written down after the reply.
      assert.ok(heard.at(-1)?.status === 200, `never reached ${nameOf(cell)}: ${describeAnswers(heard)}`);
    });
    if (pointOf(cell.step) === 'give-up') {
      // Its buyer has heard that nothing is known by then.
      missed.catch(() => undefined);
      await standing;
      skewSeconds += forgottenSeconds;
    } else await Promise.race([standing, missed.catch(assertCutOff).then(() => standing)]);
    return { cell, header, signer, nonce, heard, insisting };
  }

  const restoring = createRestoring({ chain, product, price, server: () => server, restart, advance, pay });

  /** Before a life whose payments will be lost. */
  async function backUp(): Promise<void> {
    await server.kill();
    await store.backUp();
    await restart();
    isDoomed = true;
  }

  async function crash(cells: readonly Cell[]): Promise<ReadonlyMap<string, unknown>> {
    await revive();
    isDoomed = true;
    const isRestored = cells.some(({ fate }) => fate === 'restored');
    if (isRestored) await backUp();
    const victims: Victim[] = [];
    for (const [index, cell] of cells.entries()) victims.push(await strike(cell, index === cells.length - 1));
    for (const { cell, header, nonce, insisting } of victims) {
      await insisting;
      if (cell.fate === 'lost') lost.push(nonce);
      if ((await countSettlements(chain, header)) === 0) await fulfil(chain, cell.fate, header);
    }
    if (isRestored) {
      // While the service is away, the chain goes on.
      await chain.mineBlocks(3);
      await store.restore();
    }
    await restart();
    const faults = new Map<string, unknown>();
    const comeBack = async (victim: Victim): Promise<void> => {
      await settleUp(victim).catch((fault: unknown) => faults.set(nameOf(victim.cell), fault));
    };
    if (isRestored) await restoring.assertSellsNothing();
    await server.reconcile();
    const paid = victims.filter(({ cell }) => isPaid(cell.fate));
    const late = isRestored ? paid.filter((_, index) => index % 2 === 0) : [];
    for (const victim of paid) if (!late.includes(victim)) await comeBack(victim);
    if (isRestored) await restoring.rebuild(cells);
    for (const victim of late) await comeBack(victim);
    // An attempt may still succeed until its window ends; only then is it reported as failed.
    const strays = victims.filter(({ cell }) => !isPaid(cell.fate));
    if (strays.length > 0) await passWindows();
    for (const victim of strays) await comeBack(victim);
    return faults;
  }

  async function settleUp({ cell, header, signer, nonce, heard }: Victim): Promise<void> {
    const [reconciled, sent] = [await rowOf(nonce), await countSettlements(chain, header)];
    if (sent === 1 && reconciled !== undefined) assert.equal(reconciled.state, 'settled', 'the chain is believed');
    if (cell.fate === 'restored' && sent === 1) await restoring.assertNothingForStrangers(header);
    const heardBefore = heard.length;
    await insist({ header, heard, signer });
    const [row, settlements] = [await rowOf(nonce), await countSettlements(chain, header)];
    const { isExclusive } = product;
    judge({ isPaid: isPaid(cell.fate), isExclusive, heard, heardBefore, row, settlements, price });
    assert.equal((await pay(header, product.other)).status, 402, 'one payment, one request');
    assert.equal(await countSettlements(chain, header), settlements);
  }

  return {
    get server() {
      return server;
    },
    crash,
    async assertConserved() {
      await revive();
      await passWindows();
      const { payments, faultsOfHolds } = await server.audit();
      if (product.isExclusive) assert.deepEqual(faultsOfHolds, []);
      const open = payments.filter(({ state }) => state !== 'settled' && state !== 'released');
      assert.deepEqual(open, []);
      const settled = payments.filter(({ state }) => state === 'settled').map(({ amount }) => BigInt(amount));
      const received = await readReceived(chain);
      assert.equal(received.length, settled.length);
      assert.equal(sum(received.map(({ data }) => BigInt(data))), sum(settled));
    },
    async close() {
      // A graceful stop also stops the chain.
      await revive();
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
      await store.drop();
    },
  };
}

/** Prepares the chain for a payment's outcome. */
async function fulfil(chain: TestChain, fate: Fate, header: string): Promise<void> {
  const authorization = authorizationOf(payloadIn(header));
  if (fate === 'failed') await chain.setBlacklisted(authorization.from, true);
  if (fate === 'overtaken') await chain.submitElsewhere(authorization);
}

async function countSettlements(chain: TestChain, header: string): Promise<number> {
  const { from, nonce } = payloadIn(header).payload.authorization;
  return (await readLogs(chain, [eventTopics.used, addressTopic(from), nonce])).length;
}

async function readLogs(chain: TestChain, topics: readonly (string | null)[]): Promise<{ readonly data: string }[]> {
  return chain.ask('eth_getLogs', [{ address: chain.token, fromBlock: '0x0', toBlock: 'latest', topics }]);
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}
