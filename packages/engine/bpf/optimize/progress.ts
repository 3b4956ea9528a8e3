/** The changes a pass made, and the steps the optimiser has left. */
import type { FilterErrorCode } from "../errors.ts";

export class Progress {
  /** Something changed, so another pass may find more. */
  changed = false;
  /** Something other than the order of branches changed. */
  changedStatements = false;
  /** Steps are counted instead of timed, so that the same expression always compiles to the same program. */
  stepsLeft: number;

  constructor(steps: number) {
    this.stepsLeft = steps;
  }

  canPay(steps: number): boolean {
    return this.stepsLeft >= steps;
  }

  startPass(): void {
    this.changed = false;
    this.changedStatements = false;
  }

  markStatements(): void {
    this.changed = true;
    this.changedStatements = true;
  }

  markBranches(): void {
    this.changed = true;
  }
}

/** A fault in the expression that only constant folding detects. */
export class OptimizerFault extends Error {
  readonly code: FilterErrorCode;

  constructor(code: FilterErrorCode, reason: string) {
    super(reason);
    this.code = code;
  }
}
