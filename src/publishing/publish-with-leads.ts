import { PassThrough } from 'node:stream';
import { nothingPublished, type PublishReport } from '../feeds/publish.js';
import type { EmitLeads } from './publish-deals.js';
import type { PublishLeadsInput } from './publish-leads.js';

/**
 * Publishes deals, and leads beside them: the lead of a deal passes from one publication to the other once it is
 * rendered, so that only a few are in memory. If the deals fail, no leads are published. If the leads fail, the deals
 * are published nevertheless.
 *
 * @param publishLeads called with `areDealsPublished`; undefined if the leads are deferred
 * @throws the error of either
 */
export async function publishWithLeads(
  publishDeals: (emitLeads: EmitLeads) => Promise<PublishReport>,
  publishLeads:
    | ((dealLeads: PublishLeadsInput['dealLeads'], areDealsPublished: () => boolean) => Promise<PublishReport>)
    | undefined,
): Promise<{ readonly deals: PublishReport; readonly leads: PublishReport }> {
  if (publishLeads === undefined) {
    return { deals: await publishDeals(() => Promise.resolve()), leads: nothingPublished };
  }
  let areDealsPublished = false;
  const dealLeads = new PassThrough({ objectMode: true, highWaterMark: 1 });
  // Its reader gets the error; there may be no reader yet.
  dealLeads.on('error', () => undefined);
  const next = (event: 'drain' | 'close') => new Promise((resolve) => dealLeads.once(event, resolve));
  const closed = next('close');
  const publishing = publishLeads(dealLeads, () => areDealsPublished);
  // It is awaited after the deals, which continue without it.
  publishing.catch(() => dealLeads.destroy());
  const emitLeads: EmitLeads = async (leads) => {
    if (dealLeads.destroyed || dealLeads.write(leads)) return;
    await Promise.race([next('drain'), closed]);
  };
  try {
    const deals = await publishDeals(emitLeads);
    areDealsPublished = true;
    dealLeads.end();
    return { deals, leads: await publishing };
  } catch (error) {
    dealLeads.destroy(error instanceof Error ? error : new Error(String(error)));
    // None of its writes may land after the start of the next publication.
    await publishing.catch(() => undefined);
    throw error;
  }
}
