import { metros, slugOf, type Metro } from '../../places/metros/metros.js';
import { readTable } from '../../project-file.js';
import { dotRadius } from '../../wire/dot-radius.js';
import { html, type Markup } from '../markup.js';
import { showCount } from '../show-count.js';

/** Active deals by five-digit county FIPS code. Counties without deals are missing. */
export type DealsByCounty = ReadonlyMap<string, number>;

const states = readTable('src/pages/home/us-states.csv', { code: /^[A-Z]{2}$/, path: /^M[\d lzM-]+$/ });

const places = readTable('src/pages/home/metro-places.csv', {
  county_fips: /^\d{5}$/,
  x: /^\d+$/,
  y: /^\d+$/,
  label: /^(left|right|below|none)$/,
});

/** A metro's position on the map, and the side of its dot for its name. */
interface MetroPlace {
  readonly x: number;
  readonly y: number;
  readonly label: string;
}

const metroPlaces: ReadonlyMap<string, MetroPlace> = new Map(
  places.map(({ county_fips: fips, x, y, label }) => [fips, { x: Number(x), y: Number(y), label }]),
);

interface Dot {
  readonly metro: Metro;
  readonly place: MetroPlace;
  readonly deals: number;
  readonly radius: number;
}

/** The covered metros on a map of the states, with dot areas by number of deals, and the same data as a list. */
export function coverageMap(dealsByCounty: DealsByCounty): Markup {
  const dots = placeDots(dealsByCounty);
  const covered = new Set(metros.map(({ state }) => state));
  const paths = states.map(
    ({ code, path }) => html`<path class="${covered.has(code) ? 'state covered' : 'state'}" d="${path}"/>`,
  );
  const ranked = [...dots].sort((a, b) => b.deals - a.deals || a.metro.name.localeCompare(b.metro.name));
  const total = dots.reduce((sum, { deals }) => sum + deals, 0);
  return html`<div class="coverage">
<figure>
<svg class="map" viewBox="0 8 975 592" role="img" aria-label="Map of the ${metros.length} covered metros in ${covered.size} states; the list after it has the same figures.">
<g>${paths}</g>
<g>${ranked.map(drawDot)}</g>
<g class="labels" aria-hidden="true">${dots.map(drawLabel)}</g>
</svg>
<figcaption>Each dot is a covered metro, its area the number of active deals in the core county. States: US Census Bureau.</figcaption>
</figure>
<div>
<h3>${showCount(total)} deals in ${metros.length} metros</h3>
<ul class="metros">${ranked.map(
    ({ metro, deals }) =>
      html`<li><a href="/deals?metro=${slugOf(metro)}">${metro.name}, ${metro.state}</a> <span class="count">${showCount(deals)}</span></li>`,
  )}</ul>
</div>
</div>`;
}

function placeDots(dealsByCounty: DealsByCounty): Dot[] {
  const most = Math.max(1, ...metros.map(({ countyFips }) => dealsByCounty.get(countyFips) ?? 0));
  return metros.flatMap((metro) => {
    const place = metroPlaces.get(metro.countyFips);
    if (place === undefined) return [];
    const deals = dealsByCounty.get(metro.countyFips) ?? 0;
    return [{ metro, place, deals, radius: dotRadius(deals / most) }];
  });
}

function drawDot({ metro, place, deals, radius }: Dot): Markup {
  const kind = deals === 0 ? 'dot empty' : 'dot';
  return html`<circle class="${kind}" data-county="${metro.coreCounty}, ${metro.state}" cx="${place.x}" cy="${place.y}" r="${radius}"><title>${metro.name}, ${metro.state}: ${showCount(deals)} ${deals === 1 ? 'deal' : 'deals'}</title></circle>`;
}

function drawLabel({ metro, place, radius }: Dot): Markup | undefined {
  const gap = radius + 4;
  const { x, y } = place;
  switch (place.label) {
    case 'none':
      return undefined;
    case 'left':
      return html`<text x="${x - gap}" y="${y + 5}" text-anchor="end">${metro.name}</text>`;
    case 'below':
      return html`<text x="${x}" y="${y + gap + 10}" text-anchor="middle">${metro.name}</text>`;
    default:
      return html`<text x="${x + gap}" y="${y + 5}">${metro.name}</text>`;
  }
}
