/** A guest that waits leaves out the ticks of its kernel that have nothing to do; its clocks and timers are those of one that runs them. */
import { ETHERNET_HEADER_BYTES, ETHERTYPE_IPV4, etherType } from "@wirelab/engine/wire/ethernet";
import { decodeIpv4, PROTOCOL_ICMP } from "@wirelab/engine/wire/ipv4";
import { parseIpv4 } from "@wirelab/engine/wire/ipv4-address";
import type { LoggedFrame } from "@wirelab/lab/play/frame-log";
import { beforeAll, describe, expect, test } from "vitest";
import { hasImage, type PlayedLab, playWithFrames } from "../helpers/play-linux.ts";

const TICKS_PER_SECOND = 250;
/** The times are so long that ticks which were lost, or counted twice, are more than the commands themselves take. */
const [FIRST_S, SECOND_S] = [4, 20];
const ROUNDS = 8;
const PAUSE_MS = 730;

const CLOCKS =
  'cat /proc/uptime; grep "^ *0:" /proc/interrupts; grep -E "^(jiffies|now)" /proc/timer_list; date +%s';
const LAB = `
nodes:
  h: { type: linux, ports: [10.0.0.1/24] }
  pc: { type: pc, ip: 10.0.0.2/24 }
links: [{ link: h -- pc, name: cable }]
run:
  - { at: ${FIRST_S}s, console: { h: '${CLOCKS}' } }
  - { at: ${(FIRST_S + SECOND_S) / 2}.1234s, console: { pc: ping 10.0.0.1 -c 3 } }
  - { at: ${SECOND_S}s, console: { h: '${CLOCKS}' } }
  - at: ${SECOND_S + 1}s
    console:
      h: 'for i in $(seq ${ROUNDS}); do busybox usleep ${PAUSE_MS}000; ping -c 1 10.0.0.2 > /tmp/ping; done'
duration: ${SECOND_S + 10}s
`;

interface Clocks {
  readonly upS: number;
  readonly idleS: number;
  readonly interrupts: number;
  readonly jiffies: number;
  readonly nowNs: number;
  readonly dateS: number;
}

const PRINTED =
  /^([\d.]+) ([\d.]+)\r?\n *0: +(\d+) .*\r?\n(?:now at (\d+) nsecs|jiffies: (\d+))\r?\n(?:now at (\d+) nsecs|jiffies: (\d+))\r?\n(\d{10})/gm;

function readClocks(text: string): Clocks[] {
  return [...text.matchAll(PRINTED)].map(([, up, idle, interrupts, now, first, other, jiffies, date]) => ({
    upS: Number(up),
    idleS: Number(idle),
    interrupts: Number(interrupts),
    jiffies: Number(jiffies ?? first),
    nowNs: Number(now ?? other),
    dateS: Number(date),
  }));
}

const isEcho = (type: number, from: string) => {
  const address = parseIpv4(from);
  return ({ frame }: LoggedFrame): boolean => {
    if (etherType(frame) !== ETHERTYPE_IPV4) return false;
    const packet = decodeIpv4(frame, ETHERNET_HEADER_BYTES);
    if (packet?.protocol !== PROTOCOL_ICMP || packet.source !== address) return false;
    return frame[ETHERNET_HEADER_BYTES + packet.headerBytes] === type;
  };
};

describe.skipIf(!hasImage("debian"))(
  "a guest that waits (skipped without the image: wirelab image build debian)",
  () => {
    let lab: PlayedLab;
    let clocks: Clocks[];
    beforeAll(() => {
      lab = playWithFrames(LAB);
      clocks = readClocks(lab.printed("h"));
    });

    test("runs a third of its kernel's ticks", () => {
      expect(clocks).toHaveLength(2);
      const interrupts = clocks[1]!.interrupts - clocks[0]!.interrupts;
      const ticks = (SECOND_S - FIRST_S) * TICKS_PER_SECOND;
      expect(interrupts).toBeLessThan(ticks / 3);
      expect(interrupts).toBeGreaterThan(0);
    });

    test("counts all of them, and its clocks agree", () => {
      const [first, second] = clocks as [Clocks, Clocks];
      const ranS = (second.nowNs - first.nowNs) / 1e9;
      expect(Math.abs(ranS - (SECOND_S - FIRST_S))).toBeLessThan(0.1);
      expect(Math.abs(second.jiffies - first.jiffies - ranS * TICKS_PER_SECOND)).toBeLessThan(3);
      expect(Math.abs(second.upS - first.upS - ranS)).toBeLessThan(0.1);
      expect(Math.abs(second.dateS - first.dateS - ranS)).toBeLessThanOrEqual(1);
    });

    test("was idle all the time", () => {
      const [first, second] = clocks as [Clocks, Clocks];
      const share = (second.idleS - first.idleS) / (second.upS - first.upS);
      expect(share).toBeGreaterThan(0.97);
      expect(share).toBeLessThanOrEqual(1.001);
    });

    test("answers a frame at once", () => {
      const requests = lab.frames.filter(isEcho(8, "10.0.0.2"));
      const replies = lab.frames.filter(isEcho(0, "10.0.0.1"));
      expect(requests).toHaveLength(3);
      expect(replies).toHaveLength(3);
      for (const [index, { arrivedNs }] of requests.entries())
        expect(replies[index]!.enteredNs - arrivedNs!).toBeLessThan(1_000_000);
    });

    test("wakes at the time of its timers", () => {
      const sent = lab.frames.filter(isEcho(8, "10.0.0.1")).map(({ enteredNs }) => enteredNs / 1e6);
      expect(sent).toHaveLength(ROUNDS);
      const pauses = sent.slice(1).map((atMs, index) => atMs - sent[index]!);
      for (const pause of pauses) {
        expect(pause).toBeGreaterThan(PAUSE_MS);
        // Two processes are started.
        expect(pause).toBeLessThan(PAUSE_MS + 40);
      }
    });
  },
);
