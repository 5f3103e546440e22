import assert from 'node:assert/strict';
import { normalizeAddress, type SeparateAddress } from '../../../src/places/addresses/normalize.js';
import {
  isNormalizedAddress,
  type AddressFault,
  type NormalizedAddress,
} from '../../../src/places/addresses/normalized-address.js';

export function parsed(address: string | SeparateAddress): NormalizedAddress {
  const result = normalizeAddress(address);
  assert.ok(isNormalizedAddress(result), JSON.stringify(result));
  return result;
}

export function faultOf(address: string | SeparateAddress): AddressFault | undefined {
  const result = normalizeAddress(address);
  return isNormalizedAddress(result) ? undefined : result.notParsed;
}
