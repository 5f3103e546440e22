import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * True when the caller has disconnected. Node does not report this to a reply queued behind another one on its
 * connection.
 */
export function isHungUp(exchange: { readonly request: IncomingMessage; readonly response: ServerResponse }): boolean {
  const { socket } = exchange.request;
  return exchange.response.destroyed || socket.destroyed || !socket.writable;
}
