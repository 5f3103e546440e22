/** A wish or a list that cannot be followed; the message says what to do and repeats no address. */
export class SuppressionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SuppressionError';
  }
}
