import { pino } from 'pino';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import { renderText } from '../../src/contract/rendered.js';
import { ServiceError } from '../../src/errors.js';
import type { Limits } from '../../src/limits/limits.js';
import { createPaidCalls } from '../../src/limits/paid-calls.js';
import type { Decoded } from '../../src/operations/decode.js';
import type { HandlerReply, OperationReply, OperationRequest } from '../../src/operations/operation.js';
import { createDeliveryRecorder, type DeliveryRecorder } from '../../src/payments/ledger/delivery-recorder.js';
import type { Ledger, PaymentKey } from '../../src/payments/ledger/ledger.js';
import type { GatePorts } from '../../src/payments/gate/gate.js';
import { createRecall } from '../../src/payments/gate/recall.js';
import { createClientIdHash } from '../../src/payments/gate/read-payment.js';
import { createPaymentMachine } from '../../src/payments/payment-machine.js';
import { createReceiptOf } from '../../src/payments/payment-response.js';
import { reconcilePayments } from '../../src/payments/settlement/reconcile.js';
import { createChainEvidence } from '../../src/payments/settlement/chain-evidence.js';
import { createChainHistory, type ChainHistory } from '../../src/payments/settlement/chain-history.js';
import type { Relayer } from '../../src/payments/settlement/relayer/relayer.js';
import type { Evidence } from '../../src/payments/settlement/resolve-open-payment.js';
import type { Settler } from '../../src/payments/settlement/settler.js';
import { createLeadCounter, exclusiveOperation } from './lead-counter.js';
import { createModelLedger, type StoredRow } from './model-ledger.js';
import { takeModelNode } from './model-node.js';
import { hexOf, terms, verifier } from './purchase.js';
import { createSettling } from './settling.js';
import { openPayerProof, openPaymentStatusService } from './payment-status.js';
import {
  challenges,
  createGate,
  statusOperation,
  giveBack,
  isPaymentPayload,
  publicBaseUrl,
  takeShell,
  type Inside,
  type Shell,
} from './shell.js';
import { createWire, databaseLine, type About, type Wire } from './wire.js';
import type { Asker } from './variant.js';
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
  /** The account of its relayer. */
  readonly relayerAddress: Hex;
  /** Opens it, so that it can answer. */
  start(): Promise<void>;
  handle(operationId: string, request: OperationRequest): Promise<OperationReply>;
  reconcile(): Promise<void>;
  /** Whether anything of its relayer is in flight. */
  isWaiting(): boolean;
  /** Nothing will happen to it any more. */
  end(): void;
}

const receiptOf = createReceiptOf(undefined, () => '', pino({ level: 'silent' }));
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
    relayerAddress: hexOf(0xf000 + slot, 20),
    async start() {
      if (world.isEmbedded) await parts.ledger.endForeignLeases(instance.owner);
      feedVersion = world.tables.feeds.get('deals') ?? 0;
      world.keyHolders.set(instance.relayerAddress, instance.owner);
      parts.relayer?.start();
    },
    isWaiting: () => parts.relayer?.isIdle() === false,
    handle: (operationId, request) => (shells.get(operationId) ?? open(operationId)).run(request),
    async reconcile() {
      if (variant.reconciles === false || !hasWork(world)) return;
      const { ledger, settler, reconcilerEvidence: evidence } = parts;
      const history = variant.looksAgain === false ? undefined : parts.history;
      const ports = { ledger, settler, evidence, history, owner: instance.owner, now, log: silent };
      await reconcilePayments(ports).catch(() => undefined);
    },
    end() {
      for (const [operationId, shell] of shells) giveBack(operationId, shell);
      parts.giveBackNode();
      // What waits for a signal is kept until it comes.
      void parts.settler.close();
      void parts.relayer?.close();
    },
  };
  const limits = createUnlimited();
  const wire = createWire(world, instance);
  const parts = createParts(world, instance, wire, now);
  const assertPayer = openPayerProof(now, variant);
  const recall = createRecall({
    ...{ evidence: parts.gateEvidence, machine: parts.machine, limits, now },
    assertPayer: variant.assertPayer ?? assertPayer,
  });
  const counter = createLeadCounter(world.tables, wire, now);
  let feedVersion = world.tables.feeds.get('deals') ?? 0;

  function open(operationId: string): Shell {
    if (operationId === statusOperation) return openStatus();
    const gate = createGate(operationId, {
      terms,
      publicBaseUrl,
      challenges,
      settlementProblem: parts.settlementProblem,
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

interface Parts {
  readonly ledger: Ledger;
  readonly settler: Settler;
  readonly relayer: Relayer | undefined;
  readonly settlementProblem: GatePorts['settlementProblem'];
  readonly giveBackNode: () => void;
  readonly history: ChainHistory;
  readonly gateEvidence: Evidence;
  readonly reconcilerEvidence: Evidence;
  readonly deliveries: DeliveryRecorder;
  readonly machine: ReturnType<typeof createPaymentMachine>;
}

/** The payment side of one instance, with the pieces of the variant. */
function createParts(world: World, instance: Instance, wire: Wire, now: () => Date): Parts {
  const { variant, tables, scheduler } = world;
  const port = createLedgerPort(world, wire, variant.hasOwnClock ? now : world.databaseNow);
  const ledger = variant.ledger?.(port, tables, now) ?? port;
  const { client: node, giveBack: giveBackNode } = takeModelNode({ world, wire });
  const evidence = createChainEvidence(node, terms.network);
  const evidenceFor = (asker: Asker) => variant.evidence?.(evidence, asker, now) ?? evidence;
  const settling = createSettling(world, wire, {
    node,
    evidence: evidenceFor('settler'),
    now,
    owner: instance.owner,
    address: instance.relayerAddress,
  });
  const settler = variant.settler?.(settling.settler, settling) ?? settling.settler;
  const recorder = createDeliveryRecorder(ledger, silent, (run, delayMs) =>
    scheduler.after(delayMs, () => {
      if (instance.alive) run();
    }),
  );
  const deliveries = variant.deliveries?.(recorder) ?? recorder;
  const machine = createPaymentMachine({
    ledger,
    settler,
    evidence: evidenceFor('machine'),
    deliveries,
    owner: instance.owner,
    chainInstance: '',
    receiptOf,
    now,
    nowMs: () => scheduler.now(),
    log: silent,
    pause: (delayMs) => wire.sleep(delayMs),
  });
  return {
    ledger,
    settler,
    relayer: settling.relayer,
    settlementProblem: settling.settlementProblem,
    giveBackNode,
    history: createChainHistory(node, terms),
    gateEvidence: evidenceFor('gate'),
    reconcilerEvidence: evidenceFor('reconciler'),
    deliveries,
    machine: variant.machine?.(machine, { ledger, settler, tables, now }) ?? machine,
  };
}

/** Whether reconciliation may find anything to do: without it a run would be the longest part of a history. */
function hasWork({ tables, chain, scheduler }: World): boolean {
  const finalized = chain.blockAt(scheduler.now() - chain.pace.finalityMs);
  const isOpen = ({ state, settlement }: StoredRow) =>
    state === 'claimed' || (state === 'settled' && settlement !== undefined && settlement.blockNumber >= finalized);
  return [...tables.payments.values()].some(isOpen);
}

/** The model ledger behind the instance's database connection. */
function createLedgerPort(world: World, wire: Wire, now: () => Date): Ledger {
  const betweenStatements = () => wire.sleep(world.random('database').between(0.5, 15));
  const { knownPayers } = world;
  const model = createModelLedger(world.tables, { now, betweenStatements, knownPayers });
  return new Proxy(model, {
    get(target, method: keyof Ledger) {
      const run = target[method] as (...args: unknown[]) => Promise<unknown>;
      return (...args: unknown[]) => {
        const about = aboutOf(args);
        const effect = () => {
          world.checker.onStatement(method, args, about);
          return run(...args);
        };
        return wire.call(method, databaseLine, effect, about);
      };
    },
  });
}

/** The payment and the attempt of a statement, by its first two arguments. */
function aboutOf([first, second]: readonly unknown[]): About | undefined {
  const key: unknown = Array.isArray(first) ? first[0] : first;
  if (typeof key !== 'object' || key === null || !('nonce' in key)) return undefined;
  const { nonce } = key as PaymentKey;
  return typeof second === 'string' ? { nonce, owner: second } : { nonce };
}
