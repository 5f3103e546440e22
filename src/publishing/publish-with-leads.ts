import { PassThrough } from 'node:stream';
import { nothingPublished, type PublishReport } from '../feeds/publish.js';
import type { OfferLeads } from './publish-deals.js';
import type { LeadsPorts } from './publish-leads.js';

/**
 * Publishes deals, and leads beside them: a lead that a deal is goes from one publication to the other as soon as it is
 * rendered, so that no more than a few are held. Where the deals fail, no leads are published. Where the leads fail,
 * the deals are published nevertheless.
 *
 * @param publishLeads told whether the deals are published already; undefined where the leads are not published yet
 * @throws what either failed with
 */
export async function publishWithLeads(
  publishDeals: (offerLeads: OfferLeads) => Promise<PublishReport>,
  publishLeads: ((motivated: LeadsPorts['motivated'], isAlone: () => boolean) => Promise<PublishReport>) | undefined,
): Promise<{ readonly deals: PublishReport; readonly leads: PublishReport }> {
  if (publishLeads === undefined) {
    return { deals: await publishDeals(() => Promise.resolve()), leads: nothingPublished };
  }
  let isAlone = false;
  const motivated = new PassThrough({ objectMode: true, highWaterMark: 1 });
  // Whoever reads it learns of it; nobody may have begun.
  motivated.on('error', () => undefined);
  const next = (event: 'drain' | 'close') => new Promise((resolve) => motivated.once(event, resolve));
  const closed = next('close');
  const publishing = publishLeads(motivated, () => isAlone);
  // It is awaited behind the deals, which go on without it.
  publishing.catch(() => motivated.destroy());
  const offerLeads: OfferLeads = async (leads) => {
    if (motivated.destroyed || motivated.write(leads)) return;
    await Promise.race([next('drain'), closed]);
  };
  try {
    const deals = await publishDeals(offerLeads);
    isAlone = true;
    motivated.end();
    return { deals, leads: await publishing };
  } catch (error) {
    motivated.destroy(error instanceof Error ? error : new Error(String(error)));
    // Nothing of it may land behind the start of the next publication.
    await publishing.catch(() => undefined);
    throw error;
  }
}
