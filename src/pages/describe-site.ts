import type { Contract } from '../contract/contract.js';
import type { Network } from '../wire/networks.js';
import type { Site } from './page.js';

/** What the pages say of the service itself, and of the token that pays. */
export function describeSite(
  contract: Contract,
  publicBaseUrl: string,
  clientPackage: string | undefined,
  { id: network, asset, isLocal }: Pick<Network, 'id' | 'asset' | 'isLocal'>,
) {
  const { title: name, version } = contract.document.info;
  const site: Site = { name, version, publicBaseUrl, clientPackage };
  return { site, contract, terms: { network, asset, isLocal } };
}
