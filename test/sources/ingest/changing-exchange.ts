import { openTestDatabase } from '../../support/database.js';
import { ingestSource } from '../../../src/sources/ingest/ingest-source.js';
import { createScriptedDelivery, type Delivery } from './scripted-delivery.js';
import { ingestOptions, observeMany, setDay } from './scripted-source.js';

/** An exchange that reports its changes, with `listings` listings read completely on the first day. */
export async function openChangingExchange(listings: number) {
  const database = await openTestDatabase();
  const source = Object.assign(createScriptedDelivery('listings', { name: 'exchange' }), { tellsChanges: true });
  const read = (day: number, delivery: Delivery<'listings'>, since?: string) => {
    setDay(day);
    source.deliver(delivery);
    return ingestSource(source, { ...ingestOptions(database.knex), ...(since !== undefined && { since }) });
  };
  await read(0, { pages: [observeMany(listings)], watermark: 'w0' });
  return { database, source, read };
}
