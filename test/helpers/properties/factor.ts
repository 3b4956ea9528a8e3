/** @throws Error when WIRELAB_PROPERTY_RUNS is no number from 1. */
export function propertyFactor(text = process.env.WIRELAB_PROPERTY_RUNS ?? "1"): number {
  const factor = Number(text);
  if (Number.isInteger(factor) && factor >= 1) return factor;
  throw new Error(`WIRELAB_PROPERTY_RUNS is ${JSON.stringify(text)}, and must be an integer from 1`);
}
