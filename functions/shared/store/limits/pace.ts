/** Counts each user's runs in the current minute. */
import type { Pace } from "../../edge/pace.ts";
import { count } from "./counter.ts";
import { quota } from "./quota.ts";

const MINUTE_S = 60;
const KEPT_SECONDS = 3_600;

export const runPace: Pace = {
  async take(user) {
    const nowS = Math.floor(Date.now() / 1000);
    const minute = Math.floor(nowS / MINUTE_S);
    const counter = { pk: `PACE#${user}`, sk: `MINUTE#${minute}` };
    const expiry = { expires_s: nowS + KEPT_SECONDS };
    const taken = await count(counter, { runs: 1 }, { runs: "runs_per_minute" }, expiry);
    return {
      limit: quota("runs_per_minute"),
      retryAfterS: taken ? undefined : (minute + 1) * MINUTE_S - nowS,
    };
  },
};
