import { createServer, IncomingMessage, ServerResponse, type Server, type ServerOptions } from 'node:http';
import type { Express } from 'express';

/**
 * A node:http server for an express app whose requests and responses already have the prototypes that express would
 * set on each of them. Express stays express; its most expensive step becomes a comparison.
 */
export function createExpressServer(app: Express, options: ServerOptions): Server {
  return createServer(
    {
      ...options,
      IncomingMessage: withPrototype<typeof IncomingMessage>(IncomingMessage, app.request),
      ServerResponse: withPrototype<typeof ServerResponse>(ServerResponse, app.response),
    },
    app,
  );
}

/** A constructor that makes what `base` makes, with another prototype (which itself inherits from base's). */
function withPrototype<Base extends abstract new (...args: never[]) => object>(base: Base, prototype: object): Base {
  function Constructor(...args: unknown[]): object {
    return Reflect.construct(base, args, Constructor) as object;
  }
  Constructor.prototype = prototype;
  // A plain function, because a class's prototype cannot be replaced; it constructs what Base constructs.
  return Constructor as unknown as Base;
}
