import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeErrorResult, parseAbi } from 'viem';
import { createChainClient } from '../../../src/payments/chain/clients.js';

describe('createChainClient', () => {
  let server: Server;
  let paths: string[];

  const start = async (answer: RequestListener): Promise<string> => {
    paths = [];
    server = createServer((request, response) => {
      paths.push(request.url ?? '');
      answer(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  it('asks once and does not repeat a question that failed', async () => {
    const rpcUrl = await start((_, response) => response.writeHead(503).end());
    await assert.rejects(createChainClient({ rpcUrl }).getBlockNumber());
    assert.equal(paths.length, 1);
  });

  it('repeats once what is asked before a payment is sent, where the node fails, and no verdict of it', async () => {
    const to = '0x00000000000000000000000000000000000000aa';
    let failures = 1;
    let verdict: object = { result: '0x01' };
    const rpcUrl = await start((_, response) => {
      if (failures-- > 0) response.writeHead(429, { 'retry-after': '0' }).end('<html>slow down</html>');
      else response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...verdict }));
    });
    const call = () => createChainClient({ rpcUrl }).call({ to, data: '0x12' });
    assert.equal((await call()).data, '0x01');
    assert.equal(paths.length, 2);
    failures = 2;
    await assert.rejects(call());
    assert.equal(paths.length, 4);
    verdict = { error: { code: 3, message: 'execution reverted' } };
    await assert.rejects(call(), /reverted/);
    assert.equal(paths.length, 5);
  });

  it('gives up on a node that does not answer', async () => {
    const rpcUrl = await start(() => undefined);
    await assert.rejects(createChainClient({ rpcUrl, timeoutMs: 500 }).getBlockNumber(), /took too long/);
    assert.equal(paths.length, 1);
  });

  it('reads the block number anew each time', async () => {
    let height = 0;
    const rpcUrl = await start((_, response) => {
      height += 1;
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: `0x${height}` }));
    });
    const client = createChainClient({ rpcUrl });
    assert.deepEqual([await client.getBlockNumber(), await client.getBlockNumber()], [1n, 2n]);
  });

  it("does not fetch what a payer's contract tells it to fetch", async () => {
    const rpcUrl = await start((request, response) => {
      const sender = '0x00000000000000000000000000000000000000aa';
      const data = encodeErrorResult({
        abi: parseAbi([
          'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extra)',
        ]),
        args: [sender, [`http://${request.headers.host}/secret`], '0x', '0x12345678', '0x'],
      });
      const error = { code: 3, message: 'execution reverted', data };
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
    });
    const to = '0x00000000000000000000000000000000000000aa';
    await assert.rejects(createChainClient({ rpcUrl }).call({ to, data: '0x12' }));
    assert.deepEqual(paths, ['/']);
  });
});
