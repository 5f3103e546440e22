import { streetAliases } from '../tables/street-aliases.js';

/** The one name that is kept of a street which goes by several; any other name as it stands. */
export function keptStreetName(street: string): string {
  return streetAliases.get(street) ?? street;
}
