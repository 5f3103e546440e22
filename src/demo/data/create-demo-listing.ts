import { createDemoAddress } from './demo-address.js';
import { demoMetros, type DemoPlace } from './demo-places.js';
import { type DemoFields, type DemoScenario, demoScenarios } from './demo-scenarios.js';
import { createDraw, type Draw } from './seeded-draw.js';

/** The feed that delivers a listing; each is another marketplace. */
export type DemoFeedName = 'heartland' | 'sunbelt' | 'lakes' | 'auctions' | 'owners';

/** A fictional property for sale, before it is rendered as a row of its feed. */
export interface DemoListing {
  readonly index: number;
  readonly scenario: string;
  readonly feed: DemoFeedName;
  readonly fields: DemoFields;
  /** The same address in another spelling, for a second marketplace. */
  readonly otherAddress: string;
}

/** Default size: the same properties in the marketplaces and in county records. */
export const demonstrationSize = { seed: 1, count: 600 } as const;

const sunbelt = new Set(['TN', 'AL', 'GA', 'NC', 'FL', 'TX', 'OK', 'AZ', 'AR', 'SC', 'MS']);
const slots = demoScenarios.flatMap((scenario) => Array.from({ length: scenario.weight }, () => scenario));
/** NOI as a share of gross rent, after vacancy (7%) and operating costs (45%); only makes advertised caps plausible. */
const noiShare = 0.93 * 0.55;

/**
 * Creates listing `index` of a seed at a revision (1 is the first delivery). Scenarios and metros rotate with the
 * index. Undefined while the listing is off the market.
 */
export function createDemoListing(seed: number, index: number, revision: number): DemoListing | undefined {
  const draw = createDraw(seed, index);
  const scenario = scenarioOf(index);
  const place = draw.pick(demoMetros[index % demoMetros.length] ?? []);
  const units = draw.whole(...(scenario.units ?? unitRange(draw)));
  const multiple = draw.between(...scenario.multiple);
  const address = createDemoAddress(index, draw);
  const asked = roundPrice(multiple * 12 * place.rent * units);
  const capUnderwritten = (noiShare / multiple) * 100;
  const stated = statedCap(scenario, capUnderwritten, draw);
  const own = scenario.fields?.({ place, price: asked, units, capUnderwritten, draw }) ?? {};
  const plan = planOf(draw);
  if (isOffMarket(plan, revision)) return undefined;
  return {
    index,
    scenario: scenario.name,
    feed: feedOf(scenario, place, index),
    otherAddress: address.long,
    fields: {
      sourceKey: `D${String(index).padStart(6, '0')}`,
      address: address.short,
      addressDisplay: 'Y',
      city: place.city,
      state: place.state,
      zip: draw.fraction() < 0.1 ? `${place.zip}-${draw.whole(1001, 9899)}` : place.zip,
      county: place.county,
      parcelId: `${draw.whole(100, 999)}-${draw.whole(10, 99)}-${draw.whole(100, 999)}`,
      listingUrl: `https://example.com/listings/${seed}-${index}`,
      listPrice: String(priceAt(asked, plan, revision)),
      units: String(units),
      ...(stated === undefined ? {} : { capRate: stated }),
      propertyType: draw.fraction() < 0.05 ? draw.pick(['Mixed use', 'Portfolio']) : typeOf(units),
      yearBuilt: String(draw.whole(1895, 2016)),
      saleCondition: 'Standard',
      terms: draw.pick(['Cash;Conventional', 'Conventional', '']),
      remarks: draw.pick(['Separate meters and off-street parking.', 'Stable tenants, long-term owner.', '']),
      ...own,
    },
  };
}

interface Plan {
  /** Revisions between two price cuts; 0: never. */
  readonly cutEvery: number;
  readonly cutShare: number;
  /** First revision on the market. */
  readonly from: number;
  /** From this revision, off the market for two of every ten revisions; 0: never. */
  readonly pauseAt: number;
}

function planOf(draw: Draw): Plan {
  return {
    cutEvery: draw.fraction() < 0.2 ? draw.whole(1, 6) : 0,
    cutShare: draw.between(0.02, 0.07),
    from: draw.fraction() < 0.04 ? draw.whole(2, 8) : 1,
    pauseAt: draw.fraction() < 0.1 ? draw.whole(2, 9) : 0,
  };
}

function isOffMarket({ from, pauseAt }: Plan, revision: number): boolean {
  if (revision < from) return true;
  return pauseAt > 0 && revision >= pauseAt && (revision - pauseAt) % 10 < 2;
}

/**
 * Three or four equal cuts, then the first price again. Listings are staggered, so that some price is cut every day.
 */
function priceAt(asked: number, { cutEvery, cutShare }: Plan, revision: number): number {
  const round = cutEvery % 3 === 2 ? 5 : 4;
  const cuts = cutEvery === 0 ? 0 : Math.floor((revision - 1) / cutEvery) % round;
  return roundPrice(asked * (1 - cutShare) ** cuts);
}

/** Neighboring listings differ in scenario, and each scenario occurs in each metro. */
function scenarioOf(index: number): DemoScenario {
  const scenario = slots[(index * 37) % slots.length];
  if (scenario === undefined) throw new RangeError('The index of a listing must be a whole number from 0.');
  return scenario;
}

function feedOf({ feed }: DemoScenario, { state }: DemoPlace, index: number): DemoFeedName {
  if (feed !== undefined) return feed;
  if (index % 7 === 3) return 'lakes';
  if (index % 17 === 5) return 'owners';
  return sunbelt.has(state) ? 'sunbelt' : 'heartland';
}

function unitRange(draw: Draw): readonly [number, number] {
  return draw.pick([
    [2, 2],
    [3, 3],
    [4, 4],
    [4, 4],
    [5, 12],
    [5, 12],
    [13, 40],
  ]);
}

function typeOf(units: number): string {
  return ['', '', 'Duplex', 'Triplex', 'Fourplex'][units] ?? 'Multifamily 5 plus';
}

function statedCap({ capGap }: DemoScenario, capUnderwritten: number, draw: Draw): string | undefined {
  return capGap === undefined ? undefined : Math.max(2, capUnderwritten + draw.between(...capGap)).toFixed(2);
}

function roundPrice(price: number): number {
  return Math.round(price / 500) * 500;
}
