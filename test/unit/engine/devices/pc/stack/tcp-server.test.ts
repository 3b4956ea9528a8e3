import { decodeIpv4, PROTOCOL_TCP } from "@wirelab/engine/wire/ipv4";
import { describe, expect, test } from "vitest";
import { checksum, pseudoHeaderSum4 } from "../../../../../../packages/engine/base/checksum.ts";
import { forgetIdle } from "../../../../../../packages/engine/devices/pc/stack/tcp-server.ts";
import {
  decodeTcp,
  encodeTcp4,
  TCP_ACK,
  TCP_CWR,
  TCP_ECE,
  TCP_FIN,
  TCP_PSH,
  TCP_RST,
  TCP_SYN,
  TCP_URG,
  type Tcp,
} from "../../../../../../packages/engine/wire/tcp.ts";
import { A_IP, B_IP, counting, ipv4Frame, LonePc } from "./bare-pc.ts";

const EMPTY = new Uint8Array();
const SEQUENCE = 0xffff_fff0;

const segmentFrame = (flags: number, fields: Partial<Tcp> = {}): Uint8Array =>
  ipv4Frame(
    { protocol: PROTOCOL_TCP, ttl: 9 },
    encodeTcp4(B_IP, A_IP, {
      sourcePort: 4000,
      targetPort: 80,
      sequence: SEQUENCE,
      acknowledgement: 0,
      flags,
      window: 2920,
      options: EMPTY,
      data: EMPTY,
      ...fields,
    }),
  );

/** Sends segments to a PC; returns the answers, after checking that each is well formed. */
function answersOf(lone: LonePc, ...frames: readonly Uint8Array[]): Tcp[] {
  return lone.hear(...frames).map((frame) => {
    const header = decodeIpv4(frame, 14)!;
    expect(header).toMatchObject({ source: A_IP, target: B_IP, id: 0x1234, ttl: 64, dontFragment: false });
    expect(frame).toHaveLength(54);
    expect(checksum(frame, 34, 54, pseudoHeaderSum4(A_IP, B_IP, PROTOCOL_TCP, 20))).toBe(0);
    return decodeTcp(frame.subarray(34))!;
  });
}

/** A PC with a connection from port 4000 to port 80; its first sequence number. */
function connected() {
  const lone = new LonePc();
  const [synAck] = answersOf(lone, segmentFrame(TCP_SYN));
  return { lone, first: synAck!.sequence };
}

const plus = (sequence: number, count: number): number => (sequence + count) % 2 ** 32;

describe("a connection", () => {
  test.each([1, 7, 80, 65_535])("is accepted on port %i", (targetPort) => {
    const options = Uint8Array.of(2, 4, 5, 0xb4, 1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 0, 1, 3, 3, 1);
    const answers = answersOf(new LonePc(), segmentFrame(TCP_SYN, { targetPort, options }));
    expect(answers).toMatchObject([
      {
        sourcePort: targetPort,
        targetPort: 4000,
        flags: TCP_SYN | TCP_ACK,
        acknowledgement: SEQUENCE + 1,
        window: 2920,
        options: EMPTY,
        data: EMPTY,
      },
    ]);
  });

  test("begins with a different sequence number each time", () => {
    const lone = new LonePc();
    const numbers = [1, 2, 3].map((sourcePort) => answersOf(lone, segmentFrame(TCP_SYN, { sourcePort })));
    expect(new Set(numbers.map(([synAck]) => synAck!.sequence)).size).toBe(3);
  });

  test("acknowledges pushed data, across the wrap of the sequence numbers", () => {
    const { lone, first } = connected();
    const sequence = SEQUENCE + 1;
    const push = segmentFrame(TCP_PSH | TCP_ACK, { sequence, data: counting(56), window: 77 });
    expect(answersOf(lone, segmentFrame(TCP_ACK, { sequence }), push)).toMatchObject([
      {
        flags: TCP_ACK,
        sequence: plus(first, 1),
        acknowledgement: plus(sequence, 56),
        window: 77,
        data: EMPTY,
      },
    ]);
  });

  test("does not answer an ACK alone, with data or without", () => {
    const { lone } = connected();
    expect(answersOf(lone, segmentFrame(TCP_ACK), segmentFrame(TCP_ACK, { data: counting(9) }))).toEqual([]);
  });

  test("is closed with an ACK and a FIN ACK after FIN PSH ACK", () => {
    const { lone, first } = connected();
    const fin = segmentFrame(TCP_FIN | TCP_PSH | TCP_ACK, { data: counting(3) });
    const numbers = { sequence: plus(first, 1), acknowledgement: plus(SEQUENCE, 4) };
    const expected = [
      { flags: TCP_ACK, ...numbers },
      { flags: TCP_FIN | TCP_ACK, ...numbers },
    ];
    expect(answersOf(lone, fin)).toMatchObject(expected);
    expect(answersOf(lone, fin)).toMatchObject(expected);
  });

  test("is closed with two FIN ACKs after FIN ACK", () => {
    const { lone, first } = connected();
    const finAck = {
      flags: TCP_FIN | TCP_ACK,
      sequence: plus(first, 1),
      acknowledgement: SEQUENCE + 1,
    };
    expect(answersOf(lone, segmentFrame(TCP_FIN | TCP_ACK))).toMatchObject([finAck, finAck]);
  });

  test("ends without an answer on a reset", () => {
    const { lone } = connected();
    expect(answersOf(lone, segmentFrame(TCP_RST), segmentFrame(TCP_PSH | TCP_ACK))).toEqual([]);
  });

  test("starts again with another SYN", () => {
    const { lone, first } = connected();
    const [again] = answersOf(lone, segmentFrame(TCP_SYN, { sequence: 5 }));
    expect(again).toMatchObject({ flags: TCP_SYN | TCP_ACK, acknowledgement: 6 });
    expect(again!.sequence).not.toBe(first);
    expect(lone.state.tcp).toHaveLength(1);
  });
});

describe("a segment without a connection", () => {
  const ALL_FLAGS = Array.from({ length: 256 }, (_, flags) => flags);

  test("is answered only if SYN is its only flag", () => {
    const lone = new LonePc();
    const answered = ALL_FLAGS.filter(
      (flags) => answersOf(lone, segmentFrame(flags, { sourcePort: flags + 1 })).length > 0,
    );
    expect(answered).toEqual([TCP_SYN]);
    expect(answersOf(lone, segmentFrame(TCP_SYN | TCP_ECE), segmentFrame(TCP_SYN | TCP_CWR))).toEqual([]);
  });

  test("is one whose address or port differs", () => {
    const { lone } = connected();
    const push = TCP_PSH | TCP_ACK;
    const tcp = decodeTcp(segmentFrame(push).subarray(34))!;
    const elsewhere = ipv4Frame(
      { protocol: PROTOCOL_TCP, source: B_IP + 1 },
      encodeTcp4(B_IP + 1, A_IP, tcp),
    );
    const frames = [
      segmentFrame(push, { sourcePort: 4001 }),
      segmentFrame(push, { targetPort: 81 }),
      elsewhere,
    ];
    expect(answersOf(lone, ...frames)).toEqual([]);
    expect(answersOf(lone, segmentFrame(push))).toHaveLength(1);
  });

  test("of a scan with FIN, PSH and URG is not answered, even on a connection", () => {
    const { lone } = connected();
    expect(answersOf(lone, segmentFrame(TCP_FIN | TCP_PSH | TCP_URG))).toEqual([]);
  });
});

describe("memory", () => {
  const push = segmentFrame(TCP_PSH | TCP_ACK, { data: counting(1) });

  test("a connection lives for a minute after its last segment", () => {
    const { lone } = connected();
    lone.pass(57);
    expect(answersOf(lone, push)).toHaveLength(1);
    lone.pass(60);
    expect(answersOf(lone, push)).toHaveLength(1);
    lone.pass(60.000_001);
    expect(answersOf(lone, push)).toEqual([]);
    expect(lone.state.tcp).toEqual([]);
  });

  test("of 1001 connections the last is refused on the console, and the PC accepts new ones after a minute", () => {
    const lone = new LonePc();
    const syn = (sourcePort: number) => segmentFrame(TCP_SYN, { sourcePort });
    const accepted = answersOf(lone, ...Array.from({ length: 1000 }, (_, index) => syn(index + 1)));
    expect(accepted).toHaveLength(1000);
    expect(lone.bench.transcript("A")).toBe("");
    expect(answersOf(lone, syn(2000))).toEqual([]);
    expect(lone.bench.transcript("A")).toBe("VPCS 0 out of session\n");
    expect(answersOf(lone, syn(7))).toHaveLength(1);
    lone.pass(61);
    expect(answersOf(lone, syn(2000))).toHaveLength(1);
  });

  test("connections are plain data of the state, keyed by the text of the peer", () => {
    const { lone, first } = connected();
    const session = {
      peer: "10.0.0.2",
      peerPort: 4000,
      port: 80,
      sequence: plus(first, 1),
      lastUs: lone.host.world.nowUs,
    };
    expect(lone.state.tcp).toEqual([session]);
    forgetIdle(lone.state, session.lastUs + 60_000_001);
    expect(lone.state.tcp).toEqual([]);
  });
});
