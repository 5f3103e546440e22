import type { ChainClient } from '../../chain/clients.js';
import type { Network } from '../../../wire/networks.js';

/** What a transaction offers for its gas (EIP-1559), in wei. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** Nothing can be sent for as little as is allowed. */
export class FeesTooHighError extends Error {
  constructor() {
    super("The network's fees are above the configured maximum");
  }
}

/** A tip of a thousandth of a gwei is usual on Base. */
export const tipWei = 1_000_000n;
const feesAgeMs = 2_000;

/** Reads what a transaction should offer now. */
export type FeeReader = ReturnType<typeof createFeeReader>;

/**
 * Creates a reader that asks for the base fee every two seconds at most, and never believes one below the network's
 * minimum. `capWei`: no transaction offers more for a unit of gas.
 */
export function createFeeReader(options: {
  readonly client: ChainClient;
  readonly network: Pick<Network, 'minBaseFeeWei'>;
  readonly capWei: bigint;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
}) {
  const { client, network, capWei, nowMs } = options;
  let known: { readonly baseFee: bigint; readonly readAtMs: number } | undefined;

  async function readBaseFee(): Promise<bigint> {
    const readAtMs = nowMs();
    if (!known || readAtMs - known.readAtMs >= feesAgeMs) {
      const { baseFeePerGas } = await client.getBlock({ blockTag: 'latest' });
      const [told, least] = [baseFeePerGas ?? 0n, network.minBaseFeeWei];
      known = { baseFee: told > least ? told : least, readAtMs };
    }
    return known.baseFee;
  }

  return {
    /** Room for a doubled base fee, within the cap. Rejects when the node is away, and with a FeesTooHighError. */
    async read(): Promise<Fees> {
      const baseFee = await readBaseFee();
      if (baseFee + tipWei > capWei) throw new FeesTooHighError();
      const wanted = 2n * baseFee + tipWei;
      return { maxFeePerGas: wanted < capWei ? wanted : capWei, maxPriorityFeePerGas: tipWei };
    },
    /** Fees that replace a transaction with those before in any node's pool; undefined when the cap forbids it. */
    async raise(before: Fees): Promise<Fees | undefined> {
      const baseFee = await readBaseFee();
      const least = raised(before.maxFeePerGas);
      if (least > capWei) return undefined;
      const tip = raised(before.maxPriorityFeePerGas);
      const wanted = 2n * baseFee + tip;
      const maxFeePerGas = smaller(larger(wanted, least), capWei);
      return { maxFeePerGas, maxPriorityFeePerGas: smaller(tip, maxFeePerGas) };
    },
  };
}

/** An eighth more, which is more than the tenth that nodes ask of a replacement. */
function raised(wei: bigint): bigint {
  return wei + (wei + 7n) / 8n;
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
