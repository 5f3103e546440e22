import { decodeFunctionResult, encodeFunctionData, parseAbi, prepareEncodeFunctionData } from 'viem';
import type { ChainClient } from './clients.js';
import type { Hex } from './eip3009.js';
import { multicall3Address } from '../../wire/networks.js';

/** One call of many, and what became of it. */
export interface Call {
  readonly target: Hex;
  readonly callData: Hex;
}

export interface CallResult {
  readonly success: boolean;
  /** The return value, or the revert data. */
  readonly returnData: Hex;
}

/** The end of what a Date can say. */
const maxSeconds = 8_640_000_000_000;

const multicall3Abi = parseAbi([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
  'function getBlockNumber() view returns (uint256)',
  'function getCurrentBlockTimestamp() view returns (uint256)',
]);

/** Asks Multicall3 for the number of the block in which the calls run. */
export const blockNumberCall: Call = {
  target: multicall3Address,
  callData: encodeFunctionData({ abi: multicall3Abi, functionName: 'getBlockNumber' }),
};

/** Asks Multicall3 for the time of that block. */
export const blockTimeCall: Call = {
  target: multicall3Address,
  callData: encodeFunctionData({ abi: multicall3Abi, functionName: 'getCurrentBlockTimestamp' }),
};

/** The answer to `blockTimeCall`. Throws when it is none. */
export function readTime(answer: CallResult | undefined): Date {
  const seconds = answer?.returnData.length === 66 ? Number(answer.returnData) : NaN;
  if (!(seconds < maxSeconds)) throw new Error('The answer is no time of a block');
  return new Date(seconds * 1000);
}

/** Prepared, since viem would hash the name of the function for each call. */
const aggregate3 = prepareEncodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3' });

/** The calldata for Multicall3 that runs the calls one after the other, none stopping the others. */
export function encodeAggregate(calls: readonly Call[]): Hex {
  return encodeFunctionData({ ...aggregate3, args: [calls.map((call) => ({ ...call, allowFailure: true }))] });
}

/**
 * Runs the calls one after the other in a single eth_call, through Multicall3: each sees what the former changed, none
 * stops the others. Throws when the question could not be asked, also when there is no Multicall3 on the chain.
 */
export async function aggregate(
  client: ChainClient,
  calls: readonly Call[],
  options: {
    /** Default: as much as the node allows. */
    readonly gas?: bigint;
  } = {},
): Promise<readonly CallResult[]> {
  const { data } = await client.call({
    to: multicall3Address,
    data: encodeAggregate(calls),
    ...(options.gas === undefined ? {} : { gas: options.gas }),
  });
  if (data === undefined) throw new Error(`There is no Multicall3 at ${multicall3Address} on this chain`);
  return decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data });
}
