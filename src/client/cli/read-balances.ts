import { decodeFunctionResult, encodeFunctionData, hexToBigInt, parseAbi, type Hex } from 'viem';
import * as z from 'zod/mini';
import { multicall3Address, type Network } from '../../wire/networks.js';
import { formatDollars } from '../payments/usd.js';
import { parseJson } from '../wire/base64-json.js';
import { fetchBounded } from '../wire/fetch-bounded.js';

/** What an account holds of a token. */
export interface Balance {
  /** CAIP-2 name. */
  readonly network: string;
  readonly asset: string;
  readonly symbol: string;
  /** Dollars, such as "12.50"; null where no node was asked or the node does not speak for the network. */
  readonly amount: string | null;
  /** Time of the block that the amount was read at, ISO 8601; null without an amount. */
  readonly as_of: string | null;
}

const abi = parseAbi([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
  'function getChainId() view returns (uint256)',
  'function getCurrentBlockTimestamp() view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
]);

const answer = z.object({ result: z.templateLiteral(['0x', z.string()]) });

/**
 * The balances of an account in these tokens, by one eth_call that also tells the chain and its time. Where the node
 * gives no readable answer, every amount is null.
 */
export async function readBalances(
  address: Hex,
  tokens: readonly Network[],
  rpcUrl: string | undefined,
): Promise<readonly Balance[]> {
  const unknown = tokens.map(({ id, asset, symbol }) => ({ network: id, asset, symbol, amount: null, as_of: null }));
  if (rpcUrl === undefined) return unknown;
  const [chainId, timestamp, ...held] = await call(rpcUrl, [
    [multicall3Address, encodeFunctionData({ abi, functionName: 'getChainId' })],
    [multicall3Address, encodeFunctionData({ abi, functionName: 'getCurrentBlockTimestamp' })],
    ...tokens.map(
      ({ asset }) => [asset, encodeFunctionData({ abi, functionName: 'balanceOf', args: [address] })] as const,
    ),
  ]).catch(() => []);
  return unknown.map((balance, index) => {
    const amount = held[index];
    if (amount === undefined || timestamp === undefined || chainId !== BigInt(tokens[index]?.chainId ?? 0))
      return balance;
    return { ...balance, amount: formatDollars(amount), as_of: new Date(Number(timestamp) * 1000).toISOString() };
  });
}

/** The numbers that calls return, through Multicall3 at the latest block; undefined where one returns none. */
async function call(
  rpcUrl: string,
  calls: readonly (readonly [target: Hex, callData: Hex])[],
): Promise<readonly (bigint | undefined)[]> {
  const all = calls.map(([target, callData]) => ({ target, callData, allowFailure: true }));
  const data = encodeFunctionData({ abi, functionName: 'aggregate3', args: [all] });
  const params = [{ to: multicall3Address, data }, 'latest'];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params });
  const headers = { 'Content-Type': 'application/json' };
  const { text } = await fetchBounded(rpcUrl, { method: 'POST', headers, body }, {});
  const { result } = z.parse(answer, parseJson(text));
  return decodeFunctionResult({ abi, functionName: 'aggregate3', data: result as Hex }).map(
    ({ success, returnData }) => (success && returnData.length === 66 ? hexToBigInt(returnData) : undefined),
  );
}
