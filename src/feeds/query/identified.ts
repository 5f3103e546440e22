export interface Identified {
  readonly id: string;
}
