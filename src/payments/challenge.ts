import type { ContractOperation } from '../contract/contract.js';
import type { PaymentRequirements } from './terms.js';

/** What is asked for before a paid operation runs; static for an operation, so that it is made once. */
export interface Challenge {
  /** The PaymentRequired of x402 v2 without its `error`. */
  readonly members: {
    readonly x402Version: 2;
    readonly resource: {
      readonly url: string;
      readonly description: string;
      readonly mimeType: string;
      readonly serviceName: string;
    };
    readonly accepts: readonly PaymentRequirements[];
  };
  /** The value of the PAYMENT-REQUIRED header with this `error`. */
  header(error: string): string;
}

/** Creates the challenge of one paid operation. Texts are the contract's alone, never a source's or a caller's. */
export function createChallenge(
  operation: ContractOperation,
  requirements: PaymentRequirements,
  publicBaseUrl: string,
  serviceName: string,
): Challenge {
  const members: Challenge['members'] = {
    x402Version: 2,
    resource: {
      url: publicBaseUrl + operation.path,
      description: operation.summary,
      mimeType: 'application/json',
      serviceName,
    },
    accepts: [requirements],
  };
  const headers = new Map<string, string>();
  return {
    members,
    header(error) {
      let header = headers.get(error);
      if (header === undefined) {
        header = Buffer.from(JSON.stringify({ ...members, error })).toString('base64');
        headers.set(error, header);
      }
      return header;
    },
  };
}
