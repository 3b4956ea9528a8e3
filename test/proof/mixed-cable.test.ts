/** A real vpcs and a simulated PC at the two ends of one cable. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RealTimePc } from "../helpers/proof/real-time-pc.ts";
import { hasVpcs, RealVpcs, RecordingBridge, UdpCable } from "../helpers/proof/real-vpcs.ts";
import { simulatedSpec } from "../helpers/proof/simulated-pair.ts";
import { complaints, hasTshark } from "../helpers/proof/tshark.ts";

const REAL = "10.0.0.1";
const OURS = "10.0.0.2";
const REAL_IPV6 = "2001:db8::1";
const OURS_IPV6 = "2001:db8::2";

let cable: UdpCable;
let real: RealVpcs;
let ours: RealTimePc;
let bridge: RecordingBridge;

/** Lines that report an answer, in the wording of any release. */
const answered = (printed: string): number =>
  printed.match(/ (icmp|udp|icmp6|udp6)_seq=\d+ ttl=64 time=/g)?.length ?? 0;

const phases = (printed: string): string[] =>
  [...printed.matchAll(/^(\w+) +\d+@\S+ seq=\d+ ttl=64 time=/gm)].map(([, phase]) => phase!);

describe.skipIf(!hasVpcs)(
  `a real vpcs and a simulated PC on one cable${hasVpcs ? "" : " (skipped: vpcs is not installed)"}`,
  () => {
    beforeAll(async () => {
      cable = await UdpCable.open("real");
      ours = new RealTimePc("ours", simulatedSpec(1));
      bridge = new RecordingBridge(cable, ours);
      real = await RealVpcs.start(cable, 0);
      ours.start();
      await Promise.all([real.type(`ip ${REAL}/24`), ours.type(`ip ${OURS}/24`)]);
      await real.type(`ip ${REAL_IPV6}/64`);
      await ours.type(`ip ${OURS_IPV6}/64`);
    });

    afterAll(async () => {
      ours?.stop();
      await real?.stop();
      cable?.close();
    });

    test("find no duplicate with different addresses, and one with the other's address", async () => {
      const other = await UdpCable.open("real");
      const pc = new RealTimePc("ours", simulatedSpec(1));
      new RecordingBridge(other, pc);
      const peer = await RealVpcs.start(other, 0);
      try {
        expect(await pc.type(`ip ${OURS}/24`)).toContain(`: ${OURS} 255.255.255.0`);
        expect(await peer.type(`ip ${OURS}/24`)).toContain(`${OURS} is being used by MAC 00:50:79:66:68:01`);
        expect(await peer.type(`ip ${REAL}/24`)).toContain(`: ${REAL} 255.255.255.0`);
        expect(await pc.type(`ip ${REAL}/24`)).toContain(`${REAL} is being used by MAC 00:50:79:66:68:00`);
      } finally {
        pc.stop();
        await peer.stop();
        other.close();
      }
    });

    test("ping each other with ICMP", async () => {
      expect(answered(await real.type(`ping ${OURS} -c 2 -i 50`))).toBe(2);
      expect(answered(await ours.type(`ping ${REAL} -c 2 -i 50`))).toBe(2);
    });

    test("know each other's MAC afterwards", async () => {
      expect(await real.type("show arp")).toMatch(
        /^00:50:79:66:68:01 {2}10\.0\.0\.2 expires in \d+ seconds $/m,
      );
      expect(await ours.type("show arp")).toMatch(
        /^00:50:79:66:68:00 {2}10\.0\.0\.1 expires in \d+ seconds $/m,
      );
    });

    test("ping each other with data of other sizes", async () => {
      for (const sizeBytes of [0, 1, 999, 1472]) {
        expect(answered(await real.type(`ping ${OURS} -c 1 -i 50 -l ${sizeBytes}`))).toBe(1);
        expect(answered(await ours.type(`ping ${REAL} -c 1 -i 50 -l ${sizeBytes}`))).toBe(1);
      }
    });

    test("ping each other with UDP", async () => {
      expect(answered(await real.type(`ping ${OURS} -c 2 -i 50 -2`))).toBe(2);
      expect(answered(await ours.type(`ping ${REAL} -c 2 -i 50 -2`))).toBe(2);
    });

    const WHOLE = ["Connect", "SendData", "Close"];

    test("ping each other with TCP, from the first segment to the last, where ours ignores checksums", async () => {
      expect(phases(await real.type(`ping ${OURS} -c 1 -w 1000 -3`))).toEqual(WHOLE);
      // The answers of a real one have wrong checksums.
      expect(await ours.type(`ping ${REAL} -c 1 -w 300 -3`)).toContain("Connect   7@10.0.0.1 timeout");
      const other = await UdpCable.open("real");
      const pc = new RealTimePc("ours", { ...simulatedSpec(1), ignoresChecksums: true });
      new RecordingBridge(other, pc);
      const peer = await RealVpcs.start(other, 0);
      try {
        await Promise.all([peer.type(`ip ${REAL}/24`), pc.type(`ip ${OURS}/24`)]);
        expect(phases(await pc.type(`ping ${REAL} -c 1 -w 1000 -3`))).toEqual(WHOLE);
      } finally {
        pc.stop();
        await peer.stop();
        other.close();
      }
    });

    test("trace each other", async () => {
      const end = /^ 1 +\*10\.0\.0\.[12] .*Destination port unreachable\)$/m;
      expect(await real.type(`trace ${OURS}`)).toMatch(end);
      expect(await ours.type(`trace ${REAL}`)).toMatch(end);
      expect(await real.type(`trace ${OURS} -P 1`)).toMatch(/^ 1 +10\.0\.0\.2( +[\d.]+ ms){3}$/m);
      expect(await ours.type(`trace ${REAL} -P 1`)).toMatch(/^ 1 +10\.0\.0\.1( +[\d.]+ ms){3}$/m);
    });

    test("ping each other over IPv6, with ICMP and UDP, global and link-local", async () => {
      for (const options of ["", " -2"]) {
        expect(answered(await real.type(`ping ${OURS_IPV6} -c 1 -w 1000${options}`))).toBe(1);
        expect(answered(await ours.type(`ping ${REAL_IPV6} -c 1 -w 1000${options}`))).toBe(1);
      }
      expect(answered(await real.type("ping fe80::250:79ff:fe66:6801 -c 1 -w 1000"))).toBe(1);
      expect(answered(await ours.type("ping fe80::250:79ff:fe66:6800 -c 1 -w 1000"))).toBe(1);
    });

    test.skipIf(!hasTshark)(
      "and tshark finds nothing wrong in what ours has sent (skipped without tshark)",
      () => {
        const sent = bridge.frames.filter(({ from }) => from === "ours");
        expect(sent.length).toBeGreaterThan(0);
        expect(complaints(sent)).toEqual([]);
      },
    );
  },
);
