import type { Draw } from './seeded-draw.js';

const names = (
  'Alder Bellflower Cedarholm Dogwood Elmcrest Fairhaven Glenmore Hawthorn Ivywood Juniper Kingsbury Larkspur Maplecrest ' +
  'Northgate Oakhurst Pinecrest Quarry Rosewood Sycamore Thornton Underhill Vinewood Willowbrook Yarrow'
).split(' ');
const suffixes = [
  ['St', 'Street'],
  ['Ave', 'Avenue'],
  ['Dr', 'Drive'],
  ['Ct', 'Court'],
  ['Blvd', 'Boulevard'],
  ['Pl', 'Place'],
] as const;
const directions = [
  ['', ''],
  ['', ''],
  ['', ''],
  ['N ', 'North '],
  ['S ', 'South '],
  ['E ', 'East '],
  ['W ', 'West '],
] as const;

/**
 * Creates a plausible fictional street address in two spellings, as two marketplaces would write it, with its own
 * number for each `index` under 9,000. Some are ranges, fractions or numbered streets, as in real data.
 */
export function createDemoAddress(index: number, draw: Draw) {
  const low = 1000 + ((index * 7) % 9000);
  const number = draw.pick([`${low}`, `${low}`, `${low}`, `${low}`, `${low}`, `${low}-${low + 2}`, `${low} 1/2`]);
  const [direction, longDirection] = draw.pick(directions);
  const [suffix, longSuffix] = draw.pick(suffixes);
  const name = draw.fraction() < 0.2 ? ordinal(draw.whole(3, 98)) : draw.pick(names);
  return {
    short: `${number} ${direction}${name} ${suffix}`,
    long: `${number} ${longDirection}${name} ${longSuffix}`,
  };
}

function ordinal(count: number): string {
  const tens = Math.floor(count / 10) % 10;
  const ending = tens === 1 ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th');
  return `${count}${ending}`;
}
