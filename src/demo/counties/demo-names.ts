import type { Draw } from '../data/seeded-draw.js';

const surnames =
  'Amberquill Brindlewick Copperfen Dunmarrow Everlark Fennimarsh Glimmerdale Hollowmere Inkbarrow Junipwell'.split(
    ' ',
  );
const givenNames = 'Avis Bram Cleo Dorian Elspet Fintan Greta Hollis Ilse Jorun'.split(' ');
const companies = ['Quillfen Holdings LLC', 'Marrowdale Rentals LLC', 'Lanternmoor Trust', 'Thistledown Homes Inc'];
const lenders = [
  'Bank of Example, N.A.',
  'Sample Servicing LLC',
  'Fictional Savings Bank',
  'Placeholder Mortgage Trust 7',
];
const attorneys = ['Sample & Specimen LLC', 'Law Office of Example', 'Placeholder Legal Group'];

/** Creates the names of one fictional public record; none is a real person's. */
export function createDemoNames(draw: Draw) {
  const person = `${draw.pick(surnames)}, ${draw.pick(givenNames)}`;
  const company = draw.pick(companies);
  const owner = draw.fraction() < 0.7 ? person : company;
  return { owner: owner.toUpperCase(), plaintiff: draw.pick(lenders), attorney: draw.pick(attorneys) };
}
