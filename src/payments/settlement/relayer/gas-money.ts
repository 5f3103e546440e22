import type { ChainClient } from '../../chain/clients.js';
import type { Hex } from '../../chain/eip3009.js';
import type { Log } from '../../../log.js';
import type { TellProblem } from '../settlement-problems.js';
import { describeFault } from '../describe-fault.js';
import { transferGas } from './encode-settlement.js';
import { FeesTooHighError, type FeeReader } from './fee-reader.js';

/** What the relayer can still pay for, as of the last look. */
export interface RelayerHealth {
  /** unpayable: the network's fees are above the configured maximum. unknown: never looked, or the node was away. */
  readonly state: 'ok' | 'low' | 'empty' | 'unpayable' | 'unknown';
  readonly address: Hex;
  readonly balanceWei: bigint | undefined;
  /** How many more payments the node would let it send, each alone and at the highest fee it offers now. */
  readonly settlementsLeft: number | undefined;
}

const warnEveryMs = 10 * 60_000;
const failuresThatCount = 2;
const warnings = {
  low: 'The relayer runs out of gas money: send it ether',
  empty: 'The relayer has no gas money left and nothing can be sold: send it ether',
  unpayable: 'Nothing can be sold: the fees of the network are above RELAYER_MAX_FEE_GWEI',
} as const;

/** Watches the relayer's gas money. */
export type GasMoney = ReturnType<typeof createGasMoney>;

/**
 * Looks at the balance every five seconds, and when told to: while the node fails twice in a row nothing is sold. Below
 * `lowSettlements` payments' worth of gas it warns, every ten minutes. The worth of one is what a node asks for before
 * it takes a transaction: its whole gas at the highest fee.
 */
export function createGasMoney(options: {
  readonly client: ChainClient;
  readonly address: Hex;
  readonly fees: FeeReader;
  readonly lowSettlements: number;
  readonly problems: TellProblem;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
  readonly log: Pick<Log, 'warn'>;
  readonly everyMs?: number;
}) {
  const { client, address, fees, lowSettlements, problems, nowMs, log, everyMs = 5_000 } = options;
  let health: RelayerHealth = { state: 'unknown', address, balanceWei: undefined, settlementsLeft: undefined };
  let warnedAtMs = -Infinity;
  /** Looks in a row that the node did not answer. */
  let failures = 0;
  let isClosed = false;

  /** Looks now. Never rejects. */
  async function look(): Promise<void> {
    try {
      const balanceWei = await client.getBalance({ address });
      const maxFee = await readMaxFee(fees);
      const settlementsLeft = maxFee === undefined ? undefined : Number(balanceWei / (transferGas * maxFee));
      health = { state: stateOf(settlementsLeft), address, balanceWei, settlementsLeft };
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures === failuresThatCount)
        log.warn({ detail: describeFault(error) }, 'The node does not answer, and nothing can be sold');
    }
    if (!isClosed) problems.tell('gas', findProblem());
    const { state, balanceWei, settlementsLeft } = health;
    if (state === 'ok' || state === 'unknown' || nowMs() - warnedAtMs < warnEveryMs) return;
    warnedAtMs = nowMs();
    log.warn({ relayer: address, state, balanceWei: String(balanceWei), settlementsLeft }, warnings[state]);
  }

  function stateOf(settlementsLeft: number | undefined): RelayerHealth['state'] {
    if (settlementsLeft === undefined) return 'unpayable';
    if (settlementsLeft < 1) return 'empty';
    return settlementsLeft < lowSettlements ? 'low' : 'ok';
  }

  function findProblem(): string | undefined {
    if (failures >= failuresThatCount) return 'The node of this service does not answer.';
    if (health.state === 'empty') return 'The account that pays for settlements has run out of gas money.';
    return health.state === 'unpayable' ? 'The fees of the network are too high.' : undefined;
  }

  const timer = setInterval(() => void look(), everyMs).unref();
  return {
    health: () => health,
    look,
    close() {
      isClosed = true;
      clearInterval(timer);
      problems.tell('gas', undefined);
    },
  };
}

/** Undefined when the cap does not allow any. */
async function readMaxFee(fees: FeeReader): Promise<bigint | undefined> {
  try {
    return (await fees.read()).maxFeePerGas;
  } catch (error) {
    if (error instanceof FeesTooHighError) return undefined;
    throw error;
  }
}
