import type { Authorization, Hex } from '../../src/payments/chain/eip3009.js';
import { ModelPool } from './model-pool.js';
import type { Random } from './random.js';
import type { Scheduler } from './scheduler.js';

/** The use of a nonce: a transfer, or its cancellation. */
export interface Spending {
  readonly kind: 'transfer' | 'cancelled';
  readonly payer: Hex;
  readonly nonce: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly transaction: Hex;
  /** The time of its block; blocks younger than finality may still be undone. */
  readonly atMs: number;
  /** Its place among the transfers of its transaction. */
  readonly index: number;
  readonly by: Sender;
}

/** us: sent by an instance of the service, through any settler. others: anybody who saw the signature. */
export type Sender = 'us' | 'others';

/** A transaction on its way into a block. */
export interface Submission {
  readonly transaction: Hex;
  readonly authorization: Authorization;
  readonly by: Sender;
  readonly sentAtMs: number;
  /** dropped: no block will ever have it. reverted: a block has it, but it moved nothing. */
  state: 'pending' | 'mined' | 'reverted' | 'dropped';
  /** Which instance has sent it first, in a transaction of a relayer of ours. */
  readonly relayedBy: string | undefined;
}

/** The fate of a transaction. */
export interface Passage {
  readonly afterMs: number;
  readonly dropped: boolean;
}

/** The habits of a chain. */
export interface Pace {
  readonly blockMs: number;
  /** When a block becomes final: nothing undoes it any more. */
  readonly finalityMs: number;
}

export type Fate = 'another block' | 'back in the pool' | 'gone';

/** The token's answer to a transfer. */
export type Trial = { readonly verdict: 'good' } | { readonly verdict: 'refused'; readonly reason: string };

/** The newest block when a history begins. */
const firstBlock = 100_000;

/**
 * A model chain with one EIP-3009 token: transactions wait in a pool, blocks are made, and may be undone while they are
 * younger than finality. It applies the token's rules: window, nonce, balance.
 */
export class ModelChain {
  readonly submissions: Submission[] = [];
  readonly balances = new Map<Hex, bigint>();
  /** Transfers that were ever on the chain, by nonce, including those that were undone. */
  readonly everPaid = new Map<string, Spending[]>();
  /** Transactions that were undone once; they may have returned. */
  readonly undone = new Set<Hex>();
  /** Accounts that are contracts, or act as one. */
  readonly withCode = new Set<Hex>();
  /** Transfers of ours that were mined when the money of their payers was gone. */
  readonly unfunded: Authorization[] = [];
  /** Accounts whose money has left by other ways than by our transfers. */
  readonly drained = new Set<Hex>();
  readonly pool: ModelPool;
  private readonly spent = new Map<string, Spending>();
  private transactions = 0;

  constructor(
    readonly scheduler: Scheduler,
    readonly random: Random,
    private readonly startMs: number,
    private readonly payTo: Hex,
    readonly pace: Pace,
    private readonly onSubmission: (submission: Submission) => void,
  ) {
    this.pool = new ModelPool(this);
  }

  /** The use of a nonce, as of the newest block. */
  spendingOf({ payer, nonce }: { readonly payer: Hex; readonly nonce: Hex }): Spending | undefined {
    return this.spent.get(`${payer}/${nonce}`);
  }

  /** All used nonces. */
  spendings(): readonly Spending[] {
    return [...this.spent.values()];
  }

  /** The transfers to payTo on the chain. */
  payments(): readonly Spending[] {
    return [...this.spent.values()].filter((each) => this.isPayment(each));
  }

  isPayment({ kind, to }: Spending): boolean {
    return kind === 'transfer' && to === this.payTo;
  }

  blockAt(ms: number): bigint {
    return BigInt(firstBlock + Math.floor((ms - this.startMs) / this.pace.blockMs));
  }

  /** The time of a block, in milliseconds. */
  timeOf(block: bigint): number {
    return this.startMs + (Number(block) - firstBlock) * this.pace.blockMs;
  }

  /** The time of the block that takes up what comes now. */
  sealMs(ms: number): number {
    return this.startMs + Math.ceil((ms - this.startMs) / this.pace.blockMs) * this.pace.blockMs;
  }

  newestBlock(): bigint {
    return this.blockAt(this.scheduler.now());
  }

  /** Adds a transaction of a facilitator to its pool. */
  submit(authorization: Authorization, by: Sender, { afterMs, dropped }: Passage): Submission {
    const submission = this.note(this.nextTransaction(), authorization, by);
    if (dropped) submission.state = 'dropped';
    else this.scheduler.after(afterMs, () => this.mine(submission));
    return submission;
  }

  /** Notes that a transfer is on its way. */
  note(transaction: Hex, authorization: Authorization, by: Sender, relayedBy?: string): Submission {
    const sentAtMs = this.scheduler.now();
    const submission: Submission = { transaction, authorization, by, sentAtMs, state: 'pending', relayedBy };
    this.submissions.push(submission);
    this.onSubmission(submission);
    return submission;
  }

  /** Adds a transfer to the next block. False when the token rejects it. */
  transfer(authorization: Authorization, by: Sender): boolean {
    return this.include(authorization, this.nextTransaction(), this.scheduler.now(), by);
  }

  /** The payer cancels an unused nonce. */
  cancel(payer: Hex, nonce: Hex): boolean {
    if (this.spendingOf({ payer, nonce })) return false;
    const transaction = this.nextTransaction();
    const at = { atMs: this.sealMs(this.scheduler.now()), index: 0, by: 'others' as const };
    this.spent.set(`${payer}/${nonce}`, { kind: 'cancelled', payer, nonce, to: payer, value: 0n, transaction, ...at });
    return true;
  }

  /** Undoes the blocks of the given time, and makes them again. Returns how many payments were in them. */
  reorganize(depthMs: number, fate: Fate): number {
    // What is undone must be looked at before it is final: reconciliation comes each minute, and may fail.
    if (this.pace.finalityMs < 300_000) return 0;
    const firstMs = this.scheduler.now() - depthMs;
    const undone = [...this.spent.values()].filter((each) => each.atMs > firstMs && this.isPayment(each));
    for (const each of undone) {
      this.spent.delete(`${each.payer}/${each.nonce}`);
      this.undone.add(each.transaction);
      this.addBalance(each.payer, each.value);
    }
    this.pool.undo(firstMs, fate);
    for (const each of undone) {
      const authorization = this.authorizations.get(`${each.payer}/${each.nonce}/${each.to}`);
      if (authorization === undefined || fate === 'gone' || this.pool.isKnown(each.transaction)) continue;
      const atMs = this.random.between(firstMs, this.scheduler.now());
      if (fate === 'another block' && this.include(authorization, each.transaction, atMs, each.by)) continue;
      this.scheduler.after(this.random.between(500, 20_000), () =>
        this.include(authorization, each.transaction, this.scheduler.now(), each.by),
      );
    }
    return undone.length;
  }

  /** The token's answer to a simulated transfer, at a node whose view ends at `viewMs`. */
  simulate({ from, nonce, value, validAfter, validBefore }: Omit<Authorization, 'signature'>, viewMs: number): Trial {
    const spending = this.spendingOf({ payer: from, nonce });
    const seconds = BigInt(Math.floor(viewMs / 1000));
    if (seconds <= validAfter) return refuse('invalid_exact_evm_payload_authorization_valid_after');
    if (seconds >= validBefore) return refuse('invalid_exact_evm_payload_authorization_valid_before');
    if (spending !== undefined && spending.atMs <= viewMs) return refuse('nonce_used');
    if (this.balanceAt(from, viewMs) < value) return refuse('insufficient_funds');
    return { verdict: 'good' };
  }

  /** A node that does not see a spending still sees its money. */
  balanceAt(payer: Hex, viewMs: number): bigint {
    let balance = this.balances.get(payer) ?? 0n;
    for (const each of this.spent.values()) if (each.payer === payer && each.atMs > viewMs) balance += each.value;
    return balance;
  }

  addBalance(payer: Hex, value: bigint): void {
    this.balances.set(payer, (this.balances.get(payer) ?? 0n) + value);
  }

  /** Whether a transaction with it could still move money. */
  isUsable({ from, nonce, validBefore }: Authorization): boolean {
    return !this.spendingOf({ payer: from, nonce }) && BigInt(Math.floor(this.scheduler.now() / 1000)) < validBefore;
  }

  private readonly authorizations = new Map<string, Authorization>();

  private mine(submission: Submission): void {
    const { authorization, transaction, by } = submission;
    const isPaid = this.include(authorization, transaction, this.scheduler.now(), by);
    submission.state = isPaid ? 'mined' : 'reverted';
  }

  /** Adds a transfer to the block that takes up what comes at this time. False when the token rejects it. */
  include(authorization: Authorization, transaction: Hex, ms: number, by: Sender, index = 0): boolean {
    const atMs = this.sealMs(ms);
    const { from: payer, nonce, to, value } = authorization;
    const trial = this.simulate(authorization, atMs);
    if (trial.verdict !== 'good') {
      if (by === 'us' && trial.reason === 'insufficient_funds') this.unfunded.push(authorization);
      return false;
    }
    if (by === 'others') this.drained.add(payer);
    const name = `${payer}/${nonce}`;
    // When a past block is made again, nonces and money used in newer blocks stay used.
    if (this.spent.has(name) || (this.balances.get(payer) ?? 0n) < value) return false;
    const spending: Spending = { kind: 'transfer', payer, nonce, to, value, transaction, atMs, index, by };
    this.spent.set(name, spending);
    this.authorizations.set(`${name}/${to}`, authorization);
    this.addBalance(payer, -value);
    if (this.isPayment(spending)) this.everPaid.set(name, [...(this.everPaid.get(name) ?? []), spending]);
    return true;
  }

  private nextTransaction(): Hex {
    return `0x${(++this.transactions).toString(16).padStart(64, '0')}`;
  }
}

function refuse(reason: string): Trial {
  return { verdict: 'refused', reason };
}
