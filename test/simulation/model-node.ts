import { decodeFunctionData, encodeErrorResult, encodeFunctionResult, numberToHex, parseAbi, type RpcLog } from 'viem';
import { blockNumberCall, blockTimeCall } from '../../src/payments/chain/aggregate.js';
import { createBlockTimes } from '../../src/payments/chain/block-times.js';
import type { ChainClient } from '../../src/payments/chain/clients.js';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import { createLogReader } from '../../src/payments/chain/log-reader.js';
import { tokenAbi } from '../../src/payments/chain/token-abi.js';
import type { Simulator } from '../../src/payments/settlement/verify-transfer.js';
import { logsOf, receiptOf, toRpcLog } from './chain-logs.js';
import { finalityMs, type ModelChain } from './model-chain.js';
import { viewOf } from './model-evidence.js';
import { nodeLine, type Wire } from './wire.js';
import type { World } from './world.js';

/** The client of a model chain's node: it answers the payment code's calls in the format of a real one. */
export function createModelNode(world: World, wire: Wire): ChainClient {
  const { chain, scheduler } = world;
  const node = {
    getBlockNumber: () => wire.call('block number', nodeLine, () => chain.blockAt(viewOf(world))),
    getBlock: ({ blockNumber, blockTag }: { readonly blockNumber?: bigint; readonly blockTag?: string }) =>
      wire.call('block', nodeLine, () => {
        const viewMs = viewOf(world);
        const number = blockNumber ?? chain.blockAt(blockTag === 'finalized' ? viewMs - finalityMs : viewMs);
        if (number > chain.blockAt(viewMs)) throw new Error('no such block');
        return { number, timestamp: timestampOf(chain, number) };
      }),
    getTransactionReceipt: ({ hash }: { readonly hash: Hex }) =>
      wire.call('receipt', nodeLine, () => {
        const receipt = receiptOf(chain, hash);
        if (receipt === undefined || receipt.blockNumber > chain.blockAt(viewOf(world))) throw new Error('no receipt');
        return receipt;
      }),
    call: ({ data }: { readonly data: Hex }) =>
      wire.call('call', nodeLine, () => ({ data: callTogether(world, data, viewOf(world)) })),
    request: ({ params: [filter] }: { readonly params: readonly [LogFilter] }) =>
      wire.call('logs', nodeLine, () => findLogs(world, filter, viewOf(world))),
  };
  const client = node as unknown as ChainClient;
  const reads = {
    times: createBlockTimes(client, () => scheduler.now()),
    readLogs: createLogReader(client, { nowMs: () => scheduler.now(), pause: (delayMs) => wire.sleep(delayMs) }),
  };
  return Object.assign(client, reads);
}

interface LogFilter {
  readonly fromBlock: Hex;
  readonly toBlock: Hex;
  readonly topics: readonly (readonly Hex[])[];
}

function findLogs({ chain }: World, { fromBlock, toBlock, topics }: LogFilter, viewMs: number): RpcLog[] {
  const [first, last] = [BigInt(fromBlock), BigInt(toBlock)];
  return chain
    .spendings()
    .filter(({ atMs }) => atMs <= viewMs)
    .flatMap((spending) => logsOf(chain, spending))
    .filter(({ blockNumber }) => blockNumber >= first && blockNumber <= last)
    .filter((log) => topics.every((wanted, index) => wanted.includes(log.topics[index] ?? '0x')))
    .map(toRpcLog);
}

const multicallAbi = parseAbi([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
]);

/** In whole seconds. */
function timestampOf(chain: ModelChain, block: bigint): bigint {
  return BigInt(Math.floor(chain.timeOf(block) / 1000));
}

/** Multicall3, as far as it is used: the block's number and time, and whether nonces are used. */
function callTogether({ chain }: World, data: Hex, viewMs: number): Hex {
  const [calls] = decodeFunctionData({ abi: multicallAbi, data }).args;
  const results = calls.map(({ callData }) => {
    const number = chain.blockAt(viewMs);
    if (callData === blockNumberCall.callData) return numberToHex(number, { size: 32 });
    if (callData === blockTimeCall.callData) return numberToHex(timestampOf(chain, number), { size: 32 });
    const { functionName, args } = decodeFunctionData({ abi: tokenAbi, data: callData });
    if (functionName !== 'authorizationState') throw new Error(`Nobody asks for ${functionName} in a simulation`);
    const [payer, nonce] = args;
    const spending = chain.spendingOf({ payer: payer.toLowerCase() as Hex, nonce });
    return numberToHex(spending !== undefined && spending.atMs <= viewMs ? 1 : 0, { size: 32 });
  });
  return encodeFunctionResult({
    abi: multicallAbi,
    functionName: 'aggregate3',
    result: results.map((returnData) => ({ success: true, returnData })),
  });
}

const refusal = (text: string): Hex =>
  encodeErrorResult({ abi: parseAbi(['error Error(string)']), errorName: 'Error', args: [text] });
/** The token's revert message for the model chain's reason. */
const refusals: Readonly<Record<string, Hex>> = {
  invalid_exact_evm_payload_authorization_valid_after: refusal('FiatTokenV2: authorization is not yet valid'),
  invalid_exact_evm_payload_authorization_valid_before: refusal('FiatTokenV2: authorization is expired'),
  nonce_used: refusal('FiatTokenV2: authorization is used or canceled'),
  insufficient_funds: refusal('ERC20: transfer amount exceeds balance'),
};

/** Simulates transfers at a node of the model chain. Batching into one call has its own tests. */
export function createModelSimulator(world: World, wire: Wire): Simulator {
  const { chain } = world;
  return {
    simulate(callData) {
      const transfer = readTransfer(callData);
      const answer = () => {
        const viewMs = viewOf(world);
        const chainTime = new Date(viewMs);
        // A block is a moment on a real chain: what is paid later in this one is not seen yet.
        const funds = { balance: chain.balanceAt(transfer.from, viewMs), blockNumber: chain.blockAt(viewMs) - 1n };
        const verdict = chain.simulate(transfer, viewMs);
        if (verdict.verdict === 'good') return { success: true, returnData: '0x', chainTime, funds } as const;
        return { success: false, returnData: refusals[verdict.reason] ?? '0x', chainTime, funds };
      };
      return wire.call('verify', nodeLine, answer, transfer);
    },
    close: () => undefined,
  };
}

/** The authorization in a transfer's calldata; viem would take longer than the rest of a simulated verification. */
function readTransfer(callData: Hex) {
  const word = (index: number): Hex => `0x${callData.slice(10 + 64 * index, 74 + 64 * index)}`;
  const address = (index: number): Hex => `0x${word(index).slice(26)}`;
  return {
    from: address(0),
    to: address(1),
    value: BigInt(word(2)),
    validAfter: BigInt(word(3)),
    validBefore: BigInt(word(4)),
    nonce: word(5),
  };
}
