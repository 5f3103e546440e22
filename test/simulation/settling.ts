import { pino } from 'pino';
import type { Hex } from '../../src/payments/chain/eip3009.js';
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
import { createFeeReader } from '../../src/payments/settlement/relayer/fee-reader.js';
import { createPayerCodeReader } from '../../src/payments/settlement/relayer/payer-code.js';
import { createLeasedSettler } from '../../src/payments/settlement/relayer/leased-settler.js';
import { createRelayer, type Relayer, type RelayerOptions } from '../../src/payments/settlement/relayer/relayer.js';
import { createTransferSettler, type SettlePorts } from '../../src/payments/settlement/relayer/settle-transfer.js';
import { createSettlementWindow } from '../../src/payments/settlement/relayer/settlement-window.js';
import {
  createSettlementProblems,
  type SettlementProblems,
  type TellProblem,
} from '../../src/payments/settlement/settlement-problems.js';
import { createTransferSimulator } from '../../src/payments/settlement/verify-transfer.js';
import { createModelRelayerStore } from './model-relayer-store.js';
import { createModelSigner } from './model-signer.js';
import { terms, verifier } from './purchase.js';
import { facilitatorLine, type Wire } from './wire.js';
import type { RelayerStore } from '../../src/payments/settlement/relayer/relayer-store.js';
import type { World } from './world.js';
import { createRelayerTally } from '../../src/payments/settlement/relayer/relayer-tally.js';

/** How long a settlement may take before its outcome is unknown, as in the service. */
const timeoutMs = 30_000;

/** The settler of an instance; the facilitator only when it settles. */
export interface Settling {
  readonly settler: Settler;
  readonly facilitator: FacilitatorClient | undefined;
  readonly problems: SettlementProblems;
  readonly node: ChainClient;
  /** From now on settles with this key, or with none. */
  readonly use: (relayer: Hex | undefined) => Promise<void>;
  readonly nextNonce: RelayerStore['nextNonce'];
  /** The relayer whose key is in use. */
  readonly current: () => { readonly address: Hex; readonly relayer: Relayer } | undefined;
}

/** The parts of an instance that settle. */
export interface SettlingParts {
  readonly node: ChainClient;
  readonly evidence: Evidence;
  readonly now: () => Date;
  /** Holds the lease of the relayer's key. */
  readonly owner: string;
}

type GivenByKey = 'window' | 'payerCode' | 'follow' | 'simulator' | 'asset';

/** As in the service, where they are not told otherwise. */
const settings = { windowMs: 100, maxItems: 20, bumpAfterMs: 10_000 };
const capWei = 10n ** 11n;
const watchMs = 5_000;

/** The real settlers of one instance, with the pieces of the variant. */
export function createSettling(world: World, wire: Wire, parts: SettlingParts): Settling {
  const { node: client, evidence, now } = parts;
  const { variant, settlesBy, confirmations, chain } = world;
  const { network, payTo } = terms;
  const { pause } = wire;
  const nowMs = () => world.scheduler.now();
  const problems = createSettlementProblems(nowMs);
  const { tell } = problems;
  problems.tell = (id, why, how) => {
    tell(id, why, how);
    // The watch finds gas money with its next look.
    if (id === 'relayer.gas' && why !== undefined) wire.after(watchMs, () => tell(id, undefined));
  };
  const given = { client, network, payTo, verifier, evidence, problems, now, nowMs, pause, log: silent, timeoutMs };
  const stored = createModelRelayerStore(world, wire, parts.owner);
  const store = variant.store?.(stored, chain) ?? stored;
  const { nextNonce } = store;
  const nobody = { use: async () => undefined, current: () => undefined, nextNonce };
  if (settlesBy === 'facilitator') {
    const [facilitator, second] = [createClient(world, wire, 'first'), createClient(world, wire, 'second')];
    const facilitators = [variant.facilitator?.(facilitator) ?? facilitator, second] as const;
    const simulator = createTransferSimulator(client, network, { pause, nowMs });
    const rest = { simulator, facilitators, confirmations, problems: blind, resourceOf: () => undefined };
    const settler = createFacilitatorSettler({ ...given, ...rest });
    const around = { facilitator, problems, node: client, ...nobody };
    return { settler: variant.settler?.(settler, around) ?? settler, ...around };
  }
  let current: ReturnType<Settling['current']>;
  const open = (address: Hex) => {
    const opened = openKey(world, { ...given, confirmations, store }, address);
    current = { address, relayer: opened.relayer };
    const around = { facilitator: undefined, problems, node: client, ...nobody };
    return {
      ...opened,
      ...(variant.settler?.(opened, around) ?? {}),
      async close() {
        current = undefined;
        await opened.close();
      },
    };
  };
  const leased = createLeasedSettler(open, problems);
  return { ...leased, facilitator: undefined, problems, node: client, nextNonce, current: () => current };
}

/** The self-settler of one key, as in the service. */
function openKey(
  world: World,
  given: Omit<RelayerOptions, 'tally' | 'signer' | 'fees' | 'bumpAfterMs'> & Omit<SettlePorts, GivenByKey>,
  address: Hex,
) {
  const { chain, variant } = world;
  const { client } = given;
  const { network } = terms;
  const simulator = createTransferSimulator(client, network, given);
  const ports = { ...given, ...settings, network, simulator, asset: network.asset };
  const signer = createModelSigner(chain, address);
  const fees = createFeeReader({ client, network, capWei, nowMs: given.nowMs });
  const { openWatch, submit } = variant;
  const relayer = createRelayer({ ...ports, tally: createRelayerTally(), signer, fees, openWatch, submit });
  const window = createSettlementWindow({ ...ports, relayer });
  const payerCode = createPayerCodeReader({ ...ports, relayer: address, fees });
  const { follow } = relayer;
  const transfers = createTransferSettler({
    ...ports,
    payerCode,
    follow,
    window: variant.window?.(window, chain) ?? window,
  });
  return {
    ...transfers,
    relayer,
    start: async () => relayer.start(),
    async close() {
      simulator.close();
      window.close();
      await relayer.close();
      await transfers.close();
    },
  };
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

const silent = pino({ level: 'silent' });
/** Sees nothing: the effect of a facilitator outage on unpaid callers has its own tests. */
const blind: TellProblem = { tell: () => undefined };
