import { streetAliases } from '../tables/words.js';

/** The canonical name of a street with several names; any other name unchanged. */
export function keptStreetName(street: string): string {
  return streetAliases.get(street) ?? street;
}
