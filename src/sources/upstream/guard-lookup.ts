import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction, BlockList } from 'node:net';
import { SourceError } from '../source-error.js';

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

/** Everything of IPv4 that is not the public internet. Source: IANA IPv4 Special-Purpose Address Registry. */
const specialIpv4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3';
/**
 * Parts of 2000::/3 that are no hosts of their own or hide an IPv4 address. Source: IANA IPv6 Special-Purpose Address
 * Registry.
 */
const specialIpv6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';

const ipv4 = blockListOf(specialIpv4, 'ipv4');
const ipv6 = blockListOf(specialIpv6, 'ipv6');
const globalIpv6 = blockListOf('2000::/3', 'ipv6');

function blockListOf(networks: string, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [network = '', prefix] of networks.split(' ').map((each) => each.split('/')))
    list.addSubnet(network, Number(prefix), family);
  return list;
}

/**
 * True for an address of the public internet. False for private, loopback, link-local, shared, reserved, documentation
 * and multicast ranges, for IPv6 forms that carry an IPv4 address, and for anything that is no address.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !ipv4.check(address, 'ipv4');
    case 6:
      return globalIpv6.check(address, 'ipv6') && !ipv6.check(address, 'ipv6');
    default:
      return false;
  }
}
