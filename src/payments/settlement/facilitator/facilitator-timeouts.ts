/** How long one whole exchange with a facilitator may take. */
export interface FacilitatorTimeouts {
  readonly verifyMs: number;
  readonly settleMs: number;
}

/** How long after an exchange that settles the chain is asked for its proof. */
export const proofMs = 10_000;

/** The longest exchange that settles: with the proof it must end well within the lease of a claim. */
export const maxSettleSeconds = 40;
