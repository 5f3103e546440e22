/** Something with an id. */
export interface Identified {
  readonly id: string;
}
