import type { ServerResponse } from 'node:http';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import type { BadAnswer } from './flaky-node.js';

/** The hash of another transaction. */
export const word: Hex = `0x${'ab'.repeat(32)}`;

export const answerWith = (body: object) => (response: ServerResponse, id: number) =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
export const statusWith = (code: number, text: string) => (response: ServerResponse) =>
  void response.writeHead(code, { 'content-type': 'text/html' }).end(text);
export const errorWith = (code: number, message: string, data?: unknown) =>
  answerWith({ error: { code, message, data } });

/** What a node or what stands before it may answer to any call. */
export const plainAnswers: Readonly<Record<string, BadAnswer['answer']>> = {
  'HTTP 502': statusWith(502, 'Bad Gateway'),
  'HTTP 429': statusWith(429, '{"error":"slow down"}'),
  'HTML with 200': statusWith(200, '<html>Sign in</html>'),
  'a reset': (response) => void response.socket?.destroy(),
  'no answer': undefined,
  'error -32601': errorWith(-32601, 'the method does not exist'),
  'error -32603': errorWith(-32603, 'internal error'),
  'error -32000': errorWith(-32000, 'gateway timeout'),
  'error -32005': errorWith(-32005, 'rate limited'),
  'nonce too low': errorWith(-32000, 'nonce too low'),
  underpriced: errorWith(-32000, 'replacement transaction underpriced'),
  'EIP-7966 code 4': errorWith(4, 'timeout', word),
  'EIP-7966 code 5 that names funds': errorWith(5, 'insufficient funds for gas * price + value'),
  'a refusal that names a hash': errorWith(-32000, 'insufficient funds for gas', { hash: word }),
  null: answerWith({ result: null }),
};
