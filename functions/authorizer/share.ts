/** Requests that come while the same one is looked at get its answer: a job's first twenty are one attempt and one hash. */
import { createHmac, randomBytes } from "node:crypto";

/** @param judge of what the parts tell; they are not kept in the clear, nor any longer than it takes. */
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
