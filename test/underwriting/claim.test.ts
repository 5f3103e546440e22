import assert from 'node:assert/strict';
import { absent, known, valueOf } from '../../src/absence.js';
import type { BlockingFlag } from '../../src/underwriting/plausibility.js';
import { createUnderwrite } from '../../src/underwriting/underwrite.js';
import type { UnderwritingInputs } from '../../src/underwriting/underwriting-inputs.js';
import { buildInputs, cleveland, plainSet } from './build-listing.js';

const underwrite = createUnderwrite(plainSet);

describe('the NOI for value', () => {
  const basisOf = (inputs: Partial<UnderwritingInputs>, ...flags: readonly BlockingFlag[]) => {
    const { noiForValue, noiForValueBasis, noiForArv } = underwrite({ ...cleveland, ...inputs, flags });
    return [noiForValue, noiForArv].map(valueOf).concat(valueOf(noiForValueBasis));
  };
  const lesser = 'lesser_of_claimed_and_hud';

  it('is the lowest of stated NOI, advertised cap x price and HUD', () => {
    assert.deepEqual(basisOf({}), ['36828.00', '36828.00', lesser]);
    assert.deepEqual(basisOf({ noi: known('30000') }), ['30000.00', '30000.00', lesser]);
    assert.deepEqual(basisOf({ noi: known('30000'), capRate: known('7') }), ['29400.00', '29400.00', lesser]);
    assert.deepEqual(basisOf({ capRate: absent('parse_failed') }), ['36828.00', '36828.00', 'hud']);
    assert.deepEqual(basisOf({ noi: known('-5') }), ['-5.00', '36828.00', lesser]);
  });

  it('is 90% of the claim where HUD rents do not check it, and absent without a claim', () => {
    const dear = { listPrice: known('1100000') };
    assert.deepEqual(basisOf(dear), ['91080.00', undefined, 'claim_discounted']);
    const unclaimed = underwrite({ ...cleveland, ...dear, capRate: absent('not_stated_by_source') });
    assert.deepEqual(unclaimed.noiForValue, absent('proxy_out_of_range'));
    assert.deepEqual(underwrite({ ...cleveland, ...dear }).noiForArv, absent('no_arv_basis'));
    assert.deepEqual(underwrite(buildInputs()).noiForValue, absent('no_hud_rent'));
  });

  it('reads a doubted value as absent, but a doubted cap still as a ceiling', () => {
    const none = [undefined, undefined, undefined];
    const stated = ['27000.00', undefined, 'claim_discounted'];
    assert.deepEqual(basisOf({ capRate: known('94') }), ['36828.00', '36828.00', 'hud']);
    assert.deepEqual(basisOf({ capRate: known('7') }, 'cap_implausible'), ['29400.00', '29400.00', lesser]);
    assert.deepEqual(basisOf({ noi: known('30000') }, 'units_suspect'), stated);
    assert.deepEqual(basisOf({ noi: known('30000') }, 'price_placeholder'), stated);
    assert.deepEqual(basisOf({}, 'price_placeholder'), none);
    assert.deepEqual(basisOf({ listPrice: known('1100000'), capRate: known('94') }), none);
  });

  it('alone reads it so: every other figure is as stated', () => {
    const flags = ['price_placeholder', 'cap_implausible'] as const;
    const doubtful = underwrite({ ...cleveland, flags });
    const { noiForValue, noiForValueBasis, noiForArv, doubted, dataQuality, ...published } = doubtful;
    assert.deepEqual({ ...underwrite(cleveland), ...published }, underwrite(cleveland));
    assert.deepEqual([noiForValue, noiForValueBasis, noiForArv].map(valueOf), [undefined, undefined, undefined]);
    assert.deepEqual([doubted, dataQuality.slice(0, 2)], [['cap_rate', 'list_price'], flags]);
  });

  it('comes with the higher interest rate where units are doubted, and the higher coverage where the ZIP is', () => {
    const { ratePct, minDscr } = underwrite({ ...cleveland, flags: ['units_type_disagree', 'zip_state_disagree'] });
    assert.deepEqual([ratePct, minDscr], ['7.00', '1.30']);
  });
});
