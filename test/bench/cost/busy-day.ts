/** What a busy day of many users costs, with tokens and WebSockets, and without them. */
import { type Bill, connectingOf, costOf, followingOf, sendingOf, sum, times, type Usage } from "./bill.ts";

/** What is measured: cost.ts. */
export interface BusyDayInputs {
  /** One console call, with its logs. */
  readonly run: Usage;
  /** A call of the publisher with a change that is an event. */
  readonly published: Usage;
  /** One check of a password, and one of a token, by the authorizer. */
  readonly signIn: Usage;
  readonly tokenCheck: Usage;
  /** Of the function that streams events. */
  readonly memoryGb: number;
  readonly timeoutSeconds: number;
}

/** Of each user, but for their number. */
export const BUSY_DAY = {
  users: 10_000,
  runs: 100,
  hoursOpen: 4,
  /** Minutes with a request, in each of which the gateway's cache has expired. */
  activeMinutes: 120,
  /** The first one, and one for each 40 minutes. */
  tokens: 7,
  /** API Gateway ends a WebSocket after two hours. */
  connections: 3,
} as const;

const NONE: Usage = {
  requests: 0,
  invocations: 0,
  gbSeconds: 0,
  readUnits: 0,
  writeUnits: 0,
  puts: 0,
  gets: 0,
  logBytes: 0,
  sentBytes: 0,
};

/** Counted from the code: functions/tokens reads the key. */
const ISSUING: Usage = {
  ...NONE,
  requests: 1,
  invocations: 1,
  gbSeconds: 0.5 * 0.02,
  readUnits: 1,
  logBytes: 900,
};

export function busyDay({ run, published, signIn, tokenCheck, memoryGb, timeoutSeconds }: BusyDayInputs): {
  readonly now: Bill;
  /** With a password in every request, and streams over HTTP. */
  readonly before: Bill;
} {
  const { users } = BUSY_DAY;
  const runs = users * BUSY_DAY.runs;
  const hours = users * BUSY_DAY.hoursOpen;
  const checks = users * BUSY_DAY.activeMinutes;
  const connections = users * BUSY_DAY.connections;
  const following = followingOf(memoryGb, timeoutSeconds);
  const running = { runs: runs * costOf(run), "publisher, after each run": runs * costOf(published) };
  return {
    now: {
      ...running,
      "events of runs to the user's tab": sum(sendingOf(runs)),
      "checks of passwords, one for each user": users * costOf(signIn),
      "checks of tokens, in each minute with a request and for each WebSocket": costOf(
        times(tokenCheck, checks + connections),
      ),
      "tokens, issued": users * BUSY_DAY.tokens * costOf(ISSUING),
      "WebSockets, opened": sum(connectingOf(connections)),
      "WebSockets, minutes": hours * sum(following.socket),
    },
    before: {
      ...running,
      "checks of passwords, in each minute with a request": checks * costOf(signIn),
      "streams over HTTP, held open": hours * sum(following.stream),
    },
  };
}
