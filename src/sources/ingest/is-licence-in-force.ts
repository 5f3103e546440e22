import type { Licence } from '../source.js';

/** True until the licence expires; from that moment on nothing of the source is fetched or sold. */
export function isLicenceInForce(licence: Licence, now: Date): boolean {
  return licence.expiresAt === undefined || licence.expiresAt.getTime() > now.getTime();
}
