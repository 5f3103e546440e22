import { pino } from 'pino';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import { renderText } from '../../src/contract/rendered.js';
import { ServiceError } from '../../src/errors.js';
import type { Limits } from '../../src/limits/limits.js';
import { createPaidCalls } from '../../src/limits/paid-calls.js';
import { createAnswerInTime } from '../../src/operations/answer-in-time.js';
import type { Decoded } from '../../src/contract/paths.js';
import type { HandlerReply, OperationReply, OperationRequest } from '../../src/operations/operation.js';
import type { AuditReport } from '../../src/payments/audit/audit-ledger.js';
import { createRecall } from '../../src/payments/gate/recall.js';
import { createClientIdHash } from '../../src/payments/gate/read-payment.js';
import { lateMs } from '../../src/payments/audit/recheck-settlements.js';
import { reconcilePayments } from '../../src/payments/settlement/reconcile.js';
import { createLeadCounter, exclusiveOperation } from './lead-counter.js';
import { createParts } from './instance-parts.js';
import type { StoredRow } from './model-ledger.js';
import { relayers, stranger, terms, verifier } from './purchase.js';
import { createRestoredUpkeep } from './restored-upkeep.js';
import { openPayerProof, openPaymentStatusService } from './payment-status.js';
import {
  challenges,
  createGate,
  statusOperation,
  giveBack,
  isPaymentPayload,
  problemReply,
  publicBaseUrl,
  takeShell,
  type Inside,
  type Shell,
} from './shell.js';
import { createWire, databaseLine } from './wire.js';
import type { World } from './world.js';

/** One server process: the real payment code, over ports that the scheduler answers. */
export interface Instance {
  readonly name: string;
  /** The owner of its leases; another after each start. */
  readonly owner: string;
  alive: boolean;
  /** The offset of its clock. */
  skewMs: number;
  /** True once its clock was so wrong that it may have refused a valid payment. */
  hadWrongClock: boolean;
  /** When its clock was set last. */
  clockSetAtMs: number;
  /** The account of its relayer; undefined while it has none. */
  relayerAddress(): Hex | undefined;
  /** Opens it, so that it can answer. */
  start(): Promise<void>;
  handle(operationId: string, request: OperationRequest): Promise<OperationReply>;
  reconcile(): Promise<void>;
  /** Where its ledger was restored. */
  rebuild(): Promise<void>;
  /** How the ledger stands against the chain; undefined where none was restored. */
  audit(): Promise<AuditReport | undefined>;
  /** Whether anything of its relayer is in flight. */
  isWaiting(): boolean;
  /** Nothing will happen to it any more. */
  end(): void;
}

const silent = pino({ level: 'silent' });
const hashClientId = createClientIdHash('a secret that all instances share');
/** Replaces the rate limits of a process, which have their own tests; a history is not a flood. */
const noLimit = { take: () => undefined, check: () => undefined };
/** No limit at all; one call of a payment at a time. */
export function createUnlimited(): Limits {
  return {
    unpaid: noLimit,
    paidCalls: createPaidCalls({ unbilled: noLimit, perPayer: Infinity, atOnce: Infinity }),
    counts: noLimit,
    nonceChecks: noLimit,
    walletChecks: { byAddress: noLimit, overall: noLimit },
  };
}

/** The only state in which nothing is listed. */
export const emptyState = 'WY';

/** Composes one instance, like the service at its start. */
export function createInstance(world: World, name: string, slot: number): Instance {
  const { variant, scheduler, faults } = world;
  const now = () => new Date(scheduler.now() + instance.skewMs);
  const shells = new Map<string, Shell>();
  const instance: Instance = {
    name,
    owner: `owner ${name}`,
    alive: true,
    skewMs: 0,
    hadWrongClock: false,
    clockSetAtMs: scheduler.now(),
    relayerAddress: () => parts.settling.current()?.address,
    async start() {
      if (world.isEmbedded) await parts.ledger.endForeignLeases(instance.owner);
      feedVersion = world.tables.feeds.get('deals') ?? 0;
      await (upkeep === undefined ? useOwnKey() : upkeep.start());
    },
    isWaiting: () => parts.settling.current()?.relayer.isIdle() === false,
    handle: (operationId, request) => inTime((shells.get(operationId) ?? open(operationId)).run(request), request),
    async reconcile() {
      if (variant.reconciles === false || !hasWork(world)) return;
      const { ledger, settler, reconcilerEvidence: evidence } = parts;
      const history = variant.looksAgain === false ? undefined : parts.history;
      const ports = { ledger, settler, evidence, history, owner: instance.owner, now, log: silent };
      await reconcilePayments(ports).catch(() => undefined);
    },
    rebuild: async () => upkeep?.rebuild(),
    audit: async () => upkeep?.audit(),
    end() {
      for (const [operationId, shell] of shells) giveBack(operationId, shell);
      parts.giveBackNode();
      // What waits for a signal is kept until it comes.
      void parts.settler.close();
    },
  };
  const inTime = createAnswerInTime(problemReply, (callBack, delayMs) => {
    if (world.boundsAnswers) scheduler.after(delayMs, () => instance.alive && callBack());
    return undefined;
  });
  const limits = createUnlimited();
  const wire = createWire(world, instance);
  const parts = createParts(world, instance, wire, now);
  const upkeep = world.restores && createRestoredUpkeep(world, { ...parts, instance, wire, now });
  const assertPayer = openPayerProof(now, variant);
  const recall = createRecall({
    ...{ evidence: parts.gateEvidence, machine: parts.machine, limits, now },
    assertPayer: variant.assertPayer ?? assertPayer,
  });
  const counter = createLeadCounter(world, wire, now);
  let feedVersion = world.tables.feeds.get('deals') ?? 0;

  /** Nobody else wants the key of its place. */
  async function useOwnKey(): Promise<void> {
    const relayer = relayers[slot - 1] ?? stranger;
    world.leases.set(relayer, { owner: instance.owner, untilMs: Infinity, nextNonce: 0 });
    await parts.settling.use(relayer);
  }

  function open(operationId: string): Shell {
    if (operationId === statusOperation) return openStatus();
    const gate = createGate(operationId, {
      terms,
      publicBaseUrl,
      challenges,
      settlementProblem: parts.settling.problems.current,
      mayHaveSent: parts.settling.problems.mayHaveSent,
      settler: parts.settler,
      machine: parts.machine,
      recall,
      verifier,
      wallets: { isSigned: async () => false },
      limits,
      isPaymentPayload,
      hashClientId,
      now,
    });
    const surroundings = { ...parts, tables: world.tables, now };
    return keep(operationId, {
      sale: { gate: variant.gate?.(gate, surroundings) ?? gate, charge: parts.machine.charge },
      handle: (input) => answer(operationId, input),
      // Each call sells another lead.
      currentRevision: () => (operationId === exclusiveOperation ? undefined : `deals ${feedVersion}`),
      refreshFeed,
    });
  }

  /** The payment status: free, and run like every operation. */
  function openStatus(): Shell {
    const { ledger, machine } = parts;
    const paymentStatus = openPaymentStatusService({ ledger, machine, assertPayer }, variant);
    const handle = (input: Decoded) =>
      Promise.resolve(paymentStatus(input as unknown as Parameters<typeof paymentStatus>[0]));
    return keep(statusOperation, { sale: undefined, handle, currentRevision: () => undefined, refreshFeed });
  }

  function keep(operationId: string, inside: Inside): Shell {
    const shell = takeShell(operationId, inside);
    shells.set(operationId, shell);
    return shell;
  }

  /** Replaces the handlers: the requested product, and the feed version that answers. */
  async function answer(operationId: string, { query }: Decoded): Promise<HandlerReply> {
    const version = feedVersion;
    if (query['state'] === emptyState) throw new ServiceError('no_records_match', 'Nothing matches.');
    if (faults.happens('handler failed')) throw new Error('the handler failed');
    if (faults.happens('feed moved')) world.tables.feeds.set('deals', (world.tables.feeds.get('deals') ?? 0) + 1);
    const feed = { name: 'deals', version };
    const sold = `${operationId} state=${String(query['state'])}`;
    const reply = (text: string) => ({ status: 200, body: renderText(JSON.stringify([`${text} v${version}`])), feed });
    if (operationId !== exclusiveOperation) return reply(sold);
    const { leadId, ...held } = await counter.take();
    return { ...reply(`${sold} ${leadId}`), ...held };
  }

  async function refreshFeed(): Promise<void> {
    feedVersion = await wire.call('read feed', databaseLine, () => world.tables.feeds.get('deals') ?? 0);
    await counter.refresh();
  }

  return instance;
}

/** Whether reconciliation may find anything to do: without it a run would be the longest part of a history. */
function hasWork({ tables, chain, scheduler, databaseNow }: World): boolean {
  const finalized = chain.blockAt(scheduler.now() - chain.pace.finalityMs);
  // What was noted late is looked at, also in a final block.
  const isYoung = ({ blockNumber, settledAt }: NonNullable<StoredRow['settlement']>) =>
    blockNumber >= finalized || settledAt.getTime() > databaseNow().getTime() - lateMs;
  const isOpen = ({ state, settlement }: StoredRow) =>
    state === 'claimed' || (state === 'settled' && settlement !== undefined && isYoung(settlement));
  return [...tables.payments.values()].some(isOpen);
}
