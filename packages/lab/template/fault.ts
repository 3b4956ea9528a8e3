/** A fault of a template, or of the values that it is given. */
import type { Place } from "../model/place.ts";

/** Where a template's text is. */
export interface Spot extends Place {
  readonly file: string;
}

export class TemplateFault extends Error {
  /** Undefined where a function finds the fault: the action that calls it has the place. */
  readonly spot: Spot | undefined;

  constructor(message: string, spot?: Spot) {
    super(message);
    this.spot = spot;
  }
}
