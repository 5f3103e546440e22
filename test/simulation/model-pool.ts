import type { Authorization, Hex } from '../../src/payments/chain/eip3009.js';
import type { Fate, ModelChain, Passage, Submission } from './model-chain.js';

/** What a relayer has signed. */
export interface ModelTransaction {
  readonly raw: Hex;
  readonly hash: Hex;
  readonly from: Hex;
  readonly nonce: number;
  readonly maxFeePerGas: bigint;
  readonly gas: bigint;
  /** Empty: a transfer of nothing. */
  readonly authorizations: readonly Authorization[];
}

/** A transaction in a block. */
export interface MinedTransaction {
  readonly transaction: ModelTransaction;
  readonly atMs: number;
  readonly isPaid: readonly boolean[];
  readonly gasUsed: bigint;
}

interface Waiting {
  readonly transaction: ModelTransaction;
  isReady: boolean;
}

/** An account that pays for transactions: those in blocks, by nonce, and those that wait. */
class Account {
  readonly mined: MinedTransaction[] = [];
  readonly waiting = new Map<number, Waiting>();
  /** When a node first took something for a nonce. */
  readonly takenAtMs = new Map<number, number>();
  /** When the number of used nonces changed last. */
  movedAtMs = -Infinity;
}

/** The fate of what a node has just taken; the fate of a transaction in its block. */
export interface PoolFaults {
  passage(): Passage;
  burns(transaction: ModelTransaction): boolean;
}

const transferGas = 60_000n;

/** The pool of a model chain's nodes: transactions of accounts, mined in the order of their nonces. */
export class ModelPool {
  faults: PoolFaults = { passage: () => ({ afterMs: 0, dropped: false }), burns: () => false };
  /** All that was ever signed, by its bytes. */
  readonly signed = new Map<Hex, ModelTransaction>();
  /** Transfers that failed: a block that is made again does not change that. */
  private readonly failed = new Set<string>();
  /** What nodes have taken, by payment. */
  private readonly taken = new Map<string, Set<ModelTransaction>>();
  private readonly variants = new Map<string, Set<Hex>>();
  private readonly submissions = new Map<Hex, readonly Submission[]>();
  /** True once a transaction was in a block and then was not. */
  hasBeenUndone = false;
  private readonly accounts = new Map<Hex, Account>();

  constructor(private readonly chain: ModelChain) {}

  accountOf(address: Hex): Account {
    const account = this.accounts.get(address) ?? new Account();
    this.accounts.set(address, account);
    return account;
  }

  /** Whether any node has taken it. */
  isKnown(hash: Hex): boolean {
    return this.submissions.has(hash);
  }

  /** Whether a node that is asked for a transaction has it. */
  has(hash: Hex, viewMs: number): boolean {
    const isIn = ({ waiting }: Account) => [...waiting.values()].some(({ transaction }) => transaction.hash === hash);
    return this.find(hash, viewMs) !== undefined || [...this.accounts.values()].some(isIn);
  }

  /** A transaction in a block that was made by then. */
  find(hash: Hex, viewMs: number): MinedTransaction | undefined {
    for (const { mined } of this.accounts.values()) {
      const found = mined.findLast(({ transaction }) => transaction.hash === hash);
      if (found !== undefined) return found.atMs <= viewMs ? found : undefined;
    }
    return undefined;
  }

  countOf(address: Hex, viewMs: number): number {
    const { mined } = this.accountOf(address);
    let count = mined.length;
    while (count > 0 && (mined[count - 1]?.atMs ?? 0) > viewMs) count--;
    return count;
  }

  /** The transactions that carry an authorization and can still be mined. */
  liveOf({ from, nonce }: Pick<Authorization, 'from' | 'nonce'>): readonly ModelTransaction[] {
    const isLive = (each: ModelTransaction) => this.accountOf(each.from).mined.length <= each.nonce;
    return [...(this.taken.get(`${from}/${nonce}`) ?? [])].filter(isLive);
  }

  /** Whether an authorization failed in a block, where it was alone, and not in one of these transactions. */
  hasFailed({ from, nonce }: Pick<Authorization, 'from' | 'nonce'>, lost: Pick<ReadonlySet<Hex>, 'has'>): boolean {
    return [...(this.taken.get(`${from}/${nonce}`) ?? [])].some(
      ({ hash, authorizations }) =>
        authorizations.length === 1 && !lost.has(hash) && this.find(hash, Infinity)?.isPaid[0] === false,
    );
  }

  /** Since when the lowest nonce that is taken waits; undefined when none does. */
  standsSince(address: Hex): number | undefined {
    const { takenAtMs, mined, movedAtMs } = this.accountOf(address);
    const sinceMs = takenAtMs.get(mined.length);
    return sinceMs && Math.max(sinceMs, movedAtMs);
  }

  /** The gas of transactions that paid nothing, by payers for whom this holds. */
  burnedBy(isMeant: (payer: Hex) => boolean): bigint {
    const all = [...this.accounts.values()].flatMap(({ mined }) => mined);
    const failed = all.filter(({ transaction, isPaid }) =>
      transaction.authorizations.some(({ from }, index) => isPaid[index] === false && isMeant(from)),
    );
    return failed.reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
  }

  /** Gives a node a transaction. Returns its objection; undefined when it has taken it. */
  offer(transaction: ModelTransaction, sender: string): string | undefined {
    const { from, nonce, hash, maxFeePerGas } = transaction;
    const account = this.accountOf(from);
    if (nonce < account.mined.length) return 'nonce too low';
    const before = account.waiting.get(nonce)?.transaction;
    if (before?.hash === hash) return 'already known';
    if (before !== undefined && maxFeePerGas * 10n < before.maxFeePerGas * 11n)
      return 'replacement transaction underpriced';
    this.take(transaction, sender);
    const { afterMs, dropped } = this.faults.passage();
    if (!dropped) this.wait(account, transaction, afterMs);
    return undefined;
  }

  /** From now on everything is mined soon. */
  calm(): void {
    for (const account of this.accounts.values())
      for (const { transaction } of account.waiting.values()) this.wait(account, transaction, 2_000);
  }

  /**
   * What waits is mined within this time, in the order of its nonces; what waits for a missing nonce never is, and of
   * these transactions none that waits for nothing.
   */
  land(withinMs: number, lost: Pick<ReadonlySet<Hex>, 'has'>): void {
    for (const account of this.accounts.values()) {
      let next = account.mined.length;
      for (let each = account.waiting.get(next); each !== undefined; each = account.waiting.get(++next))
        this.wait(account, each.transaction, this.chain.random.between(0, withinMs));
      for (const nonce of account.waiting.keys()) if (nonce > next) account.waiting.delete(nonce);
      const { waiting, takenAtMs, mined } = account;
      for (const nonce of takenAtMs.keys()) if (nonce >= mined.length && !waiting.has(nonce)) takenAtMs.delete(nonce);
    }
    for (const transactions of this.taken.values())
      for (const each of transactions) {
        const isOut = this.accountOf(each.from).waiting.get(each.nonce)?.transaction === each;
        if (!lost.has(each.hash) || isOut || this.find(each.hash, Infinity) !== undefined) continue;
        transactions.delete(each);
        this.tell(each.hash, () => 'dropped');
      }
  }

  /** Undoes the blocks after this time. */
  undo(firstMs: number, fate: Fate): void {
    const { scheduler, random, undone } = this.chain;
    for (const account of this.accounts.values()) {
      const first = account.mined.findIndex(({ atMs }) => atMs > firstMs);
      const lost = first < 0 ? [] : account.mined.splice(first);
      this.hasBeenUndone ||= lost.length > 0;
      const times = lost.map(() => random.between(firstMs, scheduler.now())).sort((one, other) => one - other);
      for (const [index, { transaction }] of lost.entries()) {
        undone.add(transaction.hash);
        this.tell(transaction.hash, () => 'pending');
        if (fate === 'another block') this.mine(account, transaction, times[index] ?? firstMs);
        else if (fate === 'back in the pool') this.wait(account, transaction, random.between(500, 20_000));
      }
      account.movedAtMs = scheduler.now();
    }
  }

  private take(transaction: ModelTransaction, sender: string): void {
    const { hash, authorizations } = transaction;
    const { takenAtMs } = this.accountOf(transaction.from);
    if (!takenAtMs.has(transaction.nonce)) takenAtMs.set(transaction.nonce, this.chain.scheduler.now());
    if (this.submissions.has(hash)) return;
    const place = `${transaction.from}/${transaction.nonce}`;
    this.variants.set(place, (this.variants.get(place) ?? new Set()).add(hash));
    for (const { from, nonce } of authorizations) {
      const name = `${from}/${nonce}`;
      this.taken.set(name, (this.taken.get(name) ?? new Set()).add(transaction));
    }
    this.submissions.set(
      hash,
      authorizations.map((each) => this.chain.note(hash, each, 'us', sender)),
    );
  }

  private wait(account: Account, transaction: ModelTransaction, delayMs: number): void {
    const each: Waiting = { transaction, isReady: false };
    account.waiting.set(transaction.nonce, each);
    this.chain.scheduler.after(delayMs, () => {
      each.isReady = true;
      for (;;) {
        const next = account.waiting.get(account.mined.length);
        if (next?.isReady !== true) return;
        this.mine(account, next.transaction, this.chain.scheduler.now());
      }
    });
  }

  private mine(account: Account, transaction: ModelTransaction, ms: number): void {
    const { authorizations, hash, from, nonce } = transaction;
    for (const other of this.variants.get(`${from}/${nonce}`) ?? [])
      if (other !== hash) this.tell(other, () => 'dropped');
    account.waiting.delete(nonce);
    const burns = this.faults.burns(transaction);
    const isPaid = authorizations.map((each, index) => {
      const isLost = burns || this.failed.has(`${from}/${nonce}/${index}`);
      const isGood = !isLost && this.chain.include(each, hash, ms, 'us', index);
      if (!isGood) this.failed.add(`${from}/${nonce}/${index}`);
      return isGood;
    });
    const gasUsed = burns ? transaction.gas : 21_000n + transferGas * BigInt(authorizations.length);
    account.mined.push({ transaction, atMs: this.chain.sealMs(ms), isPaid, gasUsed });
    account.movedAtMs = this.chain.scheduler.now();
    this.tell(hash, (index) => (isPaid[index] === true ? 'mined' : 'reverted'));
  }

  private tell(hash: Hex, stateOf: (index: number) => Submission['state']): void {
    for (const [index, submission] of (this.submissions.get(hash) ?? []).entries()) submission.state = stateOf(index);
  }
}
