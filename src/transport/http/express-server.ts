import { createServer, IncomingMessage, ServerResponse, type Server, type ServerOptions } from 'node:http';
import type { Express } from 'express';

/**
 * A node:http server for an express app. Requests and responses are created with the prototypes that express would
 * otherwise set on each of them, its most expensive step.
 */
export function createExpressServer(app: Express, options: ServerOptions): Server {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {}
  app.request = adopt(ExpressRequest.prototype, app.request);
  app.response = adopt(ExpressResponse.prototype, app.response);
  return createServer({ ...options, IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse }, app);
}

/** Inserts express's prototype between the class's own and node's, and copies the app's members to the class's own. */
function adopt<Prototype extends object>(own: object, express: Prototype): Prototype {
  Object.defineProperties(own, Object.getOwnPropertyDescriptors(express));
  Object.setPrototypeOf(own, Object.getPrototypeOf(express) as object);
  // It now inherits every member of express's prototype.
  return own as Prototype;
}
