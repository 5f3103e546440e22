import { readFileSync } from 'node:fs';
import { absent, known, type Maybe } from '../../src/absence.js';
import { findProjectFile } from '../../src/project-file.js';
import type { UnderwritingInputs } from '../../src/underwriting/underwriting-inputs.js';
import { buildInputs, buildRent } from './build-listing.js';

/** A worked deal: its inputs and its figures, as written in `worked-deals.csv`. */
export interface WorkedDeal {
  readonly id: string;
  readonly inputs: UnderwritingInputs;
  /** The written text; undefined where the sheet gives nothing. */
  readonly read: (name: string) => string | undefined;
}

const [ids = [], ...rows] = readFileSync(findProjectFile('test/underwriting/worked-deals.csv'), 'utf8')
  .trimEnd()
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .map((line) => line.split(','));

export const workedDeals: readonly WorkedDeal[] = ids.slice(1).map((id, index) => {
  const cells = new Map(rows.map(([name = '', ...values]) => [name, values[index]]));
  const read = (name: string): string | undefined => cells.get(name) || undefined;
  return { id, read, inputs: inputsOf(read) };
});

function inputsOf(read: WorkedDeal['read']): UnderwritingInputs {
  const stated = (name: string): Maybe<string> => {
    const text = read(name);
    return text === undefined ? absent('not_stated_by_source') : known(text);
  };
  const count = (name: string): Maybe<number> =>
    read(name) === undefined ? absent('not_stated_by_source') : known(Number(read(name)));
  const pairs = (name: string): string[][] =>
    read(name)
      ?.split(' ')
      .map((pair) => pair.split(':')) ?? [];
  const rents = read('rents')?.split(' ') ?? [];
  const [mix, items] = [pairs('unit_mix'), pairs('expense_items')];
  return buildInputs({
    state: read('state') ?? '',
    listPrice: stated('list_price'),
    units: count('units'),
    capRate: stated('cap_rate'),
    noi: stated('noi'),
    taxes: stated('taxes'),
    vacancyPct: stated('vacancy_pct'),
    operatingExpenses: stated('operating_expenses'),
    yearBuilt: count('year_built'),
    ownerPaysUtilities: read('utilities_paid_by') === 'owner',
    nonmetropolitan: read('metro') === 'false',
    ...(mix.length > 0 && {
      unitMix: known(mix.map(([bedrooms, units]) => ({ bedrooms: Number(bedrooms), units: Number(units) }))),
    }),
    ...(items.length > 0 && { expenseItems: known(items.map(([name = '', amount = '']) => ({ name, amount }))) }),
    rent:
      rents[2] === undefined
        ? absent('no_hud_rent')
        : buildRent(rents[2], {
            byBedrooms: rents,
            basis: read('rent_basis') === 'fmr_county' ? 'fmr_county' : 'safmr_zip',
            fiscalYear: Number(read('fiscal_year')),
            stale: read('fiscal_year') !== '2027',
          }),
  });
}
