import type { Meta } from '../../../generated/types.gen.js';
import type { Caller } from '../wire/call.js';
import { operationPaths } from '../wire/operation-paths.js';
import { readData } from '../wire/read-answer.js';
import type { Format } from './general-options.js';
import { renderBody } from './render-body.js';
import type { Surroundings } from './surroundings.js';

/** Prints the server's price list, free. @throws PurchaseError */
export async function showPrices(format: Format, caller: Caller, { out, width }: Surroundings): Promise<void> {
  const { reply } = await caller.get(operationPaths.getMeta);
  const { pricing } = readData(reply) as Meta; // typed by the contract
  out.write(renderBody(pricing, format, width));
}
