import { encodeFunctionData, prepareEncodeFunctionData, zeroAddress, zeroHash } from 'viem';
import { aggregate, blockNumberCall, blockTimeCall, readTime, type CallResult } from '../chain/aggregate.js';
import type { ChainClient } from '../chain/clients.js';
import type { Network } from '../../wire/networks.js';
import { tokenAbi } from '../chain/token-abi.js';
import { isTransportFault } from '../chain/transport-fault.js';
import {
  isUndeployedWallet,
  lowerHex,
  undeployedWallet,
  type Authorization,
  type AuthorizationVerifier,
  type Hex,
} from '../chain/eip3009.js';
import type { Funds } from '../ledger/ledger.js';
import { describeFault } from './describe-fault.js';
import { encodeTransfer, transferGas } from './relayer/encode-settlement.js';
import { pauseByTimer, type Pause } from './pause.js';
import { readRefusal, type Refusal } from './relayer/read-refusal.js';
import type { Verdict } from './settler.js';

export interface VerifyPorts {
  readonly simulator: Simulator;
  readonly verifier: AuthorizationVerifier;
  readonly payTo: Hex;
}

/** For a transfer that fails without a reason, as when a wallet's own check burns all gas. */
export const unexplained: Refusal = {
  reason: 'invalid_transaction_state',
  detail: 'The transfer fails, and the token does not say why.',
};

/** The chain's verdict on an authorization. Never rejects. */
export async function verifyTransfer(ports: VerifyPorts, authorization: Authorization): Promise<Verdict> {
  const fault = findFault(ports, authorization);
  return fault ? { verdict: 'refused', ...fault } : simulateTransfer(ports, authorization);
}

/**
 * The chain's verdict on an authorization without a fault: one simulated transfer checks signature, nonce, window,
 * balance, pause and blacklist. Never rejects: without an answer of the node it is `unavailable`.
 */
export async function simulateTransfer(ports: VerifyPorts, authorization: Authorization): Promise<Verdict> {
  try {
    const callData = encodeTransfer(authorization, ports.verifier);
    const simulation = await ports.simulator.simulate(callData, lowerHex(authorization.from));
    if (simulation.success) return { verdict: 'good', chainTime: simulation.chainTime, funds: simulation.funds };
    return { verdict: 'refused', ...(readRefusal(simulation.returnData) ?? unexplained) };
  } catch (error) {
    return { verdict: 'unavailable', by: 'chain', detail: describeFault(error) };
  }
}

/** The faults that need no chain. The gate has checked them; a settler checks again before money moves. */
export function findFault({ verifier, payTo }: VerifyPorts, authorization: Authorization): Refusal | undefined {
  if (verifier.digest(authorization) === undefined || !/^0x([0-9a-f]{2})*$/i.test(authorization.signature)) {
    return { reason: 'invalid_payload', detail: 'A field of the authorization does not fit its type.' };
  }
  if (lowerHex(authorization.to) !== lowerHex(payTo)) {
    return { reason: 'invalid_exact_evm_payload_recipient_mismatch', detail: `The authorization must pay ${payTo}.` };
  }
  if (isUndeployedWallet(authorization.signature))
    return { reason: 'invalid_exact_evm_payload_signature', detail: undeployedWallet };
  return undefined;
}

/** The result that a payer's call to the token would have now, at the time of the newest block. */
export interface Simulation extends CallResult {
  readonly chainTime: Date;
  /** The payer's funds before any call. */
  readonly funds: Funds;
}

/** Simulates calls to the token. */
export interface Simulator {
  /** Rejects when the node cannot be asked. `payer` in lower case. */
  simulate(callData: Hex, payer: Hex): Promise<Simulation>;
  /** Rejects the pending simulations. */
  close(): void;
}

/** By how much the time of the newest block may go back between two answers, and for how long more is not believed. */
const lagMs = 5_000;
const believedMs = 60_000;

interface Trial {
  readonly callData: Hex;
  readonly payer: Hex;
}

interface Batch {
  readonly trials: Trial[];
  readonly simulations: Promise<Promise<Simulation>[]>;
}

export interface SimulatorOptions {
  readonly client: ChainClient;
  readonly asset: Hex;
  /**
   * What a call may use when it is tried alone, as it is when it failed without a reason: a payer's smart contract that
   * burns all gas harms the calls behind it in the batch, which are then tried alone as well.
   */
  readonly gas: bigint;
  readonly windowMs?: number;
  readonly maxBatch?: number;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs?: () => number;
  readonly pause?: Pause;
}

/** Simulates transfers of the network's token. */
export function createTransferSimulator(
  client: ChainClient,
  { asset }: Network,
  clock: Pick<SimulatorOptions, 'nowMs' | 'pause'> = {},
): Simulator {
  // Tried alone, a call may use what it will be sent with, and Multicall3 a little for itself.
  return createSimulator({ client, asset, gas: transferGas + 80_000n, ...clock });
}

/**
 * Gathers the calls of a few milliseconds into one eth_call, in the order of their arrival. Each sees what those before
 * it did: so of two payments that a balance covers only once, the second is refused. The same call twice is one call.
 * What each payer holds is read before all of them.
 */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { client, asset, gas, windowMs = 5, maxBatch = 100, nowMs = performance.now.bind(performance) } = options;
  const { pause = pauseByTimer } = options;
  const closing = new AbortController();
  let open: Batch | undefined;
  let newest: { readonly chainTime: Date; readonly seenAtMs: number } | undefined;

  /** One of several nodes behind an address may lag. A chain that stays behind for a minute has gone back. */
  function isBehind(chainTime: Date): boolean {
    if (newest === undefined || nowMs() - newest.seenAtMs >= believedMs) return false;
    return newest.chainTime.getTime() - chainTime.getTime() > lagMs;
  }

  function openBatch(): Batch {
    const trials: Trial[] = [];
    const simulations = pause(windowMs, closing.signal).then(() => {
      closing.signal.throwIfAborted();
      if (open === batch) open = undefined;
      const together = tryCalls(trials, {});
      return trials.map(async (trial, index) => {
        const simulation = await together.then(
          (all) => all[index],
          (error: unknown) => {
            if (isTransportFault(error)) throw error;
            return undefined;
          },
        );
        // A call that ran out of gas has no reason, even if another call burned the gas.
        const isExplained = simulation && (simulation.success || simulation.returnData !== '0x');
        return isExplained ? simulation : tryAlone(trial);
      });
    });
    const batch = { trials, simulations };
    return batch;
  }

  async function tryAlone(trial: Trial): Promise<Simulation> {
    const [simulation] = await tryCalls([trial], { gas });
    if (!simulation) throw new Error('One call has one result');
    return simulation;
  }

  async function tryCalls(trials: readonly Trial[], limit: { readonly gas?: bigint }): Promise<Simulation[]> {
    const payers = [...new Set(trials.map(({ payer }) => payer))];
    const held = payers.map((payer) => encodeFunctionData({ ...balanceOf, args: [payer] }));
    const calls = [probeData, ...held, ...trials.map(({ callData }) => callData)];
    const toToken = calls.map((callData) => ({ target: asset, callData }));
    const asked = [blockTimeCall, blockNumberCall, ...toToken];
    let [time, ...results] = await aggregate(client, asked, limit);
    if (isBehind(readTime(time))) [time, ...results] = await aggregate(client, asked, limit);
    const before = results.splice(0, 2 + payers.length);
    // A call to an address without code succeeds: nothing may be verified by it.
    if (before.some(({ returnData }) => returnData.length !== 66))
      throw new Error(`There is no EIP-3009 token at ${asset} on this chain`);
    const chainTime = readTime(time);
    if (isBehind(chainTime)) throw new Error('The node is behind what it has shown before');
    if (newest === undefined || newest.chainTime <= chainTime || nowMs() - newest.seenAtMs >= believedMs)
      newest = { chainTime, seenAtMs: nowMs() };
    const [blockNumber = 0n, , ...balances] = before.map(({ returnData }) => BigInt(returnData));
    return results.map((result, index) => {
      const balance = balances[payers.indexOf(trials[index]?.payer ?? '0x')] ?? 0n;
      return { ...result, chainTime, funds: { balance, blockNumber } };
    });
  }

  return {
    async simulate(callData, payer) {
      open ??= openBatch();
      const { trials, simulations } = open;
      const known = trials.findIndex((trial) => trial.callData === callData);
      const index = known === -1 ? trials.push({ callData, payer }) - 1 : known;
      if (trials.length >= maxBatch) open = undefined;
      const simulation = (await simulations)[index];
      if (!simulation) throw new Error('Every call has a result');
      return simulation;
    },
    close() {
      closing.abort();
    },
  };
}

/** Prepared, since viem would hash the name of the function for each payer. */
const balanceOf = prepareEncodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf' });

/** Any token with EIP-3009 answers this, with 32 bytes. */
const probeData = encodeFunctionData({
  abi: tokenAbi,
  functionName: 'authorizationState',
  args: [zeroAddress, zeroHash],
});
