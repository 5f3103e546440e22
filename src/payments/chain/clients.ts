import { createPublicClient, http, type HttpTransport, type PublicClient } from 'viem';
import { createBlockTimes, type BlockTimes } from './block-times.js';
import { createLogReader, type LogReader } from './log-reader.js';

/** Reads a chain and sends signed transactions to it, over HTTP. A process has one. */
export interface ChainClient extends PublicClient<HttpTransport> {
  readonly times: BlockTimes;
  readonly readLogs: LogReader;
}

/**
 * A client that sends each call once, within `timeoutMs`: the caller decides on retries, block numbers are not cached,
 * and calls are not batched. CCIP read is off, since by it a payer's smart contract could make this machine fetch any
 * address. Do not use waitForTransactionReceipt, which can hang on a chain that mines on demand: poll for receipts.
 */
export function createChainClient(options: {
  readonly rpcUrl: string;
  readonly timeoutMs?: number;
  /** The most blocks of one eth_getLogs. */
  readonly blocksPerCall?: bigint | undefined;
  /** Is waited for before each call, whose body it gets. */
  readonly beforeCall?: (body: string) => Promise<void>;
}): ChainClient {
  const client = createPublicClient({
    transport: http(options.rpcUrl, {
      timeout: options.timeoutMs ?? 10_000,
      retryCount: 0,
      batch: false,
      onFetchRequest: (_, { body }) => options.beforeCall?.(String(body)),
    }),
    cacheTime: 0,
    ccipRead: false,
  });
  const times = createBlockTimes(client, () => performance.now());
  return Object.assign(client, { times, readLogs: createLogReader(client, options) });
}

/** The number of the newest block. Rejects when the node does not answer with one, as with a hash in its place. */
export async function readHead(client: Pick<ChainClient, 'getBlockNumber'>): Promise<bigint> {
  const head = await client.getBlockNumber();
  if (head > BigInt(Number.MAX_SAFE_INTEGER)) throw new Error('The answer is no block number');
  return head;
}
