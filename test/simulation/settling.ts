import { pino } from 'pino';
import type { ChainClient } from '../../src/payments/chain/clients.js';
import type { Evidence } from '../../src/payments/settlement/resolve-open-payment.js';
import type { Settler } from '../../src/payments/settlement/settler.js';
import type { exchangeJson } from '../../src/payments/settlement/facilitator/exchange-json.js';
import {
  createFacilitatorClient,
  type FacilitatorClient,
} from '../../src/payments/settlement/facilitator/facilitator-client.js';
import type { FacilitatorRequest } from '../../src/payments/settlement/facilitator/facilitator-request.js';
import { createFacilitatorSettler } from '../../src/payments/settlement/facilitator/facilitator-settler.js';
import type { FacilitatorWatch } from '../../src/payments/settlement/facilitator/facilitator-watch.js';
import type { PayerCodeReader } from '../../src/payments/settlement/relayer/payer-code.js';
import { createTransferSettler } from '../../src/payments/settlement/relayer/settle-transfer.js';
import { createModelNode, createModelSimulator } from './model-node.js';
import { createModelWindow } from './model-relayer.js';
import { terms, verifier } from './purchase.js';
import { facilitatorLine, type Wire } from './wire.js';
import type { World } from './world.js';

/** How long a settlement may take before its outcome is unknown, as in the service. */
const timeoutMs = 30_000;

/** The settler of an instance; the facilitator only when it settles. */
export interface Settling {
  readonly settler: Settler;
  readonly facilitator: FacilitatorClient | undefined;
  readonly node: ChainClient;
}

/** The real settlers of one instance, with the pieces of the variant. */
export function createSettling(world: World, wire: Wire, evidence: Evidence, now: () => Date): Settling {
  const { variant, settlesBy, confirmations } = world;
  const { network, payTo } = terms;
  const node = createModelNode(world, wire);
  const pause = (delayMs: number) => wire.sleep(delayMs);
  const simulator = createModelSimulator(world, wire);
  const ports = { client: node, simulator, network, payTo, verifier, evidence, now, pause, log: silent, timeoutMs };
  if (settlesBy === 'facilitator') {
    const [facilitator, second] = [createClient(world, wire, 'first'), createClient(world, wire, 'second')];
    const facilitators = [variant.facilitator?.(facilitator) ?? facilitator, second] as const;
    const settler = createFacilitatorSettler({
      ...ports,
      facilitators,
      confirmations,
      watch: blind,
      resourceOf: () => undefined,
    });
    return { settler, facilitator, node };
  }
  const window = createModelWindow(world, wire);
  const settlementWindow = variant.window?.(window, world.chain) ?? window;
  const transfers = {
    ...ports,
    asset: network.asset,
    window: settlementWindow,
    follow: async () => undefined,
    payerCode,
  };
  return { settler: createTransferSettler(transfers), facilitator: undefined, node };
}

function createClient(world: World, wire: Wire, name: string): FacilitatorClient {
  const url = `https://${name}.facilitator.example`;
  return createFacilitatorClient({ url, authorize: async () => ({}), exchange: createExchange(world, wire) });
}

/** One HTTP exchange with the facilitator: it may fail to connect, be interrupted, or time out. */
function createExchange({ faults, facilitator }: World, wire: Wire): typeof exchangeJson {
  return async ({ url, body = '' }, timeoutMs) => {
    if (faults.happens('facilitator unreachable')) {
      await wire.sleep(50);
      return { kind: 'not_sent', detail: 'ECONNREFUSED' };
    }
    const request = JSON.parse(body) as FacilitatorRequest;
    const step = url.endsWith('/settle') ? 'settle' : 'verify';
    const answered = wire
      .call(`facilitator ${step}`, facilitatorLine, () => facilitator[step](request), {
        nonce: request.paymentPayload.payload.authorization.nonce,
      })
      .then(
        (reply) => ({ kind: 'answered', ...reply }) as const,
        () => ({ kind: 'lost', detail: 'ECONNRESET' }) as const,
      );
    const late = wire.sleep(timeoutMs).then(() => ({ kind: 'lost', detail: 'TimeoutError' }) as const);
    return Promise.race([answered, late]);
  };
}

/** Payers of the model have no code. */
const payerCode: PayerCodeReader = {
  hasCode: async () => false,
  remember: () => undefined,
  tryAlone: async (_, good) => good,
};
const silent = pino({ level: 'silent' });
/** Sees nothing: the effect of a facilitator outage on unpaid callers has its own tests. */
const blind: FacilitatorWatch = {
  start: async () => undefined,
  record: () => undefined,
  settlementProblem: () => undefined,
  close: () => undefined,
};
