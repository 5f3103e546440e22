import { encodeErrorResult, parseAbi, RpcRequestError } from 'viem';
import { blockNumberCall, blockTimeCall } from '../../src/payments/chain/aggregate.js';
import { lowerHex, type Hex } from '../../src/payments/chain/eip3009.js';
import { multicall3Address } from '../../src/wire/networks.js';
import { readAggregate, readState, readTransfer, word, writeResults } from './calldata.js';
import type { World } from './world.js';

export const url = 'http://node.example';

/** A node's own error. */
export function fault(code: number, message: string, data?: unknown): RpcRequestError {
  return new RpcRequestError({ body: {}, url, error: { code, message, data } });
}

/** Of the functions that are called. */
export const selectors = {
  aggregate: '0x82ad56cb',
  transfer: '0xe3ee160e',
  state: '0xe94a0102',
  balance: '0x70a08231',
};

export interface Transaction {
  readonly to: Hex;
  readonly data: Hex;
}

/** Multicall3 and the token, as far as they are used. Throws a revert. */
export function run(world: World, { to, data }: Transaction, viewMs: number): Hex {
  if (lowerHex(to) === lowerHex(multicall3Address)) return runTogether(world, readAggregate(data), viewMs);
  const { success, returnData } = createCalls(world, viewMs)(data);
  if (!success) throw fault(3, 'execution reverted', returnData);
  return returnData;
}

function runTogether(world: World, calls: readonly Hex[], viewMs: number): Hex {
  return writeResults(calls.map(createCalls(world, viewMs)));
}

/** The calls of one block, each of which sees what those before it did. */
function createCalls({ chain }: World, viewMs: number) {
  const number = chain.blockAt(viewMs);
  const done: { readonly payer: Hex; readonly nonce: Hex; readonly value: bigint }[] = [];
  const good = (returnData: Hex) => ({ success: true, returnData });
  const balanceOf = (payer: Hex) =>
    done.reduce((left, each) => (each.payer === payer ? left - each.value : left), chain.balanceAt(payer, viewMs));

  return (data: Hex): { readonly success: boolean; readonly returnData: Hex } => {
    if (data === blockNumberCall.callData) return good(`0x${word(number)}`);
    if (data === blockTimeCall.callData) return good(`0x${word(Math.floor(chain.timeOf(number) / 1000))}`);
    if (data.startsWith(selectors.balance)) return good(`0x${word(balanceOf(readState(data).payer))}`);
    if (data.startsWith(selectors.state)) {
      const spending = chain.spendingOf(readState(data));
      return good(`0x${word(spending !== undefined && spending.atMs <= viewMs ? 1 : 0)}`);
    }
    if (!data.startsWith(selectors.transfer)) throw new Error(`Nobody calls ${data.slice(0, 10)} in a simulation`);
    const transfer = readTransfer(data);
    const { from: payer, nonce, value } = transfer;
    const trial = chain.simulate(transfer, viewMs);
    const isRepeated = done.some((each) => each.payer === payer && each.nonce === nonce);
    const isPoor = balanceOf(payer) < value;
    const reason =
      trial.verdict === 'refused' ? trial.reason : isRepeated ? 'nonce_used' : isPoor && 'insufficient_funds';
    if (reason) return { success: false, returnData: refusals[reason] ?? '0x' };
    done.push({ payer, nonce, value });
    return good('0x');
  };
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
