/** What became of a process's transactions, beyond being mined; in payments that they carry. */
export type RelayerTally = ReturnType<typeof createRelayerTally>;

export function createRelayerTally() {
  return {
    /** Payments whose transaction was signed again, with higher fees or as a transfer of nothing. */
    replaced: 0,
    /** Whose nonce another program took. */
    displaced: 0,
    /** When that was last; undefined before the first time. */
    displacedAt: undefined as Date | undefined,
    displace(payments: number, at: Date): void {
      this.displaced += payments;
      this.displacedAt = at;
    },
  };
}
