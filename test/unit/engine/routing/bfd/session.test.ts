/** A BFD session against another one, and against packets of a neighbour that the test plays (RFC 5880, section 6.8). */

import { describe, expect, it } from "vitest";
import {
  BfdSession,
  type SavedSession,
  type SessionConfig,
} from "../../../../../packages/engine/routing/bfd/session.ts";
import { type BfdPacket, type BfdState, decodeBfd } from "../../../../../packages/engine/wire/bfd.ts";

const MS = 1_000;
const SECOND = 1_000 * MS;
const USUAL: SessionConfig = {
  txUs: 300 * MS,
  rxUs: 300 * MS,
  multiplier: 3,
  isPassive: false,
  isShut: false,
};

interface Sent {
  readonly atUs: number;
  readonly packet: BfdPacket;
}

/** A session whose packets the test takes; each interval is its whole length. */
class Bench {
  nowUs = 0;
  readonly sent: Sent[] = [];
  readonly changes: string[] = [];
  readonly session: BfdSession;
  /** What happens to a packet. */
  deliver: (packet: BfdPacket) => void = () => {};

  constructor(config: Partial<SessionConfig> = {}, mine = 1, saved?: SavedSession) {
    const bench = this;
    const host = {
      get nowUs() {
        return bench.nowUs;
      },
      random: (bound: number) => bound - 1,
      send(bytes: Uint8Array) {
        const packet = decodeBfd(bytes) as BfdPacket;
        bench.sent.push({ atUs: bench.nowUs, packet });
        bench.deliver(packet);
      },
      changed: (from: BfdState, to: BfdState) => bench.changes.push(`${bench.nowUs / MS} ${from} ${to}`),
    };
    this.session = new BfdSession(host, { ...USUAL, ...config }, mine, saved);
  }

  hear(packet: Partial<BfdPacket>): void {
    this.session.receive({
      diagnostic: 0,
      state: "down",
      isPoll: false,
      isFinal: false,
      isDemand: false,
      multiplier: 3,
      mine: 9,
      yours: this.session.mine,
      desiredTxUs: SECOND,
      requiredRxUs: 300 * MS,
      ...packet,
    });
  }

  /** Fires the timers up to a time. */
  runTo(untilUs: number): void {
    for (
      let nextUs = this.session.nextUs;
      nextUs !== undefined && nextUs <= untilUs;
      nextUs = this.session.nextUs
    ) {
      this.nowUs = nextUs;
      this.session.wake();
    }
    this.nowUs = untilUs;
  }

  /** Becomes up by the neighbour's packets. */
  comeUp(packet: Partial<BfdPacket> = {}): void {
    this.session.start();
    this.hear({ state: "down", yours: 0, ...packet });
    this.hear({ state: "init", ...packet });
  }

  get last(): BfdPacket {
    return this.sent.at(-1)!.packet;
  }
}

/** Two sessions whose packets arrive at once. @returns a function that fires their timers in order. */
function pair(one: Bench, other: Bench): (untilUs: number) => void {
  const queue: (() => void)[] = [];
  one.deliver = (packet) => queue.push(() => other.session.receive(packet));
  other.deliver = (packet) => queue.push(() => one.session.receive(packet));
  const drain = (): void => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) next();
  };
  return (untilUs) => {
    drain();
    for (;;) {
      const nextUs = Math.min(one.session.nextUs ?? Infinity, other.session.nextUs ?? Infinity);
      if (nextUs > untilUs) break;
      for (const bench of [one, other]) bench.nowUs = nextUs;
      for (const bench of [one, other]) bench.session.wake();
      drain();
    }
    for (const bench of [one, other]) bench.nowUs = untilUs;
  };
}

describe("two BFD sessions", () => {
  it("are up after four packets, and then send at the slower of the two intervals", () => {
    const [one, other] = [new Bench(), new Bench({ rxUs: 500 * MS }, 2)];
    const run = pair(one, other);
    one.session.start();
    other.session.start();
    run(10 * SECOND);
    expect([one.session.state, other.session.state]).toEqual(["up", "up"]);
    expect(one.changes).toEqual(["0 down init", "0 init up"]);
    const late = (bench: Bench) => bench.sent.filter(({ atUs }) => atUs > 5 * SECOND).map(({ atUs }) => atUs);
    const gaps = (times: number[]) => new Set(times.slice(1).map((each, index) => each - times[index]!));
    expect(gaps(late(one))).toEqual(new Set([500 * MS]));
    expect(gaps(late(other))).toEqual(new Set([300 * MS]));
    expect(one.session.status.isPolling).toBe(false);
  });

  it("are down three intervals after the last packet", () => {
    const [one, other] = [new Bench(), new Bench({}, 2)];
    const run = pair(one, other);
    one.session.start();
    other.session.start();
    run(5 * SECOND);
    const heardUs = other.sent.at(-1)!.atUs;
    other.deliver = () => {};
    run(20 * SECOND);
    expect(one.changes.at(-1)).toBe(`${(heardUs + 900 * MS) / MS} up down`);
    expect(one.session.status.diagnostic).toBe(1);
    expect(one.session.status.yours).toBe(0);
    // The other one hears of it, and hears from then on a neighbour that is down.
    expect(other.changes.at(-2)).toBe(`${(heardUs + 900 * MS) / MS} up down`);
    expect(other.session.status).toMatchObject({ state: "init", diagnostic: 3 });
  });
});

describe("a BFD session", () => {
  it("sends one packet a second until it is up", () => {
    const bench = new Bench({ txUs: 50 * MS });
    bench.session.start();
    bench.runTo(3 * SECOND);
    expect(bench.sent.map(({ atUs }) => atUs)).toEqual([0, SECOND, 2 * SECOND, 3 * SECOND]);
    expect(bench.last).toMatchObject({
      state: "down",
      desiredTxUs: SECOND,
      requiredRxUs: 300 * MS,
      yours: 0,
    });
  });

  it("polls for its shorter interval when it is up, until the neighbour answers", () => {
    const bench = new Bench();
    bench.comeUp();
    expect(bench.last).toMatchObject({ state: "up", isPoll: true, desiredTxUs: 300 * MS, yours: 9 });
    bench.hear({ state: "up", isFinal: true });
    bench.runTo(bench.nowUs + 400 * MS);
    expect(bench.last.isPoll).toBe(false);
  });

  it("answers a poll at once, with the final bit alone", () => {
    const bench = new Bench();
    bench.comeUp();
    const before = bench.sent.length;
    bench.hear({ state: "up", isPoll: true });
    expect(bench.sent.slice(before).map(({ packet }) => [packet.isPoll, packet.isFinal])).toEqual([
      [false, true],
    ]);
  });

  it("keeps its old interval of sending until the neighbour knows the longer one", () => {
    const bench = new Bench();
    bench.comeUp();
    bench.hear({ state: "up", isFinal: true });
    bench.session.configure({ ...USUAL, txUs: 5 * SECOND });
    expect(bench.last).toMatchObject({ isPoll: true, desiredTxUs: 5 * SECOND });
    expect(bench.session.status.activeTxUs).toBe(300 * MS);
    bench.hear({ state: "up", isFinal: true });
    expect(bench.session.status.activeTxUs).toBe(5 * SECOND);
  });

  it("keeps its old detection time until the neighbour knows the shorter one", () => {
    const bench = new Bench({ rxUs: 2 * SECOND });
    bench.comeUp({ desiredTxUs: 100 * MS });
    bench.hear({ state: "up", isFinal: true, desiredTxUs: 100 * MS });
    expect(bench.session.status.detectionUs).toBe(6 * SECOND);
    bench.session.configure({ ...USUAL, rxUs: 100 * MS });
    expect(bench.session.status.detectionUs).toBe(6 * SECOND);
    bench.hear({ state: "up", isFinal: true, desiredTxUs: 100 * MS });
    expect(bench.session.status.detectionUs).toBe(300 * MS);
  });

  it("sends nothing to a neighbour that wants no packets", () => {
    const bench = new Bench();
    bench.comeUp();
    bench.hear({ state: "up", requiredRxUs: 0, desiredTxUs: 60 * SECOND });
    const before = bench.sent.length;
    bench.runTo(bench.nowUs + 20 * SECOND);
    expect(bench.sent).toHaveLength(before);
  });

  it("sends nothing by itself to a neighbour in demand mode, once both are up", () => {
    const bench = new Bench();
    bench.comeUp();
    bench.hear({ state: "up", isFinal: true, isDemand: true, desiredTxUs: 60 * SECOND });
    const before = bench.sent.length;
    bench.runTo(bench.nowUs + 20 * SECOND);
    expect(bench.sent).toHaveLength(before);
    bench.hear({ state: "up", isPoll: true, isDemand: true });
    expect(bench.last.isFinal).toBe(true);
  });

  it("that is passive waits for its neighbour", () => {
    const bench = new Bench({ isPassive: true });
    bench.session.start();
    bench.runTo(10 * SECOND);
    expect(bench.sent).toEqual([]);
    bench.hear({ state: "down", yours: 0 });
    expect(bench.last).toMatchObject({ state: "init", yours: 9 });
  });

  it("is down when its neighbour is administratively down, and says why", () => {
    const bench = new Bench();
    bench.comeUp();
    bench.hear({ state: "admin-down", diagnostic: 7 });
    expect(bench.session.status).toMatchObject({ state: "down", diagnostic: 3, remoteDiagnostic: 7 });
    expect(bench.session.isEndedByNeighbour).toBe(true);
    bench.hear({ state: "admin-down", diagnostic: 7 });
    expect(bench.changes).toHaveLength(3);
  });

  it("that is shut down says so and takes no packet, and begins again afterwards", () => {
    const bench = new Bench();
    bench.comeUp();
    bench.session.configure({ ...USUAL, isShut: true });
    expect(bench.last).toMatchObject({ state: "admin-down", diagnostic: 7 });
    bench.hear({ state: "down" });
    expect(bench.session.state).toBe("admin-down");
    bench.session.configure(USUAL);
    bench.hear({ state: "down" });
    expect(bench.session.state).toBe("init");
  });

  it("tells its neighbour when it ends, unless it is down", () => {
    const up = new Bench();
    up.comeUp();
    up.session.end();
    expect(up.last.state).toBe("admin-down");
    const down = new Bench();
    down.session.start();
    const before = down.sent.length;
    down.session.end();
    expect(down.sent).toHaveLength(before);
  });

  it("sends between 75 and 90 percent of the interval if one missing packet is enough", () => {
    const bench = new Bench({ multiplier: 1 });
    bench.comeUp();
    bench.hear({ state: "up", isFinal: true });
    bench.sent.length = 0;
    bench.runTo(bench.nowUs + 560 * MS);
    const times = bench.sent.map(({ atUs }) => atUs);
    expect(times.slice(1).map((each, index) => each - times[index]!)).toEqual([270 * MS]);
  });

  it("goes on after a sleep with the rest of its times", () => {
    const bench = new Bench();
    bench.comeUp();
    bench.hear({ state: "up", isFinal: true });
    bench.runTo(bench.nowUs + 100 * MS);
    const saved = JSON.parse(JSON.stringify(bench.session.save()));
    const next = new Bench({}, 1, saved);
    next.nowUs = 0;
    expect(next.session.nextUs).toBe(bench.session.nextUs! - bench.nowUs);
    expect(next.session.save()).toEqual(saved);
    next.runTo(10 * SECOND);
    expect(next.changes).toEqual([`${saved.detectInUs / MS} up down`]);
  });
});
