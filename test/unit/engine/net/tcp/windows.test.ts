import { describe, expect, it } from "vitest";
import { TCP_ACK, TCP_SYN } from "../../../../../packages/engine/wire/tcp.ts";
import { established, Pair, Scripted } from "../../../../helpers/engine/tcp-bench.ts";

const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(65);

describe("the peer's window (RFC 9293, section 3.8.6)", () => {
  it("probes a closed window with one byte, at growing intervals, and sends everything once it opens", () => {
    const it = established();
    it.peer(0, 1, 1, { window: 0 });
    it.connection.send({ text: "abc" });
    expect(it.take()).toEqual([]);
    it.clock.run(3_200_000);
    const times = it.sent.map(({ atUs }) => atUs);
    expect(times).toEqual([220_000, 640_000, 1_480_000, 3_160_000]);
    expect(it.take()).toEqual(new Array(4).fill("ACK 1:2 ack 1"));
    it.peer(0, 1, 1, { window: 100 });
    expect(it.take()).toEqual(["PSH,ACK 1:4 ack 1"]);
  });

  it("counts the byte of a probe that the peer takes", () => {
    const it = established();
    it.peer(0, 1, 1, { window: 0 });
    it.connection.send({ text: "abc" });
    it.clock.run(300_000);
    it.take();
    it.peer(0, 1, 2, { window: 100 });
    expect(it.take()).toEqual(["PSH,ACK 2:4 ack 1"]);
  });

  it("does not end a connection whose window stays closed, and does not keep a run going", () => {
    const it = established();
    it.peer(0, 1, 1, { window: 0 });
    it.connection.send({ text: "abc" });
    it.clock.run();
    expect(it.state).toBe("ESTABLISHED");
    it.clock.run(3_600_000_000);
    expect(it.state).toBe("ESTABLISHED");
    // At most two minutes apart.
    expect(it.sent.length).toBeGreaterThan(30);
  });

  it("sends no piece of a segment into a small window, until the timer ends (silly windows)", () => {
    const it = established();
    it.peer(0, 1, 1, { window: 300 });
    it.connection.send({ fill: 5_000 });
    expect(it.take()).toEqual([]);
    it.clock.run(300_000);
    expect(it.take()).toEqual(["ACK 1:301 ack 1"]);
  });

  it("holds a small segment while another is unacknowledged (Nagle), but not the last one before a close", () => {
    const it = established();
    it.connection.send({ text: "a" });
    it.connection.send({ text: "b" });
    it.connection.send({ text: "c" });
    expect(it.take()).toEqual(["PSH,ACK 1:2 ack 1"]);
    it.connection.close();
    expect(it.take()).toEqual(["FIN,PSH,ACK 2:4 ack 1"]);
  });

  it("is scaled if both sides offer it (RFC 7323), but not in a SYN", () => {
    const it = new Scripted();
    it.peer(TCP_SYN, 0, 1, { window: 1_000, options: { mssBytes: 1_000, windowShift: 7 } });
    expect(it.connection.tcb.window).toBe(1_000);
    it.peer(0, 1, 1, { window: 1_000 });
    expect(it.connection.tcb.window).toBe(128_000);
    const without = new Scripted({ windowScaling: false });
    without.peer(TCP_SYN, 0, 1, { options: { mssBytes: 1_000, windowShift: 7 } });
    without.peer(0, 1, 1, { window: 1_000 });
    expect(without.connection.tcb.window).toBe(1_000);
  });
});

describe("the own window", () => {
  it("closes while the application does not read, and opens at once when it does", () => {
    const it = established({ receiveBufferBytes: 4_000 });
    it.connection.pause(true);
    for (const n of [0, 1, 2, 3]) it.peer(TCP_ACK, 1 + n * 1_000, 1, { data: bytes(1_000) });
    it.clock.run(200_000);
    expect(it.sent.at(-1)!.segment.window).toBe(0);
    it.take();
    it.peer(TCP_ACK, 4_001, 1, { data: bytes(1) });
    expect(it.take()).toEqual(["ACK 1:1 ack 4001"]);
    it.connection.pause(false);
    expect([it.sent[0]!.segment.window, it.take()]).toEqual([4_000, ["ACK 1:1 ack 4001"]]);
    expect(it.events).toEqual([{ kind: "data", bytes: "A".repeat(4_000) }]);
  });

  it("never takes back what it has offered", () => {
    const it = established({ receiveBufferBytes: 1_000_000 });
    it.connection.pause(true);
    let edge = 0;
    for (let n = 0; n < 200; n++) {
      it.peer(TCP_ACK, 1 + n * 777, 1, { data: bytes(777) });
      for (const { segment } of it.sent.splice(0)) {
        const right = segment.acknowledgement + segment.window;
        expect(right).toBeGreaterThanOrEqual(edge);
        edge = right;
      }
    }
  });

  it("lets a whole transfer through a slow reader, one window at a time", () => {
    const pair = new Pair({ settings: { receiveBufferBytes: 5_000 } });
    pair.run();
    pair.b.pause(true);
    pair.a.send({ fill: 20_000 });
    pair.a.close();
    for (let n = 0; n < 20; n++) {
      pair.run();
      pair.b.pause(false);
      pair.b.pause(true);
    }
    expect(pair.received.b).toHaveLength(20_000);
  });
});

describe("delayed acknowledgements (RFC 9293, section 3.8.6.3)", () => {
  it("are sent for every second segment, or after 40 ms", () => {
    const it = established();
    it.peer(TCP_ACK, 1, 1, { data: bytes(1_000) });
    expect(it.take()).toEqual([]);
    it.peer(TCP_ACK, 1_001, 1, { data: bytes(1_000) });
    expect(it.take()).toEqual(["ACK 1:1 ack 2001"]);
    it.peer(TCP_ACK, 2_001, 1, { data: bytes(10) });
    it.clock.run(49_000);
    expect(it.take()).toEqual([]);
    it.clock.run(51_000);
    expect(it.take()).toEqual(["ACK 1:1 ack 2011"]);
  });

  it("are sent at once for a gap, with the blocks beyond it, the newest first (RFC 2018)", () => {
    const it = established();
    const block = (start: number) => [5_000 + start, 5_000 + start + 10];
    for (const start of [21, 41]) it.peer(TCP_ACK, start, 1, { data: bytes(10) });
    expect(it.sent.map(({ segment }) => segment.options.sack)).toEqual([[block(21)], [block(41), block(21)]]);
    expect(it.take()).toEqual(["ACK 1:1 ack 1", "ACK 1:1 ack 1"]);
    it.peer(TCP_ACK, 1, 1, { data: bytes(20) });
    expect(it.sent[0]!.segment.options.sack).toEqual([block(41)]);
    expect(it.take()).toEqual(["ACK 1:1 ack 31"]);
  });

  it("drops an old duplicate by its timestamp (PAWS, RFC 7323, section 5)", () => {
    const it = established({ timestamps: true }, { timestamps: { value: 1_000, echo: 0 } });
    it.peer(TCP_ACK, 1, 1, { data: bytes(5), options: { timestamps: { value: 999, echo: 0 } } });
    expect([it.events, it.take()]).toEqual([[], ["ACK 1:1 ack 1"]]);
    it.peer(TCP_ACK, 1, 1, { data: bytes(5), options: { timestamps: { value: 1_001, echo: 0 } } });
    expect(it.events).toHaveLength(1);
  });
});
