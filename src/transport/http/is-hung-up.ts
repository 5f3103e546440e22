import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Whether nobody can be answered any more. A reply that waits behind another on its connection is not told of its end.
 */
export function isHungUp(exchange: { readonly request: IncomingMessage; readonly response: ServerResponse }): boolean {
  const { socket } = exchange.request;
  return exchange.response.destroyed || socket.destroyed || !socket.writable;
}
