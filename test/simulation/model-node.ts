import {
  BaseError,
  createTransport,
  HttpRequestError,
  numberToHex,
  TimeoutError,
  type HttpTransport,
  type RpcLog,
} from 'viem';
import { createBlockTimes } from '../../src/payments/chain/block-times.js';
import { createChainClient, type ChainClient } from '../../src/payments/chain/clients.js';
import { lowerHex, type Hex } from '../../src/payments/chain/eip3009.js';
import { createLogReader } from '../../src/payments/chain/log-reader.js';
import { drawBadAnswer, giveBadAnswer } from './bad-answers.js';
import { readAggregate, readState, readTransfer } from './calldata.js';
import { fault, run, selectors, url, type Transaction } from './model-contracts.js';
import { logsOf, receiptOf, sendersIn, toRpcLog } from './chain-logs.js';
import { nodeLine, pollLine, type About, type Wire } from './wire.js';
import type { World } from './world.js';

/** A JSON-RPC call. */
export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

type AskedCall = Pick<Call, 'method'> & Partial<Call>;

/** The maximum lag of a node. */
export const maxStaleMs = 10_000;
/** How long a node waits for a receipt (EIP-7966). */
const syncMs = 4_000;
const syncStepMs = 100;
const sending = /^eth_sendRaw/;

/** Where a client stands in a history. */
interface Place {
  readonly world: World;
  readonly wire: Wire;
}

/** A client with a replaceable place. */
interface SpareClient {
  readonly client: ChainClient;
  readonly transport: (limitMs: number) => HttpTransport;
  readonly holder: Holder;
}

interface Holder {
  /** Undefined between two histories. */
  place: Place | undefined;
  /** Ends what is not answered yet: viem joins equal questions. */
  readonly pending: Set<() => void>;
}

/** The real client of a model chain's node, which answers in JSON-RPC, and sometimes badly. */
export interface ModelNode {
  readonly client: ChainClient;
  /** Nothing will happen to it any more. */
  giveBack(): void;
}

const spare: SpareClient[] = [];
const logsMs = 10_000;

/** Creating a client costs as much as the rest of a history: what is left of finished ones remembers nothing. */
export function takeModelNode(place: Place): ModelNode {
  const used = spare.pop() ?? createSpare();
  used.holder.place = place;
  const { scheduler } = place.world;
  const [nowMs, pause] = [() => scheduler.now(), (delayMs: number) => place.wire.sleep(delayMs)];
  const { request } = used.transport(logsMs)({});
  const client: ChainClient = {
    ...used.client,
    times: createBlockTimes(used.client, nowMs),
    readLogs: createLogReader({ request } as ChainClient, { nowMs, pause }),
  };
  return {
    client,
    giveBack() {
      used.holder.place = undefined;
      for (const end of used.holder.pending) end();
      setImmediate(() => spare.push(used));
    },
  };
}

function createSpare(): SpareClient {
  const holder: Holder = { place: undefined, pending: new Set() };
  const transport =
    (limitMs: number): HttpTransport =>
    () =>
      createTransport({
        ...{ key: 'http', name: 'a model', type: 'http', retryCount: 0 },
        request: ((call: AskedCall) => during(holder, (place) => ask(place, call, limitMs))) as never,
      });
  const pause = (delayMs: number) => during(holder, ({ wire }) => wire.sleep(delayMs));
  const client = createChainClient({ rpcUrl: url, transport, pause });
  return { holder, client, transport };
}

/** What is asked of a place that ends meanwhile fails, waits included: nothing of it may reach the next history. */
function during<T>({ place, pending }: Holder, work: (place: Place) => Promise<T>): Promise<T> {
  const over = () => new HttpRequestError({ url, details: 'over' });
  if (place === undefined) return Promise.reject(over());
  let end = () => undefined as void;
  const ended = new Promise<never>((_, reject) => (end = () => reject(over())));
  pending.add(end);
  return Promise.race([work(place), ended]).finally(() => pending.delete(end));
}

/** The end of the node's view of the chain. */
export function viewOf({ scheduler, faults, random }: World): number {
  const staleMs = faults.happens('stale node') ? random('node').between(0, maxStaleMs) : 0;
  return scheduler.now() - staleMs;
}

function ask({ world, wire }: Place, { method, params = [] }: AskedCall, limitMs: number): Promise<unknown> {
  const call: Call = { method, params };
  const bad = drawBadAnswer(world, method);
  const effect = async () => {
    if (bad === undefined) return respond(world, wire, call);
    world.trace(() => `the node's answer to ${method}: ${bad.kind}`);
    const answer = bad.reaches
      ? await respond(world, wire, { ...call, method: bad.by ?? method }).catch(() => null)
      : null;
    return giveBadAnswer(bad, url, call, answer);
  };
  return new Promise((resolve, reject) => {
    const stop = wire.after(limitMs, () => reject(new TimeoutError({ body: {}, url })));
    const finish = (settle: () => void) => {
      if (bad?.kind === 'no answer in time') return;
      stop();
      settle();
    };
    wire.call(method, sending.test(method) ? nodeLine : pollLine, effect, aboutOf(call)).then(
      (answer) => finish(() => resolve(answer)),
      (error: unknown) =>
        finish(() =>
          reject(error instanceof BaseError ? error : new HttpRequestError({ url, details: String(error) })),
        ),
    );
  });
}

/** The payment that a call is about. */
function aboutOf({ method, params: [first] }: Call): About | undefined {
  if (method !== 'eth_call') return undefined;
  const { data = '0x' } = first as { readonly data?: Hex };
  for (const each of data.startsWith(selectors.aggregate) ? readAggregate(data) : [data]) {
    if (each.startsWith(selectors.transfer)) return { nonce: readTransfer(each).nonce };
    if (each.startsWith(selectors.state) && !/^0x0*$/.test(readState(each).nonce)) return readState(each);
  }
  return undefined;
}

async function respond(world: World, wire: Wire, { method, params }: Call): Promise<unknown> {
  const { chain } = world;
  const [first, second] = params as readonly [unknown, unknown];
  const viewMs = viewOf(world);
  switch (method) {
    case 'eth_blockNumber':
      return numberToHex(chain.blockAt(viewMs));
    case 'eth_getBlockByNumber':
      return blockOf(world, String(first), second === true, viewMs);
    case 'eth_getTransactionCount': {
      const isAtBlock = String(second).startsWith('0x');
      return numberToHex(
        chain.pool.countOf(lowerHex(first as Hex), isAtBlock ? chain.timeOf(BigInt(String(second))) : viewMs),
      );
    }
    case 'eth_getTransactionReceipt':
      return receiptOf(chain, first as Hex, viewMs);
    case 'eth_getTransactionByHash':
      return chain.pool.has(first as Hex, viewMs) ? { hash: first, blockNumber: null, type: '0x2' } : null;
    case 'eth_getCode':
      return chain.withCode.has(first as Hex) ? '0x60' : '0x';
    case 'eth_getLogs':
      return findLogs(world, first as LogFilter, viewMs);
    case 'eth_call':
      return run(world, first as Transaction, viewMs);
    case 'eth_estimateGas':
      run(world, first as Transaction, viewMs);
      return numberToHex(80_000);
    case 'eth_sendRawTransaction':
      return send(world, wire, first as Hex);
    case 'eth_sendRawTransactionSync':
      return sendAndWait(world, wire, first as Hex);
    default:
      throw fault(-32601, `the method ${method} does not exist`);
  }
}

function blockOf({ chain }: World, asked: string, isWhole: boolean, viewMs: number): unknown {
  const newest = chain.blockAt(viewMs);
  const finalized = chain.blockAt(viewMs - chain.pace.finalityMs);
  const number = asked === 'latest' ? newest : asked === 'finalized' ? finalized : BigInt(asked);
  const timestamp = Math.floor(chain.timeOf(number) / 1000);
  if (number > newest) return null;
  return {
    number: numberToHex(number),
    timestamp: numberToHex(timestamp),
    baseFeePerGas: '0x4c4b40',
    transactions: isWhole ? sendersIn(chain, number) : [],
  };
}

function send({ chain, faults }: World, { owner }: Wire, raw: Hex): Hex {
  const transaction = chain.pool.signed.get(raw);
  if (transaction === undefined) throw fault(-32000, 'rlp: the bytes are no transaction');
  const isKnown = chain.pool.isKnown(transaction.hash);
  if (!isKnown && faults.happens('nothing could be sent'))
    throw fault(-32000, 'insufficient funds for gas * price + value');
  const objection = chain.pool.offer(transaction, owner);
  if (objection !== undefined) throw fault(-32000, objection);
  return transaction.hash;
}

async function sendAndWait(world: World, wire: Wire, raw: Hex): Promise<unknown> {
  if (!world.hasSync) throw fault(-32601, 'the method eth_sendRawTransactionSync does not exist');
  const hash = send(world, wire, raw);
  for (let waitedMs = 0; waitedMs < syncMs; waitedMs += syncStepMs) {
    await wire.sleep(syncStepMs);
    const receipt = receiptOf(world.chain, hash, world.scheduler.now());
    if (receipt !== null) return receipt;
  }
  throw fault(4, 'the transaction was added to the pool, but is not mined in time', hash);
}

interface LogFilter {
  readonly fromBlock: Hex;
  readonly toBlock: Hex;
  readonly topics: readonly (Hex | readonly Hex[] | null)[];
}

function findLogs(
  { chain, blocksPerCall }: World,
  { fromBlock, toBlock, topics }: LogFilter,
  viewMs: number,
): RpcLog[] {
  const [first, last] = [BigInt(fromBlock), BigInt(toBlock)];
  if (last - first >= BigInt(blocksPerCall)) throw fault(-32602, `query exceeds the range of ${blocksPerCall} blocks`);
  const isWanted = (wanted: Hex | readonly Hex[] | null, topic: Hex | undefined) =>
    wanted === null || (topic !== undefined && wanted.includes(topic));
  return chain
    .spendings()
    .filter(({ atMs }) => atMs <= viewMs)
    .flatMap((spending) => logsOf(chain, spending))
    .filter(({ blockNumber }) => blockNumber >= first && blockNumber <= last)
    .filter((log) => topics.every((wanted, index) => isWanted(wanted, log.topics[index])))
    .map(toRpcLog);
}
