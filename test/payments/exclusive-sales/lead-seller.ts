import { setImmediate } from 'node:timers';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { renderText } from '../../../src/contract/rendered.js';
import { ServiceError } from '../../../src/errors.js';
import { createLeadHolds } from '../../../src/feeds/lead-holds.js';
import type { HandlerReply, OperationReply } from '../../../src/operations/operation.js';
import { createDeliveryRecorder } from '../../../src/payments/ledger/delivery-recorder.js';
import { createHoldsReader } from '../../../src/payments/ledger/holds-reader.js';
import { createLedgerStore } from '../../../src/payments/ledger/ledger-store.js';
import { createRecall } from '../../../src/payments/gate/recall.js';
import { createClientIdHash } from '../../../src/payments/gate/read-payment.js';
import { createPaymentMachine } from '../../../src/payments/payment-machine.js';
import { createReceiptOf } from '../../../src/payments/payment-response.js';
import { reconcilePayments } from '../../../src/payments/settlement/reconcile.js';
import { createUnlimited } from '../../simulation/instance.js';
import { terms, verifier } from '../../simulation/purchase.js';
import { challenges, createGate, isPaymentPayload, publicBaseUrl, takeShell } from '../../simulation/shell.js';
import type { Life } from './life.js';
import type { ScriptedChain } from './scripted-chain.js';

/** One process that sells leads exclusively. */
export interface LeadSeller {
  readonly life: Life;
  /** Answers a payment; undefined when the process died over it. */
  sell(paymentHeader: string): Promise<OperationReply | undefined>;
  reconcile(): Promise<unknown>;
  /** Writes what is left to be written. */
  stop(): Promise<void>;
}

export interface SellerPorts {
  /** Names its leases. */
  readonly owner: string;
  readonly life: Life;
  readonly knex: Knex;
  readonly chain: ScriptedChain;
  /** Ids of what is for sale, the best first. */
  readonly leadIds: readonly string[];
  readonly now: () => Date;
}

/** The feed that the leads are sold from. */
export const leadFeed = { name: 'leads', version: 1 };
export const exclusiveMs = 30 * 86_400_000;

const operationId = 'buyExclusiveLead';
const silent = pino({ level: 'silent' });
const receiptOf = createReceiptOf(undefined, () => '', silent);
const hashClientId = createClientIdHash('a secret that all instances share');

/**
 * The run of the operation with the real gate, payment machine, lead holds and ledger. Only the search for a lead
 * replaces the feed, and all calls out of the process go through its life.
 */
export function createLeadSeller({ owner, life, knex, chain, leadIds, now }: SellerPorts): LeadSeller {
  const ledger = life.reach(createLedgerStore(knex));
  const settler = life.reach(chain.settler);
  const evidence = life.reach(chain.evidence);
  const { readHolds } = life.reach({ readHolds: createHoldsReader(knex) });
  const leadHolds = createLeadHolds({ readHolds, momentAt: () => ({ verifiedSinceMs: 0, todays: {} }), now });
  const deliveries = createDeliveryRecorder(ledger, silent, (run) => {
    const soon = setImmediate(run);
    return () => clearImmediate(soon);
  });
  const machine = createPaymentMachine({
    ...{ ledger, settler, evidence, deliveries, owner, receiptOf, now, nowMs: () => performance.now() },
    chainInstance: '',
    log: silent,
  });
  const limits = createUnlimited();
  const gate = createGate(operationId, {
    ...{
      terms,
      challenges,
      settler,
      machine,
      verifier,
      limits,
      isPaymentPayload,
      hashClientId,
      now,
    },
    publicBaseUrl,
    settlementProblem: () => undefined,
    mayHaveSent: () => false,
    wallets: { isSigned: async () => false },
    // Whoever presents a payment here is its payer.
    recall: createRecall({ evidence, machine, limits, now, assertPayer: async () => undefined }),
  });

  /** As the handler does: the best that is not held, for 30 days. */
  async function handle(): Promise<HandlerReply> {
    await leadHolds.refreshIfOld();
    const aside = new Set(leadHolds.held(leadFeed.version));
    const leadId = leadIds.find((id) => !aside.has(id));
    if (leadId === undefined) throw new ServiceError('no_exclusive_lead_available', 'None is left.');
    leadHolds.take(leadId);
    const exclusiveUntil = new Date(now().getTime() + exclusiveMs);
    return {
      status: 200,
      body: renderText(JSON.stringify({ lead: leadId, exclusive_until: exclusiveUntil.toISOString() })),
      feed: leadFeed,
      leads: [{ leadId, exclusiveUntil }],
      onSaleEnd: () => leadHolds.giveBack(leadId),
    };
  }

  const shell = takeShell(operationId, {
    sale: { gate, charge: machine.charge },
    handle,
    currentRevision: () => undefined,
    refreshFeed: () => leadHolds.refresh(),
  });

  const untilItsEnd = <Answer>(work: Promise<Answer>): Promise<Answer | undefined> => Promise.race([work, life.end]);

  async function sell(header: string): Promise<OperationReply | undefined> {
    const reply = await untilItsEnd(
      shell.run({
        ...{ query: '', path: {}, walletProofs: [], ifNoneMatch: undefined, headOnly: false },
        paymentSignatures: [header],
        requestId: 'request',
        address: '192.0.2.1',
        isAbandoned: () => false,
      }),
    );
    if (reply?.status === 200) reply.onDelivery?.(true);
    return reply;
  }

  return {
    life,
    sell,
    reconcile: () =>
      untilItsEnd(reconcilePayments({ ledger, evidence, owner, now, log: silent }).catch(() => undefined)),
    stop: async () => void (await untilItsEnd(deliveries.flush())),
  };
}
