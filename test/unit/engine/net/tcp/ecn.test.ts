import { describe, expect, it } from "vitest";
import type { TcpSettings } from "../../../../../packages/engine/net/tcp/settings.ts";
import type { Segment } from "../../../../../packages/engine/net/tcp/tcb.ts";
import { TCP_ACK, TCP_CWR, TCP_ECE, TCP_SYN } from "../../../../../packages/engine/wire/tcp.ts";
import { type Crossing, established, Pair, Scripted } from "../../../../helpers/engine/tcp-bench.ts";

const SEGMENT = 1_000;
const ASKS = TCP_SYN | TCP_ECE | TCP_CWR;
const OFFER = { mssBytes: SEGMENT, isSackPermitted: true };
const [CAPABLE, CONGESTED] = [2, 3];

/** A connection that offers ECN to a peer that answers with `flags` beside SYN and ACK. */
function opened(flags: number, settings: Partial<TcpSettings> = {}): Scripted {
  const it = new Scripted({ ecn: "on", ...settings });
  it.clock.run(10_000);
  expect(it.take()).toEqual(["SYN,ECE,CWR 0:0"]);
  it.peer(TCP_SYN | flags, 0, 1, { options: OFFER });
  expect(it.take()).toEqual(["ACK 1:1 ack 1"]);
  return it;
}

const accepting = (syn: Partial<Segment>, ecn?: TcpSettings["ecn"]): Scripted =>
  new Scripted(ecn === undefined ? {} : { ecn }, { syn });

const codepoints = ({ sent }: Scripted): (number | undefined)[] =>
  sent.map(({ segment }) => segment.codepoint);

/** Data of the peer: segment n of 1000 bytes. */
const arrive = (it: Scripted, n: number, codepoint: number, flags = 0): void =>
  it.peer(TCP_ACK | flags, 1 + n * SEGMENT, 1, { codepoint, data: new Uint8Array(SEGMENT) });

describe("the negotiation of ECN (RFC 3168, section 6.1.1)", () => {
  it("makes new data capable of marks if the peer answers with ECE", () => {
    const it = opened(TCP_ECE);
    it.connection.send({ text: "x" });
    expect(codepoints(it)).toEqual([CAPABLE]);
  });

  it.each([
    ["nothing", 0],
    ["ECE and CWR, as a host that reflects the bits", TCP_ECE | TCP_CWR],
  ])("does without if the peer answers with %s", (_, flags) => {
    const it = opened(flags);
    it.connection.send({ text: "x" });
    expect(codepoints(it)).toEqual([undefined]);
    expect(it.connection.tcb.ecn).toBeUndefined();
  });

  it("sends a lost SYN again without the flags", () => {
    const it = new Scripted({ ecn: "on" });
    it.clock.run(1_500_000);
    expect(it.take()).toEqual(["SYN,ECE,CWR 0:0", "SYN 0:0"]);
  });

  it("is accepted by default, and refused with off", () => {
    expect(accepting({ flags: ASKS }).take()).toEqual(["SYN,ACK,ECE 0:0 ack 1"]);
    expect(accepting({ flags: ASKS }, "off").take()).toEqual(["SYN,ACK 0:0 ack 1"]);
    expect(accepting({ flags: TCP_SYN }, "on").take()).toEqual(["SYN,ACK 0:0 ack 1"]);
    expect(accepting({ flags: TCP_SYN | TCP_ECE }).take()).toEqual(["SYN,ACK 0:0 ack 1"]);
  });

  it("is refused to a SYN that is itself capable of marks", () => {
    expect(accepting({ flags: ASKS, codepoint: CAPABLE }).take()).toEqual(["SYN,ACK 0:0 ack 1"]);
  });

  it("leaves no trace in the state of a connection without", () => {
    const it = established();
    expect(Object.keys(it.connection.tcb)).not.toContain("ecn");
    expect(Object.keys(it.connection.tcb.congestion)).not.toContain("hystart");
  });

  it("works for two that open at the same time", () => {
    const pair = new Pair({ settings: { ecn: "on" }, isSimultaneous: true });
    pair.run();
    expect([pair.a.tcb.ecn, pair.b.tcb.ecn]).toEqual([expect.anything(), expect.anything()]);
  });
});

describe("a receiver of marks (section 6.1.3)", () => {
  it("echoes a mark at once, and in each acknowledgement until the sender confirms it", () => {
    const it = opened(TCP_ECE);
    arrive(it, 0, CAPABLE);
    expect(it.take()).toEqual([]);
    arrive(it, 1, CONGESTED);
    expect(it.take()).toEqual(["ACK,ECE 1:1 ack 2001"]);
    arrive(it, 2, CAPABLE);
    arrive(it, 3, CAPABLE);
    expect(it.take()).toEqual(["ACK,ECE 1:1 ack 4001"]);
    it.connection.send({ text: "x" });
    expect(it.take()).toEqual(["PSH,ACK,ECE 1:2 ack 4001"]);
    arrive(it, 4, CAPABLE, TCP_CWR);
    expect(it.take()).toEqual(["ACK 2:2 ack 5001"]);
    expect(it.connection.tcb.ecn?.marked).toBe(1);
  });

  it("goes on if the segment that confirms is marked, too", () => {
    const it = opened(TCP_ECE);
    arrive(it, 0, CONGESTED);
    arrive(it, 1, CONGESTED, TCP_CWR);
    expect(it.take()).toEqual(["ACK,ECE 1:1 ack 1001", "ACK,ECE 1:1 ack 2001"]);
  });

  it("ignores marks of segments without data, which must not be capable of them (section 6.1.4)", () => {
    const it = opened(TCP_ECE);
    it.peer(TCP_ACK, 1, 1, { codepoint: CONGESTED });
    it.connection.send({ text: "x" });
    expect(it.take()).toEqual(["PSH,ACK 1:2 ack 1"]);
    expect(it.connection.tcb.ecn?.marked).toBe(0);
  });

  it("ignores marks without ECN", () => {
    const it = established();
    arrive(it, 0, CONGESTED);
    arrive(it, 1, CONGESTED);
    expect(it.take()).toEqual(["ACK 1:1 ack 2001"]);
  });
});

describe("a sender that hears of marks (section 6.1.2)", () => {
  /** It has sent ten segments. */
  function sending(): Scripted {
    const it = opened(TCP_ECE);
    it.connection.send({ fill: 1_000 * SEGMENT });
    expect(it.take()).toHaveLength(10);
    return it;
  }
  const echo = (it: Scripted, segments: number): void => it.peer(TCP_ECE, 1, 1 + segments * SEGMENT);
  const windowOf = (it: Scripted): number => it.connection.tcb.congestion.windowBytes / SEGMENT;

  it("halves its window once in a round trip, does not let it grow meanwhile, and confirms in its first new data", () => {
    const it = sending();
    for (let n = 1; n <= 5; n++) echo(it, n);
    expect([windowOf(it), it.take()]).toEqual([5, []]);
    echo(it, 6);
    echo(it, 7);
    expect(it.take()).toEqual(["ACK,CWR 10001:11001 ack 1", "ACK 11001:12001 ack 1"]);
    echo(it, 10);
    expect([windowOf(it), it.connection.tcb.ecn?.reductions]).toEqual([5, 1]);
    it.take();
    echo(it, 12);
    expect([windowOf(it), it.connection.tcb.ecn?.reductions]).toEqual([2.5, 2]);
  });

  it("takes no echo from the answer to its SYN", () => {
    expect(opened(TCP_ECE).connection.tcb.congestion.thresholdBytes).toBeUndefined();
  });

  it("sends nothing again that is capable of marks, and reduces once for a mark and a loss of one round trip", () => {
    const it = sending();
    echo(it, 1);
    expect(windowOf(it)).toBe(5);
    it.report(1 + SEGMENT, [1 + 2 * SEGMENT, 1 + 6 * SEGMENT]);
    const [again] = it.sent;
    expect([again!.segment.codepoint, again!.segment.flags]).toEqual([undefined, TCP_ACK]);
    expect(it.connection.tcb.congestion.thresholdBytes).toBe(5 * SEGMENT);
  });

  it("does not reduce again by an echo while it recovers from a loss", () => {
    const it = sending();
    it.report(1, [1 + SEGMENT, 1 + 5 * SEGMENT]);
    it.report(1, [1 + SEGMENT, 1 + 9 * SEGMENT]);
    const before = it.connection.tcb.congestion.thresholdBytes;
    expect(it.connection.tcb.recovery).toBeDefined();
    it.peer(TCP_ACK | TCP_ECE, 1, 1);
    expect(it.connection.tcb.congestion.thresholdBytes).toBe(before);
    expect(it.connection.tcb.ecn?.reductions).toBe(0);
  });

  it("ignores echoes without ECN", () => {
    const it = established();
    it.connection.send({ fill: 20 * SEGMENT });
    it.peer(TCP_ACK | TCP_ECE, 1, 1 + SEGMENT);
    expect(it.connection.tcb.congestion.thresholdBytes).toBeUndefined();
  });

  it("grows its window again after a timeout, whatever an echo has held before", () => {
    const it = sending();
    echo(it, 1);
    it.clock.run(2_000_000);
    expect(windowOf(it)).toBe(1);
    it.peer(TCP_ACK, 1, 1 + 2 * SEGMENT);
    expect(windowOf(it)).toBe(2);
  });

  it("confirms the reduction by a loss", () => {
    const it = sending();
    it.report(1, [1 + SEGMENT, 1 + 5 * SEGMENT]);
    it.report(1, [1 + SEGMENT, 1 + 9 * SEGMENT]);
    const flags = it.sent
      .filter(({ segment }) => segment.codepoint === CAPABLE)
      .map(({ segment }) => segment.flags & TCP_CWR);
    expect(flags[0]).toBe(TCP_CWR);
    expect(flags.slice(1).every((each) => each === 0)).toBe(true);
  });

  it("confirms the reduction by a timeout, and not in what it sends again", () => {
    const it = sending();
    // The probe of the tail is new data.
    it.clock.run(230_000);
    it.take();
    it.clock.run(460_000);
    const [again] = it.sent.splice(0);
    expect([again!.segment.codepoint, again!.segment.flags]).toEqual([undefined, TCP_ACK]);
    it.report(1 + 11 * SEGMENT);
    expect(it.sent[0]!.segment).toMatchObject({ codepoint: CAPABLE, flags: TCP_ACK | TCP_CWR });
  });
});

describe("a transfer through a queue that marks", () => {
  it.each(["newreno", "cubic"] as const)(
    "by %s loses nothing, and reduces once for each round trip with marks",
    (congestion) => {
      const marks = ({ from, number }: Crossing): boolean => from === "a" && number % 200 === 199;
      const pair = new Pair({ settings: { congestion, ecn: "on", receiveBufferBytes: 1_000_000 }, marks });
      pair.run();
      pair.a.send({ fill: 2_090_000 });
      pair.run();
      const { a, b } = pair;
      expect(b.tcb.counters.bytesReceived).toBe(2_090_000);
      expect(a.tcb.counters).toMatchObject({ retransmissions: 0, timeouts: 0, fastRecoveries: 0 });
      expect(b.tcb.ecn!.marked).toBe(10);
      expect(a.tcb.ecn!.reductions).toBeGreaterThan(5);
      expect(a.tcb.ecn!.reductions).toBeLessThanOrEqual(10);
      const confirmed = pair.crossings.filter(
        ({ from, segment }) => from === "a" && segment.flags & TCP_CWR && !(segment.flags & TCP_SYN),
      );
      expect(confirmed).toHaveLength(a.tcb.ecn!.reductions);
    },
  );
});
