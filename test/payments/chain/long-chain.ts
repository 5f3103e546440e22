import assert from 'node:assert/strict';
import {
  createPublicClient,
  custom,
  decodeFunctionData,
  encodeFunctionResult,
  numberToHex,
  parseAbi,
  toHex,
} from 'viem';
import { blockNumberCall, blockTimeCall } from '../../../src/payments/chain/aggregate.js';
import { createBlockTimes } from '../../../src/payments/chain/block-times.js';
import type { ChainClient } from '../../../src/payments/chain/clients.js';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import { createLogReader } from '../../../src/payments/chain/log-reader.js';
import { addressTopic, eventTopics } from '../../../src/payments/chain/transfer-proof.js';
import { tokenAbi } from '../../../src/payments/chain/token-abi.js';
import { networks } from '../../../src/wire/networks.js';

/** Base, where five blocks share a second; what it was before; and Ethereum. */
export const cadences = [200, 2_000, 12_000] as const;

/** A transfer by authorization. */
export interface Payment {
  readonly payer: Hex;
  readonly nonce: Hex;
  readonly amount: bigint;
  readonly transaction: Hex;
  readonly block: bigint;
}

export type LongChain = ReturnType<typeof createLongChain>;

const base = networks[0] ?? assert.fail();
const payTo: Hex = '0x00000000000000000000000000000000000000aa';
/** Who sends all transactions. */
const relayer: Hex = '0x00000000000000000000000000000000000000bb';
/** 2026-11-05, a whole second. */
const birth = 1_793_836_800;

const multicallAbi = parseAbi([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
]);

/**
 * A node of a chain of many days with one cadence, which has payments to one payee. It counts its calls.
 *
 * @param options.mostBlocks of one eth_getLogs; more are refused
 */
export function createLongChain(options: {
  readonly blockMs: number;
  readonly days?: number;
  readonly finalityMs?: number;
  readonly mostBlocks?: number;
  readonly blocksPerCall?: bigint;
}) {
  const { blockMs, days = 3, finalityMs = 1_200_000, mostBlocks = 10_000 } = options;
  const head = Math.floor((days * 86_400_000) / blockMs);
  const headMs = birth * 1000 + head * blockMs;
  const payments = new Map<string, Payment>();
  const calls = new Map<string, number>();
  /** The ranges of eth_getLogs. */
  const ranges: [number, number][] = [];
  let clockMs = 0;

  const timeOf = (block: number): number => birth + Math.floor((block * blockMs) / 1000);
  const keyOf = (payer: string, nonce: string): string => `${payer}/${nonce}`.toLowerCase();

  /** Pays so long before the newest block. */
  function pay(agoMs: number, { by = 1, amount = 20_000n }: { by?: number; amount?: bigint } = {}): Payment {
    const id = payments.size + 1;
    const block = BigInt(head - Math.floor(agoMs / blockMs));
    const [nonce, transaction] = [toHex(id, { size: 32 }), toHex(2n ** 200n + BigInt(id), { size: 32 })];
    const payment = { payer: toHex(by, { size: 20 }), nonce, amount, transaction, block };
    payments.set(keyOf(payment.payer, nonce), payment);
    return payment;
  }

  function logsOf({ payer, nonce, amount, transaction, block }: Payment) {
    const log = (topics: readonly Hex[], data: Hex, logIndex: number) => ({
      address: base.asset,
      blockNumber: toHex(block),
      blockHash: toHex(block, { size: 32 }),
      transactionHash: transaction,
      transactionIndex: '0x0',
      logIndex: toHex(logIndex),
      removed: false,
      topics,
      data,
    });
    const party = addressTopic(payer);
    return [
      log([eventTopics.used, party, nonce], '0x', 0),
      log([eventTopics.transfer, party, addressTopic(payTo)], toHex(amount, { size: 32 }), 1),
    ];
  }

  function findLogs({ fromBlock, toBlock, topics }: LogFilter) {
    const [from, to] = [Number(fromBlock), Number(toBlock)];
    ranges.push([from, to]);
    assert.ok(from >= 0 && from <= to && to <= head, `blocks ${from} to ${to} of ${head}`);
    if (to - from >= mostBlocks) throw Object.assign(new Error('block range is too wide'), { code: -32_600 });
    return [...payments.values()]
      .filter(({ block }) => block >= from && block <= to)
      .sort((a, b) => Number(a.block - b.block))
      .flatMap(logsOf)
      .filter((log) =>
        topics.every((wanted, index) => wanted === null || [wanted].flat().includes(log.topics[index]!)),
      );
  }

  function callTogether(data: Hex): Hex {
    const [asked] = decodeFunctionData({ abi: multicallAbi, data }).args;
    const result = asked.map(({ callData }) => {
      const answer = (value: number) => ({ success: true, returnData: numberToHex(value, { size: 32 }) });
      if (callData === blockNumberCall.callData) return answer(head);
      if (callData === blockTimeCall.callData) return answer(timeOf(head));
      const { args } = decodeFunctionData({ abi: tokenAbi, data: callData });
      return answer(payments.has(keyOf(args[0], args[1] as string)) ? 1 : 0);
    });
    return encodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3', result });
  }

  function answer(method: string, params: readonly unknown[]): unknown {
    switch (method) {
      case 'eth_blockNumber':
        return toHex(head);
      case 'eth_getBlockByNumber': {
        const final = head - Math.ceil(finalityMs / blockMs);
        const number = params[0] === 'latest' ? head : params[0] === 'finalized' ? final : Number(params[0]);
        const isIn = ({ block }: Payment) => params[1] === true && Number(block) === number;
        const sent = [...payments.values()].filter(isIn).map(({ transaction: hash }) => ({ hash, from: relayer }));
        const header = { number: toHex(number), timestamp: toHex(timeOf(number)) };
        return number > head ? null : { ...header, transactions: sent };
      }
      case 'eth_call':
        return callTogether((params[0] as { data: Hex }).data);
      case 'eth_getLogs':
        return findLogs(params[0] as LogFilter);
      case 'eth_getTransactionReceipt': {
        const payment = [...payments.values()].find(({ transaction }) => transaction === params[0]);
        if (payment === undefined) return null;
        const { transaction: transactionHash, block } = payment;
        return { transactionHash, blockNumber: toHex(block), status: '0x1', logs: logsOf(payment) };
      }
      default:
        return assert.fail(`nobody asks for ${method}`);
    }
  }

  const request = async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) => {
    calls.set(method, (calls.get(method) ?? 0) + 1);
    return answer(method, params);
  };

  return {
    network: base,
    payTo,
    relayer,
    headMs,
    pay,
    ranges,
    /** Milliseconds that all pauses took. */
    pausedMs: () => clockMs,
    /** Another client, which knows nothing yet. */
    connect(): ChainClient {
      const client = createPublicClient({ transport: custom({ request }, { retryCount: 0 }), cacheTime: 0 });
      const pause = async (delayMs: number): Promise<void> => void (clockMs += delayMs);
      const nowMs = () => clockMs;
      const { blocksPerCall } = options;
      const readLogs = createLogReader(client, { nowMs, pause, blocksPerCall });
      return Object.assign(client, { times: createBlockTimes(client, nowMs), readLogs }) as unknown as ChainClient;
    },
    /** The calls since the last time. */
    countCalls(): number {
      const count = [...calls.values()].reduce((sum, each) => sum + each, 0);
      calls.clear();
      ranges.length = 0;
      return count;
    },
  };
}

interface LogFilter {
  readonly fromBlock: Hex;
  readonly toBlock: Hex;
  readonly topics: readonly (Hex | readonly Hex[] | null)[];
}
