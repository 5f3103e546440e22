import { BaseError, isHex } from 'viem';
import { LRUCache } from 'lru-cache';
import type { ChainClient } from '../../chain/clients.js';
import { lowerHex, type Authorization, type AuthorizationVerifier, type Hex } from '../../chain/eip3009.js';
import type { Network } from '../../../wire/networks.js';
import { describeFault } from '../describe-fault.js';
import type { Verdict } from '../settler.js';
import { unexplained } from '../verify-transfer.js';
import { encodeTransfer, transferGas } from './encode-settlement.js';
import { FeesTooHighError, type FeeReader } from './fee-reader.js';
import { readRefusal } from './read-refusal.js';

const rememberMs = 600_000;
/** What is added to the estimate of a transfer, whose payer's code may need more once it is mined. */
const marginGas = 20_000n;

export interface PayerCodeOptions {
  readonly client: ChainClient;
  readonly network: Network;
  readonly verifier: AuthorizationVerifier;
  /** Who will send the transfer. */
  readonly relayer: Hex;
  readonly fees: Pick<FeeReader, 'read'>;
}

/** Tells payers with code from others: theirs may burn what a transfer is given, or refuse it once it costs money. */
export type PayerCodeReader = ReturnType<typeof createPayerCodeReader>;

export function createPayerCodeReader({ client, network, verifier, relayer, fees }: PayerCodeOptions) {
  // maxSize, not max: lru-cache preallocates `max`.
  const codeless = new LRUCache<Hex, true>({ maxSize: 10_000, sizeCalculation: () => 1, ttl: rememberMs });
  /** Questions that are not answered yet. */
  const asking = new Map<Hex, Promise<Hex | undefined>>();

  return {
    /** True also in doubt. */
    async hasCode(payer: Hex): Promise<boolean> {
      const address = lowerHex(payer);
      if (codeless.has(address)) return false;
      const asked = asking.get(address) ?? client.getCode({ address, blockTag: 'latest' }).catch(() => '0x?' as const);
      asking.set(address, asked);
      const code = await asked.finally(() => asking.delete(address));
      return code !== undefined && code !== '0x';
    },
    /** A known payer without code is not asked about again for ten minutes. */
    remember: (payer: Hex) => void codeless.set(lowerHex(payer), true),
    /**
     * The verdict on the transfer of a payer with code, tried alone as it will be sent: from the relayer, with the gas
     * and the fees of the transaction. Never rejects.
     */
    async tryAlone(authorization: Authorization, good: Verdict & { readonly verdict: 'good' }): Promise<Verdict> {
      try {
        const data = encodeTransfer(authorization, verifier);
        const call = { account: relayer, to: lowerHex(network.asset), data, ...(await fees.read()) } as const;
        const wanted = ((await client.estimateGas(call)) * 5n) / 4n + marginGas;
        const gas = wanted < transferGas ? wanted : transferGas;
        await client.call({ ...call, gas });
        return { ...good, payerCode: { kind: 'some', gas } };
      } catch (error) {
        const revertData = error instanceof FeesTooHighError ? undefined : findRevertData(error);
        if (revertData === undefined) return { verdict: 'unavailable', by: 'chain', detail: describeFault(error) };
        return { verdict: 'refused', ...(readRefusal(revertData) ?? unexplained) };
      }
    },
  };
}

/** `0x` where a call failed without a reason; undefined where the node did not run it. */
function findRevertData(error: unknown): Hex | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const cause = error.walk((each) => each instanceof Error && 'data' in each && isHex(each.data));
  if (cause !== null && 'data' in cause) return cause.data as Hex;
  return /revert|out of gas|gas required exceeds/i.test(describeFault(error)) ? '0x' : undefined;
}
