import { describe, expect, it } from "vitest";
import type { TcpOptions } from "../../../../../packages/engine/net/tcp/options.ts";
import { TCP_ACK, TCP_FIN, TCP_RST, TCP_SYN } from "../../../../../packages/engine/wire/tcp.ts";
import { established, Pair, Scripted } from "../../../../helpers/engine/tcp-bench.ts";

describe("opening a connection (RFC 9293, section 3.5)", () => {
  it("offers its options in a SYN, and acknowledges the answer", () => {
    const it = new Scripted({ timestamps: true });
    const [{ segment }] = it.sent as [(typeof it.sent)[number]];
    expect(segment.options).toEqual({
      mssBytes: 1_000,
      isSackPermitted: true,
      timestamps: { value: expect.any(Number), echo: 0 },
      windowShift: 0,
    });
    expect(it.take()).toEqual(["SYN 0:0"]);
    it.peer(TCP_SYN, 0, 1);
    expect([it.take(), it.state, it.events]).toEqual([
      ["ACK 1:1 ack 1"],
      "ESTABLISHED",
      [{ kind: "connected" }],
    ]);
  });

  it("answers a SYN only with options that the SYN has", () => {
    const answer = (options: TcpOptions) =>
      Object.keys(new Scripted({ timestamps: true }, { syn: { options } }).sent[0]!.segment.options);
    expect(answer({})).toEqual(["mssBytes"]);
    expect(answer({ isSackPermitted: true, windowShift: 3, timestamps: { value: 7, echo: 0 } })).toEqual([
      "mssBytes",
      "isSackPermitted",
      "timestamps",
      "windowShift",
    ]);
  });

  it("sends a lost SYN again after 1, 2 and 4 seconds", () => {
    const it = new Scripted();
    it.clock.run(8_000_000);
    expect(it.sent.map(({ atUs }) => atUs)).toEqual([0, 1_000_000, 3_000_000, 7_000_000]);
  });

  it("gives up after six repetitions", () => {
    const it = new Scripted();
    it.clock.run();
    expect([it.sent.length, it.events.at(0), it.state]).toEqual([
      7,
      { kind: "closed", reason: "timed out" },
      "CLOSED",
    ]);
  });

  it("waits 3 s for the first acknowledgement of data after a repeated SYN (RFC 6298, section 5.7)", () => {
    const it = new Scripted();
    it.clock.run(1_500_000);
    it.peer(TCP_SYN, 0, 1);
    it.take();
    it.connection.send({ text: "x" });
    it.clock.run(4_400_000);
    expect(it.take()).toEqual(["PSH,ACK 1:2 ack 1"]);
    it.clock.run(4_600_000);
    expect(it.take()).toEqual(["PSH,ACK 1:2 ack 1"]);
  });

  it("repeats its SYN,ACK for a repeated SYN, and when the acknowledgement is lost", () => {
    const pair = new Pair({ loses: ({ from, number }) => from === "b" && number === 0 });
    pair.run();
    expect([pair.a.tcb.state, pair.b.tcb.state]).toEqual(["ESTABLISHED", "ESTABLISHED"]);
    const other = new Pair({ loses: ({ from, number }) => from === "a" && number === 1 });
    other.run();
    expect(other.b.tcb.state).toBe("ESTABLISHED");
  });

  it("becomes one connection if both sides open at the same time", () => {
    const pair = new Pair({ isSimultaneous: true });
    pair.run(15_000);
    expect([pair.a.tcb.state, pair.b.tcb.state]).toEqual(["SYN-RECEIVED", "SYN-RECEIVED"]);
    pair.a.send({ text: "to b" });
    pair.b.send({ text: "to a" });
    pair.run();
    expect([pair.a.tcb.state, pair.b.tcb.state]).toEqual(["ESTABLISHED", "ESTABLISHED"]);
    expect(pair.received).toEqual({ a: "to a", b: "to b" });
  });

  it("reports a refused connection, but only for a reset that acknowledges its SYN", () => {
    const it = new Scripted();
    it.peer(TCP_RST, 0, 700);
    expect(it.state).toBe("SYN-SENT");
    it.peer(TCP_RST, 0, 1);
    expect(it.events[0]).toEqual({ kind: "closed", reason: "refused" });
  });

  it("resets an acknowledgement of an earlier connection while it opens", () => {
    const it = new Scripted();
    it.take();
    it.peer(TCP_ACK, 300, 99);
    expect([it.take(), it.state]).toEqual([["RST 99:99"], "SYN-SENT"]);
  });
});

describe("closing a connection (RFC 9293, section 3.6)", () => {
  it("waits in TIME-WAIT after closing first, and acknowledges a repeated FIN", () => {
    const it = established();
    it.connection.close();
    expect([it.take(), it.state]).toEqual([["FIN,ACK 1:1 ack 1"], "FIN-WAIT-1"]);
    it.peer(0, 1, 2);
    expect(it.state).toBe("FIN-WAIT-2");
    it.peer(TCP_FIN, 1, 2);
    expect([it.take(), it.state]).toEqual([["ACK 2:2 ack 2"], "TIME-WAIT"]);
    it.clock.run(30_000_000);
    it.peer(TCP_FIN, 1, 2);
    expect([it.take(), it.state]).toEqual([["ACK 2:2 ack 2"], "TIME-WAIT"]);
    it.clock.run(89_000_000);
    expect(it.state).toBe("TIME-WAIT");
    it.clock.run(91_000_000);
    expect([it.state, it.events.map(({ kind }) => kind)]).toEqual(["CLOSED", ["end", "closed", "gone"]]);
  });

  it("closes second through CLOSE-WAIT and LAST-ACK", () => {
    const it = established();
    it.peer(TCP_FIN, 1, 1);
    expect([it.take(), it.state, it.events]).toEqual([["ACK 1:1 ack 2"], "CLOSE-WAIT", [{ kind: "end" }]]);
    it.connection.send({ text: "late" });
    it.connection.close();
    expect([it.take(), it.state]).toEqual([["PSH,ACK 1:5 ack 2", "FIN,ACK 5:5 ack 2"], "LAST-ACK"]);
    it.peer(0, 2, 6);
    expect(it.state).toBe("CLOSED");
  });

  it("passes through CLOSING if both sides close at the same time", () => {
    const it = established();
    it.connection.close();
    it.take();
    it.peer(TCP_FIN, 1, 1);
    expect([it.take(), it.state]).toEqual([["ACK 2:2 ack 2"], "CLOSING"]);
    it.peer(0, 2, 2);
    expect(it.state).toBe("TIME-WAIT");
  });

  it("sends a lost FIN again", () => {
    const pair = new Pair({ loses: ({ from, number }) => from === "a" && number === 2 });
    pair.run();
    pair.a.close();
    pair.run();
    pair.b.close();
    pair.run();
    expect([pair.a.tcb.state, pair.b.tcb.state]).toEqual(["TIME-WAIT", "CLOSED"]);
    expect(pair.a.tcb.counters).toMatchObject({ retransmissions: 1, timeouts: 0 });
  });

  it("resets only with the exact sequence number; a guess in the window gets an acknowledgement (RFC 5961)", () => {
    const it = established();
    it.peer(TCP_RST, 500);
    expect([it.take(), it.state]).toEqual([["ACK 1:1 ack 1"], "ESTABLISHED"]);
    it.peer(TCP_RST, 1);
    expect([it.state, it.events[0]]).toEqual(["CLOSED", { kind: "closed", reason: "reset" }]);
  });

  it("resets the peer when it is aborted", () => {
    const it = established();
    it.connection.abort();
    expect([it.take(), it.events[0]]).toEqual([["RST,ACK 1:1 ack 1"], { kind: "closed", reason: "aborted" }]);
  });
});
