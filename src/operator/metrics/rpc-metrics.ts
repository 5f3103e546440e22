import { Counter, type Registry } from 'prom-client';
import type { ChainClient } from '../../payments/chain/clients.js';
import { createTimes } from './create-times.js';

const methods = [
  ...['eth_blockNumber', 'eth_call', 'eth_chainId', 'eth_estimateGas', 'eth_getBalance', 'eth_getBlockByNumber'],
  ...['eth_getCode', 'eth_getLogs', 'eth_getTransactionByHash', 'eth_getTransactionCount', 'eth_getTransactionReceipt'],
  ...['eth_sendRawTransaction', 'eth_sendRawTransactionSync', 'web3_clientVersion', 'other'],
];

/** Counts the calls of a node. */
export function countRpcCalls(client: Pick<ChainClient, 'onCall'> | undefined, registry: Registry): void {
  const times = createTimes(registry, 'rpc_seconds', 'How long calls of the node took.', 'method', methods);
  const calls = new Counter({
    ...{ name: 'deals_rpc_calls_total', help: 'Calls of the node.', labelNames: ['method', 'result'] },
    registers: [registry],
  });
  for (const each of methods) calls.labels(each, 'answered').inc(0);
  client?.onCall?.((asked, result, seconds) => {
    const method = methods.includes(asked) ? asked : 'other';
    calls.labels(method, result).inc();
    times.observe(method, seconds);
  });
}
