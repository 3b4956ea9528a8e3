import { decodeArp } from "@wirelab/engine/wire/arp";
import { etherType, targetMac } from "@wirelab/engine/wire/ethernet";
import { BROADCAST_MAC, writeMac } from "@wirelab/engine/wire/mac";
import { describe, expect, test } from "vitest";
import type { Script } from "../../../../../../packages/engine/devices/pc/host.ts";
import {
  A_IP,
  A_MAC,
  arpReply,
  arpRequest,
  B_IP,
  B_MAC,
  BarePc,
  bytesOf,
  FAR_IP,
  hexOf,
  ip,
  LonePc,
  stateOf,
} from "./bare-pc.ts";

const OTHER_MAC = 0x0200_0000_0077;

interface Outcome {
  mac?: number | undefined;
  atUs?: number;
}

/** Runs one of the ARP scripts of a PC; returns its result and the time of the result. */
function outcomeOf(lone: LonePc, script: Script<number | undefined>): Outcome {
  const outcome: Outcome = {};
  lone.pc.spawn(
    (function* (): Script {
      outcome.mac = yield* script;
      outcome.atUs = lone.bench.nowUs;
    })(),
  );
  return outcome;
}

describe("asking for a neighbour", () => {
  test("the request is VPCS's, byte for byte", () => {
    const lone = new LonePc();
    outcomeOf(lone, lone.host.resolve(B_IP));
    expect(hexOf(lone.sent()[0])).toBe(
      hexOf(
        bytesOf(`
          ff ff ff ff ff ff 00 50 79 66 68 00 08 06 00 01
          08 00 06 04 00 01 00 50 79 66 68 00 0a 00 00 01
          ff ff ff ff ff ff 0a 00 00 02 ${"00".repeat(22)}`),
      ),
    );
    expect(lone.sent()[0]).toHaveLength(64);
  });

  test("the PC sends three requests a second apart, and fails after three seconds", () => {
    const lone = new LonePc();
    const outcome = outcomeOf(lone, lone.host.resolve(B_IP));
    lone.bench.run();
    expect(lone.bench.frames.map(({ atUs }) => atUs)).toEqual([0, 1_000_000, 2_000_000]);
    expect(outcome).toEqual({ mac: undefined, atUs: 3_000_000 });
  });

  test("an answer ends the wait at once, and the table serves the next lookup", () => {
    const lone = new LonePc();
    const outcome = outcomeOf(lone, lone.host.resolve(B_IP));
    lone.pass(1.5);
    lone.hear(arpReply(B_IP, B_MAC));
    expect(outcome).toEqual({ mac: B_MAC, atUs: 1_500_000 });
    expect(outcomeOf(lone, lone.host.resolve(B_IP))).toEqual({ mac: B_MAC, atUs: 1_500_000 });
    expect(lone.sent()).toHaveLength(2);
  });

  test("a request of the neighbour for the PC teaches its MAC too, and is answered", () => {
    const lone = new LonePc();
    const outcome = outcomeOf(lone, lone.host.resolve(B_IP));
    const [reply] = lone.hear(arpRequest(B_IP, B_MAC));
    expect(outcome).toEqual({ mac: B_MAC, atUs: 0 });
    expect(decodeArp(reply!)).toMatchObject({ opcode: 2, targetIp: B_IP });
  });

  test("two scripts that ask for the same neighbour get the same answer", () => {
    const lone = new LonePc();
    const outcomes = [1, 2].map(() => outcomeOf(lone, lone.host.resolve(B_IP)));
    lone.hear(arpReply(B_IP, B_MAC));
    expect(outcomes).toEqual([
      { mac: B_MAC, atUs: 0 },
      { mac: B_MAC, atUs: 0 },
    ]);
  });

  test("answers of other hosts do not end it", () => {
    const lone = new LonePc();
    const outcome = outcomeOf(lone, lone.host.resolve(B_IP));
    lone.hear(arpReply(B_IP + 1, OTHER_MAC));
    expect(outcome).toEqual({ mac: undefined, atUs: 3_000_000 });
  });

  test("with a full table the reply is learned, and ends it", () => {
    const lone = new LonePc();
    const expiresUs = lone.host.world.nowUs + 100_000_000;
    lone.state.arp = Array.from({ length: 32 }, (_, i) => ({ ip: ip("10.0.0.50") + i, mac: i, expiresUs }));
    const outcome = outcomeOf(lone, lone.host.resolve(B_IP));
    lone.hear(arpReply(B_IP, B_MAC));
    expect(outcome).toEqual({ mac: B_MAC, atUs: 0 });
  });

  test("an entry is asked for again 120 s after it was learned", () => {
    const lone = new LonePc();
    lone.hear(arpReply(B_IP, B_MAC));
    lone.pass(119.9);
    outcomeOf(lone, lone.host.resolve(B_IP));
    expect(lone.sent()).toHaveLength(0);
    lone.pass(0.1);
    outcomeOf(lone, lone.host.resolve(B_IP));
    expect(lone.sent()).toHaveLength(1);
  });
});

describe("looking for a second owner of an address", () => {
  test("the PC sends three gratuitous requests, and finds no owner after three seconds", () => {
    const lone = new LonePc();
    const candidate = ip("10.0.0.9");
    const outcome = outcomeOf(lone, lone.host.probeDuplicate(candidate));
    lone.bench.run();
    expect(outcome).toEqual({ mac: undefined, atUs: 3_000_000 });
    expect(lone.bench.frames.map(({ atUs }) => atUs)).toEqual([0, 1_000_000, 2_000_000]);
    for (const frame of lone.sent()) {
      expect(frame).toHaveLength(64);
      expect(targetMac(frame)).toBe(BROADCAST_MAC);
      expect(decodeArp(frame)).toEqual({
        opcode: 1,
        senderMac: A_MAC,
        senderIp: candidate,
        targetMac: BROADCAST_MAC,
        targetIp: candidate,
      });
    }
  });

  test("a reply from another MAC ends it at once", () => {
    const lone = new LonePc();
    const outcome = outcomeOf(lone, lone.host.probeDuplicate(B_IP));
    lone.pass(1.25);
    lone.hear(arpReply(B_IP, B_MAC, B_IP));
    expect(outcome).toEqual({ mac: B_MAC, atUs: 1_250_000 });
  });

  test("neither the PC's own MAC nor another's request ends it", () => {
    const lone = new LonePc();
    const candidate = ip("10.0.0.9");
    const outcome = outcomeOf(lone, lone.host.probeDuplicate(candidate));
    lone.hear(arpReply(candidate, A_MAC, candidate), arpRequest(candidate, B_MAC, candidate));
    expect(outcome).toEqual({ mac: undefined, atUs: 3_000_000 });
  });

  test("an owner that is in the table is reported without a frame", () => {
    const lone = new LonePc();
    lone.hear(arpReply(B_IP, B_MAC));
    expect(outcomeOf(lone, lone.host.probeDuplicate(B_IP))).toEqual({ mac: B_MAC, atUs: 0 });
    expect(lone.sent()).toEqual([]);
  });
});

describe("answering", () => {
  test.each([42, 60, 64])(
    "a request of %i bytes is answered with a frame of the same length",
    (frameBytes) => {
      const [reply, ...more] = new LonePc().hear(arpRequest(B_IP, B_MAC, A_IP, frameBytes));
      expect(more).toEqual([]);
      expect(hexOf(reply)).toBe(
        hexOf(
          bytesOf(`
          00 50 79 66 68 01 00 50 79 66 68 00 08 06 00 01
          08 00 06 04 00 02 00 50 79 66 68 00 0a 00 00 01
          00 50 79 66 68 01 0a 00 00 02 ${"00".repeat(frameBytes - 42)}`),
        ),
      );
    },
  );

  test.each([
    ["no address", 0],
    ["another subnet", FAR_IP],
    ["the very address asked for", A_IP],
  ])("a sender with %s is answered", (_title, senderIp) => {
    expect(new LonePc().hear(arpRequest(senderIp, B_MAC))).toHaveLength(1);
  });

  test("a request in a frame for the PC alone is answered", () => {
    const frame = arpRequest(B_IP, B_MAC);
    writeMac(frame, 0, A_MAC);
    expect(new LonePc().hear(frame)).toHaveLength(1);
  });

  test("requests for others, replies, and requests to a PC without an address are not", () => {
    const lone = new LonePc();
    expect(lone.hear(arpRequest(B_IP, B_MAC, B_IP + 1), arpReply(B_IP, B_MAC))).toEqual([]);
    lone.state.ipv4 = { address: 0, prefixLength: 0, gateway: 0 };
    expect(lone.hear(arpRequest(B_IP, B_MAC, 0))).toEqual([]);
  });

  test("the answer is ready 0.1 ms after the request arrived", () => {
    const { bench } = new LonePc();
    const asker = bench.add("B", (world) => new BarePc(world, stateOf(1), B_MAC));
    bench.wire(["A", 0], ["B", 0]);
    asker.spawn(asker.host.resolve(A_IP));
    bench.run();
    const [request, reply] = bench.frames;
    expect(bench.frames).toHaveLength(2);
    expect(etherType(reply!.frame)).toBe(0x0806);
    // The link delays by a microsecond.
    expect(reply!.atUs - request!.atUs).toBe(101);
  });
});
