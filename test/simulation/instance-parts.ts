import { pino } from 'pino';
import { createDeliveryRecorder, type DeliveryRecorder } from '../../src/payments/ledger/delivery-recorder.js';
import type { Ledger, PaymentKey } from '../../src/payments/ledger/ledger.js';
import { createPaymentMachine } from '../../src/payments/payment-machine.js';
import { createReceiptOf } from '../../src/payments/payment-response.js';
import { createChainEvidence } from '../../src/payments/settlement/chain-evidence.js';
import { createChainHistory, type ChainHistory } from '../../src/payments/settlement/chain-history.js';
import type { Evidence } from '../../src/payments/settlement/resolve-open-payment.js';
import type { Settler } from '../../src/payments/settlement/settler.js';
import type { Instance } from './instance.js';
import { createModelLedger } from './model-ledger.js';
import { takeModelNode } from './model-node.js';
import { terms } from './purchase.js';
import { createSettling, type Settling } from './settling.js';
import { databaseLine, type About, type Wire } from './wire.js';
import type { Asker } from './variant.js';
import type { World } from './world.js';

const silent = pino({ level: 'silent' });
const receiptOf = createReceiptOf(undefined, () => '', silent);

/** The payment side of one instance. */
export interface Parts {
  readonly ledger: Ledger;
  readonly settler: Settler;
  readonly settling: Settling;
  readonly giveBackNode: () => void;
  readonly history: ChainHistory;
  readonly gateEvidence: Evidence;
  readonly reconcilerEvidence: Evidence;
  readonly deliveries: DeliveryRecorder;
  readonly machine: ReturnType<typeof createPaymentMachine>;
}

/** The payment side of one instance, with the pieces of the variant. */
export function createParts(world: World, instance: Instance, wire: Wire, now: () => Date): Parts {
  const { variant, tables, scheduler } = world;
  const port = createLedgerPort(world, wire, variant.hasOwnClock ? now : world.databaseNow);
  const ledger = variant.ledger?.(port, tables, now) ?? port;
  const { client, giveBack: giveBackNode } = takeModelNode({ world, wire });
  const node = variant.client?.(client) ?? client;
  const evidence = createChainEvidence(node, terms.network);
  const evidenceFor = (asker: Asker) => variant.evidence?.(evidence, asker, now) ?? evidence;
  const settling = createSettling(world, wire, {
    node,
    evidence: evidenceFor('settler'),
    now,
    owner: instance.owner,
  });
  const { settler } = settling;
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
    settling,
    giveBackNode,
    history: createChainHistory(node, terms),
    gateEvidence: evidenceFor('gate'),
    reconcilerEvidence: evidenceFor('reconciler'),
    deliveries,
    machine: variant.machine?.(machine, { ledger, settler, tables, now }) ?? machine,
  };
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
