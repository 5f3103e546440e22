import type { EIP1193Parameters, EIP1193RequestOptions, HttpTransport } from 'viem';
import { createChainClient, type ChainClient, type ClientOptions, type OnCall } from '../chain/clients.js';
import { isTransportFault } from '../chain/transport-fault.js';

/** A client that reports each call, its result and its seconds to the observer given to `onCall`. */
export function createObservedClient(options: ClientOptions): ChainClient {
  let observe: OnCall = () => undefined;

  function wrap(transport: HttpTransport): HttpTransport {
    return (config) => {
      const each = transport(config);
      const request = async (call: EIP1193Parameters, asked?: EIP1193RequestOptions): Promise<unknown> => {
        const begunMs = performance.now();
        let result: Parameters<OnCall>[1] = 'answered';
        try {
          return await each.request(call, asked);
        } catch (error) {
          result = isTransportFault(error) ? 'failed' : 'refused';
          throw error;
        } finally {
          observe(call.method, result, (performance.now() - begunMs) / 1_000);
        }
      };
      return { ...each, request: request as typeof each.request };
    };
  }

  const onCall = (observer: OnCall): void => void (observe = observer);
  return Object.assign(createChainClient({ ...options, wrap }), { onCall });
}
