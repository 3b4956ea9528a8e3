/** Shares one result among equal concurrent requests, so that the first twenty requests of a job cause one attempt and one hash. */
import { createHmac, randomBytes } from "node:crypto";

/** @param judge computes the result for the parts; they are stored only as a digest, while the result is pending. */
export function shareWhileUnderWay<T>(): (parts: readonly string[], judge: () => Promise<T>) => Promise<T> {
  const key = randomBytes(32);
  const underWay = new Map<string, Promise<T>>();
  return (parts, judge) => {
    const digest = createHmac("sha256", key).update(JSON.stringify(parts)).digest("base64");
    const same = underWay.get(digest);
    if (same !== undefined) return same;
    const judging = judge().finally(() => underWay.delete(digest));
    underWay.set(digest, judging);
    return judging;
  };
}
