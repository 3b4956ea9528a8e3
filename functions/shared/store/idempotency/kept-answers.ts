/** Bounds the bytes of responses that are stored for each user under idempotency keys. */
import { count } from "../limits/counter.ts";

const DAY_S = 86_400;

/** Most responses are smaller than this and need no counter write; the throttles of the stage bound their number. */
const UNCOUNTED_BYTES = 1_024;

/** Counts a response of so many bytes, compressed. @returns false when the user's daily limit is reached. */
export async function mayKeep(user: string, bytes: number): Promise<boolean> {
  if (bytes <= UNCOUNTED_BYTES) return true;
  const nowS = Math.floor(Date.now() / 1000);
  const counter = { pk: `PACE#${user}`, sk: `KEPT#${Math.floor(nowS / DAY_S)}` };
  return count(counter, { bytes }, { bytes: "quota_kept_answer_bytes" }, { expires_s: nowS + 2 * DAY_S });
}
