/** A position in a file; both 1-based. */
export interface Place {
  readonly line: number;
  readonly column: number;
}
