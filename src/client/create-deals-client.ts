import { camelCase, type NamedId, operationNames } from '../wire/operation-names.js';
import type { Parameters } from './wire/call.js';
import { createCaller } from './create-caller.js';
import type { Answer, CallOptions, DealsClient, DealsClientOptions, OperationMethods } from './deals-client.js';
import type { Readers } from '../../generated/methods.gen.js';
import { requestPath } from './wire/operation-paths.js';
import { readAnswer } from './wire/read-answer.js';
import { createRecordReader } from './wire/record-reader.js';

/**
 * Creates a client of the service. Concurrent calls together never sign more than the caps allow. The client presents a
 * payment again until its outcome is known, and signs no second one for a call while the first may still be charged.
 * @throws RangeError for an invalid option
 */
export function createDealsClient(options: DealsClientOptions): DealsClient {
  const caller = createCaller(options);
  const ids = Object.keys(operationNames) as NamedId[];
  const idOf = (method: string) => ids.find((id) => camelCase(operationNames[id]) === method) as NamedId;

  async function get(path: string, callOptions?: CallOptions): Promise<Answer<unknown>> {
    // A further page is free, so nothing is signed for it.
    return readAnswer(await caller.get(path, callOptions), (next) => get(next, { ...callOptions, maxPrice: '0.00' }));
  }

  const methods = ids.map((id) => {
    const method = (parameters?: Parameters, callOptions?: CallOptions) =>
      Promise.resolve().then(() => get(requestPath(id, parameters), callOptions));
    return [
      camelCase(operationNames[id]),
      isReader(id) ? Object.assign(method, createRecordReader(caller, id)) : method,
    ];
  });
  return {
    ...(Object.fromEntries(methods) as OperationMethods), // one for each name, typed by the contract
    price: async (name, parameters, callOptions) =>
      caller.price(requestPath(idOf(name), parameters as Parameters | undefined), callOptions),
    spending: () => caller.spending(),
  };
}

const isReader = (id: NamedId): id is keyof Readers => id in readers;
const readers: Readonly<Record<keyof Readers, true>> = {
  listDeals: true,
  listHotDeals: true,
  listBasicDeals: true,
  listSignals: true,
  listAuctions: true,
  listLeads: true,
  listEvents: true,
};
