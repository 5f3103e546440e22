import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { SourceError } from '../source-error.js';
import { isPublicAddress } from './public-address.js';

/** Finds all addresses of a name, as the operating system does. */
export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Asks the operating system's resolver. */
export const resolveName: ResolveName = (hostname) => lookup(hostname, { all: true });

/**
 * A `lookup` for `http.request` that refuses a name when any of its addresses is not public. The connection goes to an
 * address that was checked here, so a name cannot answer differently between check and use.
 */
export function guardLookup(resolve: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
          callback(forbidden(hostname), [], 0);
        } else if (options.all === true) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, [], 0),
    );
  };
}

/** Refuses an address that is written as such and is not public; names are judged when they are looked up. */
export function refusePrivateLiteral(hostname: string): void {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw forbidden(hostname);
}

function forbidden(hostname: string): SourceError {
  return new SourceError(
    'address_forbidden',
    `${hostname} is at a private or reserved address. Use a public server, or set allowPrivate for a server of your own.`,
  );
}
