/** One thing that must hold of a server; throws what is wrong, or `Untried` where it could not be tried. */
export interface Check {
  /** A guarantee in a sentence. */
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Why a check could not be tried on this server, or with what was given. */
export class Untried extends Error {
  override readonly name = 'Untried';
}
