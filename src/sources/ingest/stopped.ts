/**
 * Whoever has a source read wants the run to end here; the cause is what they said. It is left as a killed process
 * leaves it, so that the next run goes on from its last page: neither the source nor the run has failed.
 */
export class Stopped extends Error {
  constructor(cause: unknown) {
    super('The run was asked to stop.', { cause });
    this.name = 'Stopped';
  }
}
