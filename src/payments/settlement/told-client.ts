import type { EIP1193Parameters, EIP1193RequestOptions, HttpTransport } from 'viem';
import { createChainClient, type ChainClient, type ClientOptions, type TellCall } from '../chain/clients.js';
import { isTransportFault } from '../chain/transport-fault.js';

/** A client of which somebody may be told each call. */
export function createToldClient(options: ClientOptions): ChainClient {
  let tell: TellCall = () => undefined;

  function wrap(transport: HttpTransport): HttpTransport {
    return (config) => {
      const each = transport(config);
      const request = async (call: EIP1193Parameters, asked?: EIP1193RequestOptions): Promise<unknown> => {
        const begunMs = performance.now();
        let result: Parameters<TellCall>[1] = 'answered';
        try {
          return await each.request(call, asked);
        } catch (error) {
          result = isTransportFault(error) ? 'failed' : 'refused';
          throw error;
        } finally {
          tell(call.method, result, (performance.now() - begunMs) / 1_000);
        }
      };
      return { ...each, request: request as typeof each.request };
    };
  }

  const onCall = (told: TellCall): void => void (tell = told);
  return Object.assign(createChainClient({ ...options, wrap }), { onCall });
}
