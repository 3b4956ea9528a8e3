/** The state of functions/shared/store/user/sign-in.ts without a table: every read and write is asynchronous, as there. */
import type { Attempts } from "../../../functions/authorizer/attempt.ts";
import type { Bucket } from "../../../functions/shared/store/user/sign-in.ts";

export interface AttemptsInMemory extends Attempts {
  /** The names of the calls, in the order in which they began. */
  readonly calls: string[];
  /** Attempts that were taken and not returned. */
  count(bucket: Pick<Bucket, "of" | "from">): number;
  /** Makes all addresses unknown again. */
  forgetSources(): void;
}

interface State {
  full_ms: number;
  under_way: number;
  taken: number;
}

export function makeAttemptsInMemory(): AttemptsInMemory {
  const states = new Map<string, State>();
  const known = new Map<string, number>();
  const calls: string[] = [];
  const keyOf = ({ of, from }: Pick<Bucket, "of" | "from">) => `${of} ${from}`;
  const latest = ({ guesses, secondsEach }: Bucket, nowMs: number) =>
    nowMs + (guesses - 1) * secondsEach * 1000;
  const call = async <T>(name: string, perform: () => T): Promise<T> => {
    calls.push(name);
    await Promise.resolve();
    return perform();
  };

  return {
    calls,
    count: (bucket) => states.get(keyOf(bucket))?.taken ?? 0,
    forgetSources: () => known.clear(),
    takeAttempt: (bucket, nowMs, underWay = 1) =>
      call("take", () => {
        const state = states.get(keyOf(bucket)) ?? { full_ms: 0, under_way: 0, taken: 0 };
        if (state.full_ms > latest(bucket, nowMs)) return false;
        state.full_ms = Math.max(state.full_ms, nowMs) + bucket.secondsEach * 1000;
        state.under_way += underWay;
        state.taken++;
        states.set(keyOf(bucket), state);
        return true;
      }),
    endAttempt: (bucket, { givesBack }) =>
      call("end", () => {
        const state = states.get(keyOf(bucket))!;
        state.under_way--;
        if (!givesBack) return;
        state.full_ms -= bucket.secondsEach * 1000;
        state.taken--;
      }),
    readBucket: (bucket, nowMs) =>
      call("read", () => {
        const { full_ms = 0, under_way = 0 } = states.get(keyOf(bucket)) ?? {};
        return { hasRoom: full_ms <= latest(bucket, nowMs), isUnderWay: under_way > 0 };
      }),
    knownUntil: (user, source, nowMs) =>
      call("known", () => {
        const until = known.get(`${user} ${source}`);
        return until !== undefined && until * 1000 > nowMs ? until : undefined;
      }),
    rememberSource: (user, source, nowMs, keptSeconds) =>
      call("remember", () => {
        known.set(`${user} ${source}`, Math.floor(nowMs / 1000) + keptSeconds);
      }),
  };
}
