/** The PC as a device: power, console, two of them on one link. */

import { Pc, type PcState } from "@wirelab/engine/devices/pc/index";
import { initialPcState, pcStateWhenOff } from "@wirelab/engine/devices/pc/state";
import { etherType, sourceMac, targetMac } from "@wirelab/engine/wire/ethernet";
import { encodeEcho, ICMP_ECHO, ICMP_ECHO_REPLY } from "@wirelab/engine/wire/icmp";
import { PROTOCOL_ICMP } from "@wirelab/engine/wire/ipv4";
import { describe, expect, test } from "vitest";
import { BENCH_START_US, DeviceBench } from "../../../../helpers/engine/device-bench.ts";
import {
  A_IP,
  A_MAC,
  arpReply,
  arpRequest,
  B_IP,
  B_MAC,
  counting,
  hexOf,
  ipv4Frame,
  specOf,
  stateOf,
} from "./stack/bare-pc.ts";

/** Two PCs at 10.0.0.1 and 10.0.0.2, linked directly, whose start-up traffic is over. */
function makePair() {
  const bench = new DeviceBench();
  const [a, b] = ["A", "B"].map((name, index) =>
    bench.add(name, (world) => new Pc(specOf(index), world, stateOf(index))),
  );
  bench.wire(["A", 0], ["B", 0]);
  return { bench, a: a!, b: b! };
}

function makeOne({ startupScript = "", state = undefined as PcState | undefined } = {}) {
  const bench = new DeviceBench();
  const pc = bench.add("A", (world) => new Pc(specOf(0, startupScript), world, state));
  return { bench, pc };
}

/** `arp`, `echo`, `reply`, with the name of the sender. */
const story = (bench: DeviceBench): string[] =>
  bench.frames.map(({ from, frame }) => {
    if (etherType(frame) === 0x0806) return `${from} arp ${frame[21]}`;
    const names: Record<number, string> = { [ICMP_ECHO]: "echo", [ICMP_ECHO_REPLY]: "reply" };
    return `${from} ${names[frame[34]!] ?? "?"}`;
  });

describe("power", () => {
  test("a PC that is switched on sends two router solicitations and nothing of IPv4", () => {
    const { bench, pc } = makeOne();
    pc.start();
    bench.run();
    expect(bench.frames.map(({ atUs }) => atUs)).toEqual([0, 260_000]);
    for (const { frame } of bench.frames) {
      expect(frame).toHaveLength(62);
      expect(targetMac(frame)).toBe(0x3333_0000_0002);
      expect(frame[54]).toBe(133);
    }
    expect(bench.transcript("A")).toBe("");
  });

  test("a PC that resumes from an earlier run sends nothing", () => {
    const { bench, pc } = makeOne({ state: stateOf(0) });
    pc.resume();
    bench.run();
    expect(bench.frames).toEqual([]);
    expect(bench.transcript("A")).toBe("");
  });

  test("the start-up script of the node runs with its name in place of %h", () => {
    const { bench, pc } = makeOne({ startupScript: "set pcname %h\nip domain %h.lab\n" });
    pc.start();
    bench.run();
    expect(pc.saveState()).toMatchObject({ name: "PC1", domain: "PC1.lab" });
  });

  test("a saved start-up file replaces the node's script, and its %h stays", () => {
    const state = initialPcState(specOf(0));
    state.files["startup.vpc"] = "ip domain %h.saved\n";
    const { bench, pc } = makeOne({ startupScript: "set pcname %h\n", state });
    pc.start();
    bench.run();
    expect(pc.saveState()).toMatchObject({ name: state.name, domain: "%h.saved" });
  });

  describe("of a saved file and a changed script, the PC runs the later one", () => {
    /** The state after a power cycle with this script on the node. */
    const cycled = (state: PcState, startupScript: string): PcState => {
      const { bench, pc } = makeOne({ startupScript, state: pcStateWhenOff(specOf(0), state) });
      pc.start();
      bench.run();
      return pc.saveState();
    };
    /** The state after these lines on a PC that was started with the script. */
    const typed = (startupScript: string, ...lines: string[]): PcState => {
      const { bench, pc } = makeOne({ startupScript });
      pc.start();
      bench.run();
      bench.type("A", ...lines);
      return pc.saveState();
    };

    test("the saved file while the script is unchanged", () => {
      const state = typed("set mtu 1300", "set mtu 1200", "save");
      expect(cycled(state, "set mtu 1300").mtuBytes).toBe(1200);
      expect(cycled(cycled(state, "set mtu 1300"), "set mtu 1300").mtuBytes).toBe(1200);
    });

    test.each([
      ["set mtu 1100", 1100],
      ["", 1500],
    ])("the script after it changes to %j, which deletes the file", (script, mtuBytes) => {
      const after = cycled(typed("set mtu 1300", "set mtu 1200", "save", "save other"), script);
      expect(after.mtuBytes).toBe(mtuBytes);
      expect(Object.keys(after.files)).toEqual(["other.vpc"]);
      expect(cycled(after, "set mtu 1300").mtuBytes).toBe(1300);
    });

    test("a file saved after the script changed", () => {
      const before = typed("set mtu 1300", "save");
      const { bench, pc } = makeOne({ startupScript: "set mtu 1100", state: before });
      pc.resume();
      bench.type("A", "set mtu 1000", "save");
      expect(cycled(pc.saveState(), "set mtu 1100").mtuBytes).toBe(1000);
    });

    test("a file that an earlier release saved", () => {
      const { savedOver: _, ...old } = typed("", "set mtu 1200", "save");
      expect(cycled(old, "set mtu 1100").mtuBytes).toBe(1200);
    });
  });

  test("a resumed PC runs no start-up script", () => {
    const { bench, pc } = makeOne({ startupScript: "set pcname other\n" });
    pc.resume();
    bench.run();
    expect(pc.saveState().name).toBe("PC1");
  });
});

describe("state", () => {
  test("is plain data, from which an equal PC is made", () => {
    const { bench, pc } = makeOne({ state: stateOf(0) });
    bench.inject("A", 0, arpReply(B_IP, B_MAC));
    bench.run();
    const saved = pc.saveState();
    expect(JSON.parse(JSON.stringify(saved))).toEqual(saved);
    expect(saved.arp).toEqual([{ ip: B_IP, mac: B_MAC, expiresUs: BENCH_START_US + 120_000_000 }]);
    const again = makeOne({ state: saved });
    expect(again.pc.saveState()).toEqual(saved);
  });

  test("shares no objects with its source or with the saved state", () => {
    const given = stateOf(0);
    const { bench, pc } = makeOne({ state: given });
    const saved = pc.saveState();
    bench.inject("A", 0, arpReply(B_IP, B_MAC));
    bench.run();
    expect([given.arp, saved.arp]).toEqual([[], []]);
    expect(pc.saveState().arp).toHaveLength(1);
  });

  test("is saved without expired entries", () => {
    const state = stateOf(0);
    state.arp = [
      { ip: B_IP, mac: B_MAC, expiresUs: BENCH_START_US },
      { ip: B_IP + 1, mac: B_MAC, expiresUs: BENCH_START_US + 1 },
    ];
    const session = { peer: "10.0.0.2", peerPort: 1, port: 2, sequence: 3 };
    state.tcp = [
      { ...session, lastUs: BENCH_START_US - 60_000_001 },
      { ...session, lastUs: BENCH_START_US - 60_000_000 },
    ];
    const saved = makeOne({ state }).pc.saveState();
    expect(saved.arp.map(({ ip }) => ip)).toEqual([B_IP + 1]);
    expect(saved.tcp).toHaveLength(1);
  });
});

describe("as a device", () => {
  test("answers in 0.1 ms on its only port, and forwards nothing", () => {
    const { bench, pc } = makeOne({ state: stateOf(0) });
    bench.inject("A", 0, arpRequest(B_IP, B_MAC));
    bench.run();
    expect(pc.processingNs).toBe(100_000);
    expect(pc.forwards).toBe(false);
    expect(bench.frames.map(({ port }) => port)).toEqual([0]);
  });

  test("does not modify the frames it receives", () => {
    const { bench } = makeOne({ state: stateOf(0) });
    const frames = [
      arpRequest(B_IP, B_MAC),
      ipv4Frame({ protocol: PROTOCOL_ICMP }, encodeEcho(1, 1, counting(9))),
    ];
    const before = frames.map(hexOf);
    for (const frame of frames) bench.inject("A", 0, frame);
    bench.run();
    expect(frames.map(hexOf)).toEqual(before);
    expect(bench.frames).toHaveLength(2);
  });
});

describe("two PCs on one wire", () => {
  test("a ping asks for the MAC once, then each echo has its reply", () => {
    const { bench, a, b } = makePair();
    const text = bench.type("A", "ping 10.0.0.2 -c 2");
    expect(text).toMatch(/84 bytes from 10\.0\.0\.2 icmp_seq=2 ttl=64 time=\d+\.\d{3} ms\n/);
    expect(story(bench)).toEqual(["A arp 1", "B arp 2", "A echo", "B reply", "A echo", "B reply"]);
    const sources = new Set(bench.frames.map(({ from, frame }) => `${from} ${sourceMac(frame)}`));
    expect(sources).toEqual(new Set([`A ${A_MAC}`, `B ${B_MAC}`]));
    expect(a.saveState().arp).toMatchObject([{ ip: B_IP, mac: B_MAC }]);
    expect(b.saveState().arp).toMatchObject([{ ip: A_IP, mac: A_MAC }]);
  });

  test("each answers the other while its own command runs", () => {
    const { bench } = makePair();
    bench.begin("A", "ping 10.0.0.2 -c 3");
    bench.begin("B", "ping 10.0.0.1 -c 3");
    bench.run();
    for (const name of ["A", "B"])
      expect(bench.transcript(name).match(/icmp_seq=\d ttl=64 time=/g)).toHaveLength(3);
    const sent = story(bench);
    expect(sent.filter((each) => each === "A reply")).toHaveLength(3);
    expect(sent.filter((each) => each === "B reply")).toHaveLength(3);
  });

  test("the duplicate check finds an address that the other PC has", () => {
    const { bench } = makePair();
    const text = bench.type("A", "ip 10.0.0.2/24");
    expect(text).toContain("10.0.0.2 is being used by MAC 00:50:79:66:68:01\n");
  });

  test("a PC without an address gets no answer to its echo requests", () => {
    const { bench, a } = makePair();
    const text = bench.type("A", "clear ip", "ping 10.0.0.2 -c 1");
    expect(text).toContain("10.0.0.2 icmp_seq=1 timeout\n");
    expect(story(bench)).toEqual(["A arp 1", "B arp 2", "A echo"]);
    expect(a.saveState().ipv4.address).toBe(0);
  });

  test("a TCP ping connects, sends and closes", () => {
    const { bench, b } = makePair();
    const text = bench.type("A", "ping 10.0.0.2 -c 1 -3");
    for (const phase of ["Connect ", "SendData", "Close   "])
      expect(text).toContain(`${phase}  7@10.0.0.2 seq=1 ttl=64 time=`);
    const lengths = bench.frames.slice(2).map(({ from, frame }) => `${from} ${frame.length}`);
    expect(lengths).toEqual(["A 74", "B 54", "A 66", "A 122", "B 54", "A 66", "B 54", "B 54", "A 66"]);
    expect(b.saveState().tcp).toMatchObject([{ peer: "10.0.0.1", port: 7 }]);
  });

  test("a UDP ping ends after its five datagrams and their echoes", () => {
    const { bench } = makePair();
    const text = bench.type("A", "ping 10.0.0.2 -2 -l 6");
    expect(text.match(/34 bytes from 10\.0\.0\.2 udp_seq=/g)).toHaveLength(5);
    expect(bench.frames).toHaveLength(2 + 5 * 2);
  });

  test("a large ping crosses in fragments, both ways", () => {
    const { bench } = makePair();
    expect(bench.type("A", "ping 10.0.0.2 -c 1 -l 1473")).toContain("1501 bytes from 10.0.0.2 icmp_seq=1");
    expect(bench.frames.slice(2).map(({ frame }) => frame.length)).toEqual([1514, 35, 1514, 35]);
  });
});
