import assert from 'node:assert/strict';
import type { ParameterFault } from '../../generated/types.gen.js';
import { askPrice, signPayment } from '../support/pay.js';
import { shareApp, type SharedApp } from '../support/shared-app.js';

const digits = 'min_price: digits only, write 150000';
const state = 'state: a two-letter code such as OH; several with commas: OH,IN';
const zips = Array.from({ length: 51 }, (_, index) => 43_600 + index).join(',');
const unclean = 'city: no control characters, and UTF-8 in percent-encoding';

const ofExclusive = 'unknown; known: state, zip, metro, near, radius, county, lead_type, min_score, from_date, to_date';

/** What is asked, and what is told of its first fault. */
const rows: readonly (readonly [query: string, told: string, nearest?: string])[] = [
  ['deals?state=Ohio', state],
  ['deals?state=OH;IN', state],
  ['deals?min_price=150k', digits],
  ['deals?min_price=$150,000', digits],
  ['deals?min_price=cheap', 'min_price: digits only, such as 150000'],
  ['deals?min_cap=8.5%25', 'min_cap: percent without the sign, write 8.5'],
  ['deals?status=hot', 'status: one of Hot, Warm, Pass; did you mean Hot?', 'Hot'],
  ['deals?property_type=duplx', 'property_type: did you mean duplex?', 'duplex'],
  ['deals?metro=Kansas%20City', 'metro: did you mean kansas-city?', 'kansas-city'],
  ['auctions?from_date=12/01/2026', 'from_date: a date such as 2026-12-01'],
  ['deals?first_seen_since=yesterday', 'first_seen_since: a date such as 2026-12-01'],
  ['deals?first_seen_since=2026-02-31', 'first_seen_since: a date such as 2026-12-01'],
  ['deals?first_seen_since=2031-01-01', 'first_seen_since: a moment that has passed'],
  ['deals?zip=4360', 'zip: five digits such as 43609'],
  ['deals?zip=43609-1234', 'zip: five digits such as 43609'],
  ['deals?zip=43609,4360', 'zip: "4360": five digits such as 43609'],
  ['deals?radius=5', 'radius: radius needs near'],
  ['deals?near=91,0', 'near: latitude -90 to 90'],
  ['deals?near=Toledo', 'near: a ZIP such as 43609, or 41.65,-83.54'],
  ['deals?near=43697', 'near: 43697 has no area of its own; give latitude,longitude'],
  ['deals?sort=distance', 'sort: sort=distance needs near'],
  ['deals?zipcode=43609', 'zipcode: unknown; did you mean zip?', 'zip'],
  ['deals?dscr=1.5', 'dscr: unknown; did you mean min_dscr?', 'min_dscr'],
  ['deals?price=150000', 'price: unknown; did you mean min_price or max_price?'],
  ['deals?MinPrice=150000', 'MinPrice: unknown; did you mean min_price?', 'min_price'],
  ['signals?colour=red', 'colour: unknown; known: state, county, zip, metro, near, radius, signal_type, min_amount, first_seen_since, has_address, sort, order, limit'],
  ['deals?min_dscr=1e99', 'min_dscr: from 0 to 100'],
  ['deals?min_dscr=NaN', 'min_dscr: a number, such as 1.25'],
  ['deals?min_units=2.5', 'min_units: a whole number, such as 4'],
  ['deals?min_price=9007199254740993', 'min_price: at most 15 digits'],
  ['deals?limit=0', 'limit: from 1 to 1000'],
  [`deals?zip=${zips}`, 'zip: at most 50'],
  ['deals?state=OH,,IN', 'state: "": a two-letter code such as OH; several with commas: OH,IN'],
  ['deals?state=OH&state=IN', 'state: given twice; write state=OH,IN'],
  ['deals?city=Toledo&city=Akron', 'city: given twice; write it once'],
  [`deals?city=${'x'.repeat(81)}`, 'city: at most 80 characters'],
  ['deals?city=', 'city: such as Cleveland'],
  ['deals?city=%E2%80%AEoledoT', unclean],
  ['deals?city=%00', unclean],
  ['deals?city=%zz', unclean],
  [`deals?${'a&'.repeat(65)}`, '?: at most 64 parts, and 4,096 characters in all'],
  [`deals?city=${'x'.repeat(4_092)}`, '?: at most 64 parts, and 4,096 characters in all'],
  ['auctions?include_past=yes', 'include_past: true or false'],
  ['auctions?sale_status=sold', 'sale_status: sold needs include_past=true'],
  ['deals?county=39095,Lucas', 'county: FIPS codes such as 39095,39035, or one name'],
  ['leads/exclusive?sort=score', `sort: ${ofExclusive}`],
  ['leads/exclusive?limit=2', `limit: ${ofExclusive}`],
  ['lookup', 'address: missing, such as 3458 E 93rd St, Cleveland, OH 44105'],
]; // prettier-ignore

describe('a faulty parameter', () => {
  let app: SharedApp;
  let payment: string;
  before(async () => {
    app = await shareApp();
    payment = await signPayment(await askPrice(`${app.url}/api/deals`));
  });

  for (const [query, told, nearest] of rows)
    it(`is told, unpaid and paid, "${told.slice(0, 90)}", for ${query.slice(0, 60)}`, async () => {
      const url = `${app.url}/api/${query}`;
      const [unpaid, paid] = [await fetch(url), await fetch(url, { headers: { 'PAYMENT-SIGNATURE': payment } })];
      assert.deepEqual([unpaid.status, paid.status], [402, 400]);
      for (const reply of [unpaid, paid]) {
        const { errors, billed } = (await reply.json()) as { errors: ParameterFault[]; billed: boolean };
        const [first] = errors;
        assert.equal(`${first?.parameter}: ${first?.detail}`, told);
        assert.deepEqual([first?.nearest, billed], [nearest, false]);
      }
    });

  it('bought nothing, and the payment is as good as before', async () => {
    const bought = await fetch(`${app.url}/api/deals`, { headers: { 'PAYMENT-SIGNATURE': payment } });
    assert.equal(bought.status, 200);
  });

  it('has names for no more than 300 bytes, and only where none is near', async () => {
    for (const name of ['colour', 'toString', '%F0%9F%98%80', 'x'.repeat(80)]) {
      const { errors } = (await (await fetch(`${app.url}/api/deals?${name}=1`)).json()) as { errors: ParameterFault[] };
      const [, known = ''] = /^unknown; known: (.*)$/.exec(errors[0]?.detail ?? '') ?? [];
      assert.ok(known.length > 100 && Buffer.byteLength(known) <= 300, known);
    }
  });
});
