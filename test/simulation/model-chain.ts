import type { Authorization, Hex } from '../../src/payments/chain/eip3009.js';
import type { ChainEvidence, EvidenceQuestion } from '../../src/payments/settlement/resolve-open-payment.js';
import type { Random } from './random.js';
import type { Scheduler } from './scheduler.js';

/** What used up a nonce: a transfer, or its cancellation. */
export interface Spending {
  readonly kind: 'transfer' | 'cancelled';
  readonly payer: Hex;
  readonly nonce: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly transaction: Hex;
  /** When its block was made; what is younger than finality may still be undone. */
  readonly atMs: number;
  readonly by: Sender;
}

/** us: sent by an instance of the service, through whatever settles for it. others: anybody who saw the signature. */
export type Sender = 'us' | 'others';

/** A transaction on its way into a block. */
export interface Submission {
  readonly transaction: Hex;
  readonly authorization: Authorization;
  readonly by: Sender;
  readonly sentAtMs: number;
  /** dropped: no block will ever have it. reverted: a block has it, and it moved nothing. */
  state: 'pending' | 'mined' | 'reverted' | 'dropped';
}

/** What a transaction meets on its way. */
export interface Passage {
  readonly afterMs: number;
  readonly dropped: boolean;
  /** A block will have it, and the transfer in it fails, though the token would take it. */
  readonly fails?: boolean;
}

/** What the token says to a transfer. */
export type Trial = { readonly verdict: 'good' } | { readonly verdict: 'refused'; readonly reason: string };

/** When a transfer is final: nothing undoes it any more. */
export const finalityMs = 300_000;
const blockMs = 2_000;

/**
 * A model of the chain with one EIP-3009 token: transactions wait in a pool, blocks are made, and may be undone while
 * they are younger than finality. It keeps the token's rules: window, nonce, balance.
 */
export class ModelChain {
  readonly submissions: Submission[] = [];
  readonly balances = new Map<Hex, bigint>();
  /** Transfers that once stood on the chain, by nonce: also those that were undone. */
  readonly everPaid = new Map<string, Spending[]>();
  /** Transactions that were undone once; they may have come again. */
  readonly undone = new Set<Hex>();
  private readonly spent = new Map<string, Spending>();
  private transactions = 0;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly random: Random,
    private readonly startMs: number,
    private readonly payTo: Hex,
    private readonly onSubmission: (submission: Submission) => void,
  ) {}

  /** The spending of a nonce, as the newest block has it. */
  spendingOf({ payer, nonce }: { readonly payer: Hex; readonly nonce: Hex }): Spending | undefined {
    return this.spent.get(`${payer}/${nonce}`);
  }

  /** All nonces that are used. */
  spendings(): readonly Spending[] {
    return [...this.spent.values()];
  }

  /** The transfers to payTo that stand on the chain. */
  payments(): readonly Spending[] {
    return [...this.spent.values()].filter((each) => this.isPayment(each));
  }

  isPayment({ kind, to }: Spending): boolean {
    return kind === 'transfer' && to === this.payTo;
  }

  blockAt(ms: number): bigint {
    return 1_000n + BigInt(Math.floor((ms - this.startMs) / blockMs));
  }

  newestBlock(): bigint {
    return this.blockAt(this.scheduler.now());
  }

  /** Puts a transaction into the pool. */
  submit(authorization: Authorization, by: Sender, { afterMs, dropped, fails = false }: Passage): Submission {
    const submission: Submission = {
      transaction: this.nextTransaction(),
      authorization,
      by,
      sentAtMs: this.scheduler.now(),
      state: dropped ? 'dropped' : 'pending',
    };
    this.submissions.push(submission);
    this.onSubmission(submission);
    if (!dropped) this.scheduler.after(afterMs, () => this.mine(submission, fails));
    return submission;
  }

  /** Puts a transfer into the next block. False when the token does not take it. */
  transfer(authorization: Authorization, by: Sender): boolean {
    return this.include(authorization, this.nextTransaction(), this.scheduler.now(), by);
  }

  /** The payer cancels a nonce that is not used yet. */
  cancel(payer: Hex, nonce: Hex): boolean {
    if (this.spendingOf({ payer, nonce })) return false;
    const transaction = this.nextTransaction();
    const at = { atMs: this.scheduler.now(), by: 'others' as const };
    this.spent.set(`${payer}/${nonce}`, { kind: 'cancelled', payer, nonce, to: payer, value: 0n, transaction, ...at });
    return true;
  }

  /** Undoes the blocks of so long, and makes them anew. Says what became of each payment in them. */
  reorganize(depthMs: number, fateOf: () => 'another block' | 'back in the pool' | 'gone'): readonly string[] {
    const firstMs = this.scheduler.now() - Math.min(depthMs, finalityMs - 1);
    const undone = [...this.spent.values()].filter((each) => each.atMs > firstMs && this.isPayment(each));
    return undone.map((each) => {
      this.spent.delete(`${each.payer}/${each.nonce}`);
      this.undone.add(each.transaction);
      this.addBalance(each.payer, each.value);
      const authorization = this.authorizations.get(`${each.payer}/${each.nonce}/${each.to}`);
      const fate = fateOf();
      if (authorization === undefined || fate === 'gone') return 'gone';
      const atMs = this.random.between(firstMs, this.scheduler.now());
      if (fate === 'another block' && this.include(authorization, each.transaction, atMs, each.by)) return fate;
      this.scheduler.after(this.random.between(500, 20_000), () =>
        this.include(authorization, each.transaction, this.scheduler.now(), each.by),
      );
      return 'back in the pool';
    });
  }

  /**
   * What a node answers that has seen the chain up to `viewMs`: the verdict of the service's own search of the logs.
   */
  evidence(
    { payer, nonce, amount, payTo, validBefore, fromBlock, settlement }: EvidenceQuestion,
    viewMs: number,
  ): ChainEvidence {
    const spending = this.spendingOf({ payer, nonce });
    if (spending === undefined || spending.atMs > viewMs) {
      // A node that has not come so far proves nothing against a settlement.
      if (settlement !== undefined && settlement.blockNumber > this.blockAt(viewMs)) return { verdict: 'unknown' };
      const finalized = BigInt(Math.floor((viewMs - finalityMs) / 1000));
      return { verdict: finalized >= validBefore ? 'expired' : 'open' };
    }
    const blockNumber = this.blockAt(spending.atMs);
    // Used, but not in the blocks that were searched.
    if (fromBlock !== undefined && blockNumber < fromBlock) return { verdict: 'unknown' };
    if (spending.kind === 'cancelled') return { verdict: 'cancelled' };
    const { transaction } = spending;
    return spending.to === payTo && spending.value === amount
      ? { verdict: 'settled', transaction, blockNumber }
      : { verdict: 'diverted' };
  }

  /** What the token says to a transfer that is only tried, at a node that has seen the chain up to `viewMs`. */
  simulate({ from, nonce, value, validAfter, validBefore }: Omit<Authorization, 'signature'>, viewMs: number): Trial {
    const spending = this.spendingOf({ payer: from, nonce });
    const seconds = BigInt(Math.floor(viewMs / 1000));
    if (seconds <= validAfter) return refuse('invalid_exact_evm_payload_authorization_valid_after');
    if (seconds >= validBefore) return refuse('invalid_exact_evm_payload_authorization_valid_before');
    if (spending !== undefined && spending.atMs <= viewMs) return refuse('nonce_used');
    if (this.balanceAt(from, viewMs) < value) return refuse('insufficient_funds');
    return { verdict: 'good' };
  }

  /** Whoever does not see a spending yet does not see its money gone either. */
  private balanceAt(payer: Hex, viewMs: number): bigint {
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

  private mine(submission: Submission, fails: boolean): void {
    if (submission.state !== 'pending') return;
    const { authorization, transaction, by } = submission;
    submission.state =
      !fails && this.include(authorization, transaction, this.scheduler.now(), by) ? 'mined' : 'reverted';
  }

  private include(authorization: Authorization, transaction: Hex, atMs: number, by: Sender): boolean {
    if (this.simulate(authorization, atMs).verdict !== 'good') return false;
    const { from: payer, nonce, to, value } = authorization;
    const name = `${payer}/${nonce}`;
    // A block of the past, made anew: what newer blocks have used is used, and what they have spent is spent.
    if (this.spent.has(name) || (this.balances.get(payer) ?? 0n) < value) return false;
    const spending: Spending = { kind: 'transfer', payer, nonce, to, value, transaction, atMs, by };
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
