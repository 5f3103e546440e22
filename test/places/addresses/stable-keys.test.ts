import assert from 'node:assert/strict';
import { known } from '../../../src/absence.js';
import { identifyByAddress, identifyListing } from '../../../src/listings/listing-identity.js';
import { buildingKeys } from '../../../src/policy/suppression-keys.js';
import { observe } from '../../listings/observation.js';
import { parsed } from './parsed.js';

/** Keys of ordinary addresses as first published: ids derive from them. */
const published: readonly (readonly [line: string, identity: string])[] = [
  ['2079 East Ninth Street, Cleveland, OH 44115', '2079 E 9TH ST|OH|44115'],
  ['3456-58 E 93rd St, Cleveland, OH 44105', '3456-3458 E 93RD ST|OH|44105'],
  ['123 1/2 W 5th Ave, Columbus, OH 43201', '123 1/2 W 5TH AVE|OH|43201'],
  ['1234 N Main St Apt 2, Columbus, OH 43205', '1234 N MAIN ST|OH|43205|APT 2'],
  ['1234 N Main St #4, Columbus, OH 43205', '1234 N MAIN ST|OH|43205|# 4'],
  ['1234 N Main St 2, Columbus, OH 43205', '1234 N MAIN ST|OH|43205|# 2'],
  ['1234 N Main St A and B, Columbus, OH 43205', '1234 N MAIN ST|OH|43205|# A & B'],
  ['100 Broadway, B, Toledo, OH 43604', '100 BROADWAY|OH|43604|# B'],
  ['160 N Main St 1st Floor, Memphis, TN 38103', '160 N MAIN ST|TN|38103|FL 1'],
  ['100 County Road 12, Tulsa, OK 74110', '100 COUNTY RD 12|OK|74110'],
  ['100 State Route 42 N, Mason, OH 45040', '100 STATE RTE 42 N|OH|45040'],
  ['100 US-42, Mason, OH 45040', '100 US HWY 42|OH|45040'],
  ['100 FM 1960, Houston, TX 77090', '100 FM 1960|TX|77090'],
  ['100 Old Highway 42, Mason, OH 45040', '100 OLD HWY 42|OH|45040'],
  ['100 County Highway KK, Waukesha, WI 53188', '100 COUNTY RD KK|WI|53188'],
  ['N6W23001 Bluemound Road, Waukesha, WI 53188', 'N6W23001 BLUEMOUND RD|WI|53188'],
  ['100 & 110 Elm St, Akron, OH 44301', '100 & 110 ELM ST|OH|44301'],
  ['37-39 75th St, Jackson Heights, NY 11372', '37-39 75TH ST|NY|11372'],
  ['100 E St NW, Washington, DC 20001', '100 E ST NW|DC|20001'],
  ['100 Avenue E, Galveston, TX 77550', '100 AVENUE E|TX|77550'],
  ['601 E Kennedy Blvd, Tampa, FL 33602', '601 E KENNEDY BLVD|FL|33602'],
  ['77 Park Ave W, Mansfield, OH 44902', '77 PARK AVE W|OH|44902'],
  ['10 Elm St Rear, Akron, OH 44301', '10 ELM ST|OH|44301|REAR'],
  ['1 Elm St Lot 5, Akron, OH 44301', '1 ELM ST|OH|44301|LOT 5'],
  ['1 Elm St, Lot 5 Rear, Akron, OH 44301', '1 ELM ST|OH|44301|LOT 5 REAR'],
  ['4500 Dixie Hwy, Louisville, KY 40216', '4500 DIXIE HWY|KY|40216'],
  ['5555 State Rd, Parma, OH 44134', '5555 STATE RD|OH|44134'],
  ['100 Oak Rd Apt 5, Parma, OH 44134', '100 OAK RD|OH|44134|APT 5'],
  ['150 Calle A, San Juan, PR 00926', '150 CALLE A|PR|00926'],
  ['100 Dolorosa, San Antonio, TX 78205', '100 DOLOROSA|TX|78205'],
  ['200 Bldg 3 Main St, Akron, OH', '200 BLDG 3 MAIN ST|AKRON|OH'],
  ['1200 Elm St, Bldg 3, Apt 4, Avon, CT 06001', '1200 ELM ST|CT|06001|BLDG 3'],
  ['Terminal Tower, 50 Public Square, Cleveland, OH 44113', '50 PUBLIC SQ|OH|44113'],
];

describe('the keys of ordinary addresses', () => {
  for (const [line, identity] of published) {
    it(`stay as published: ${line}`, () => {
      const { key, unit } = parsed(line);
      assert.equal(unit === '' ? key : `${key}|${unit}`, identity);
    });
  }

  it('give each listing its published id', () => {
    const ids = [
      ['2079 East Ninth Street', 'ec9d39cd-476d-5adf-b901-ba918199ff84'],
      ['3456-58 E 93rd St', 'd87c7c05-8b10-596d-b88a-db2813957d00'],
      ['1234 N Main St 2', '8bbd5832-0a85-50ff-bc4a-bd4a73fbdc74'],
      ['100 County Road 12', '9e877c48-7c9d-5b66-b42e-341fb6f72d13'],
      ['1 Elm St Lot 5', '689776f6-17f0-59ce-97b2-b1728fce9a3a'],
    ] as const;
    for (const [address, id] of ids)
      assert.equal(identifyListing('a', observe({ address: known(address) }), identifyByAddress).id, id, address);
  });

  it('are those under which a building was suppressed', () => {
    assert.deepEqual(buildingKeys(parsed('2079 E 9th St Apt 2, Cleveland, OH 44115')), [
      '2079 E 9TH ST|OH|44115',
      '2079 E 9TH ST|CLEVELAND|OH',
      '2079 E 9TH *|OH|44115',
      '2079 E 9TH *|CLEVELAND|OH',
    ]);
  });
});
