import { createDemoListing, type DemoListing } from './create-demo-listing.js';
import type { DemoDelivery } from './render-delivery.js';

/** How far ahead of the listing that goes those stand whose prices fall in the same step. */
const cutsAhead = [50, 200, 400];
const cut = 0.97;

interface Steps {
  readonly seed: number;
  readonly count: number;
  readonly steps: number;
}

/** The listings after some steps: each takes the first away, brings another at the end, and cuts three prices. */
export function moveListings(first: readonly DemoListing[], { seed, count, steps }: Steps): readonly DemoListing[] {
  const added = Array.from({ length: steps }, (_, step) => firstOnMarket(seed, count + (step % 8_000)));
  return [...first, ...added].slice(steps).map((listing, place) => {
    const cuts = cutsAhead.filter((ahead) => place + steps > ahead && place <= ahead).length;
    const price = Number(listing.fields.listPrice ?? '');
    if (cuts === 0 || !(price > 0)) return listing;
    const listPrice = String(Math.round((price * cut ** cuts) / 500) * 500);
    return { ...listing, fields: { ...listing.fields, listPrice } };
  });
}

function firstOnMarket(seed: number, index: number): DemoListing {
  for (let revision = 1; ; revision++) {
    const listing = createDemoListing(seed, index, revision);
    if (listing !== undefined) return listing;
  }
}

/** The deliveries after some steps: each adjourns a sale, or schedules it again. */
export function moveSales(deliveries: readonly DemoDelivery[], steps: number): readonly DemoDelivery[] {
  const moved = deliveries.find(({ manifest }) => manifest.name.endsWith('sheriff-sales'));
  return deliveries.map((delivery) => {
    if (delivery !== moved) return delivery;
    const scheduled = delivery.rows.filter(({ status }) => status === 'Scheduled');
    const adjourned = new Set(
      scheduled.filter((_, place) => Math.ceil((steps - place) / scheduled.length) % 2 === 1 && steps > place),
    );
    return {
      ...delivery,
      rows: delivery.rows.map((row) => (adjourned.has(row) ? { ...row, status: 'Adjourned' } : row)),
    };
  });
}
