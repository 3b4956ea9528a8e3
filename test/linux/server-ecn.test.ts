/** ECN of servers with that of Linux: as its peer in both directions, and compared with it over queues that mark. */
import { ETHERNET_HEADER_BYTES, ETHERTYPE_IPV4, etherType } from "@wirelab/engine/wire/ethernet";
import { decodeIpv4, PROTOCOL_TCP } from "@wirelab/engine/wire/ipv4";
import { describe, expect, test } from "vitest";
import { decodeTcp, TCP_CWR, TCP_ECE, TCP_SYN } from "../../packages/engine/wire/tcp.ts";
import { drawn, drawOf } from "../helpers/cases/draw.ts";
import { hasImage, type PlayedLab, playWithFrames } from "../helpers/play-linux.ts";

const BYTES = 5_000_000;
const QUEUES = {
  CoDel: "{ discipline: codel, ecn: true }",
  RED: "{ discipline: red, min: 20000, max: 400000, probability: 10%, ecn: true }",
};

interface Transfer {
  readonly sender: "linux" | "server";
  readonly receiver: "linux" | "server";
  readonly algorithm: "cubic" | "newreno";
  readonly queue: keyof typeof QUEUES;
}

const played = new Map<string, PlayedLab>();

/** Plays each transfer once: one of them is checked by itself and compared. */
function run(transfer: Transfer): PlayedLab {
  const key = JSON.stringify(transfer);
  const known = played.get(key) ?? play(transfer);
  played.set(key, known);
  return known;
}

/** Both hosts ask for ECN when they open a connection; a receiver accepts it as it does by default. */
function play({ sender, receiver, algorithm, queue }: Transfer): PlayedLab {
  const control = algorithm === "newreno" ? "reno" : algorithm;
  const a = {
    linux: `{ type: linux, ports: [10.0.0.1/24], commands: [sysctl -w net.ipv4.tcp_ecn=1 net.ipv4.tcp_congestion_control=${control}] }`,
    server: `{ type: server, ip: 10.0.0.1/24, tcp: { congestion: ${algorithm}, ecn: on } }`,
  };
  const b = {
    // The listener ends with its standard input.
    linux: `{ type: linux, ports: [10.0.0.2/24], commands: ["sleep 10000 | nc -l -p 5001 > /root/received &"] }`,
    server: "{ type: server, ip: 10.0.0.2/24 }",
  };
  const send = {
    linux: `dd if=/dev/zero bs=1000 count=${BYTES / 1_000} | nc -w 30 10.0.0.2 5001`,
    server: `send 10.0.0.2 -n ${BYTES}`,
  };
  const count = { linux: "wc -c /root/received", server: "show throughput" };
  return playWithFrames(`
nodes: { a: ${a[sender]}, b: ${b[receiver]} }
links: [{ link: a -- b, filters: { delay: 20ms }, impairments: { a_to_b: { rate: 20mbit, queue: ${QUEUES[queue]} } } }]
run:
  - { at: 1s, console: { a: ["${send[sender]}"] } }
  - { at: 14s, console: { b: ["${count[receiver]}"] } }
duration: 15s
`);
}

/** The segments of a direction, in order: flags of TCP, bits of ECN, number, and whether they have data. */
const segmentsFrom = ({ frames }: PlayedLab, node: string) =>
  frames.flatMap(({ from, frame }) => {
    const ip = etherType(frame) === ETHERTYPE_IPV4 ? decodeIpv4(frame, ETHERNET_HEADER_BYTES) : null;
    if (from !== node || ip?.protocol !== PROTOCOL_TCP) return [];
    const at = ETHERNET_HEADER_BYTES;
    const { flags, sequence, data } = decodeTcp(frame.subarray(at + ip.headerBytes, at + ip.totalBytes))!;
    return [{ flags, sequence, codepoint: ip.typeOfService & 3, hasData: data.length > 0 }];
  });

/** Seconds until a server has received everything. */
function secondsOf({ printed }: PlayedLab): number {
  const [, bytes, seconds] = /received .*: (\d+) bytes in ([0-9.]+) s/.exec(printed("b")) ?? [];
  expect(Number(bytes)).toBe(BYTES);
  return Number(seconds);
}

const DIRECTIONS = [
  ["linux", "server"],
  ["server", "linux"],
] as const;
const ALGORITHMS = [
  ["cubic", "CoDel"],
  ["newreno", "CoDel"],
  ["cubic", "RED"],
] as const;

describe.skipIf(!hasImage("debian"))(
  "ECN of servers and Linux (skipped without the image: wirelab image build debian)",
  () => {
    test.each(drawn(DIRECTIONS, drawOf(2)))(
      "from %s to %s: agreed, each echo is confirmed, and nothing is lost",
      (sender, receiver) => {
        const result = run({ sender, receiver, algorithm: "cubic", queue: "CoDel" });
        expect(result.printed("b")).toContain(`${BYTES}`);
        const [there, back] = [segmentsFrom(result, "a"), segmentsFrom(result, "b")];
        expect(there[0]!.flags).toBe(TCP_SYN | TCP_ECE | TCP_CWR);
        expect(back[0]!.flags & (TCP_ECE | TCP_CWR)).toBe(TCP_ECE);
        const data = there.filter(({ hasData }) => hasData);
        expect(new Set(data.map(({ codepoint }) => codepoint))).toEqual(new Set([2]));
        expect(new Set(back.map(({ codepoint }) => codepoint))).toEqual(new Set([0]));
        // Echoes come in rows, from a mark to its confirmation.
        const echoes = back.slice(1).map(({ flags }) => (flags & TCP_ECE) !== 0);
        const rows = echoes.filter((each, index) => each && !echoes[index - 1]).length;
        const confirmed = data.filter(({ flags }) => flags & TCP_CWR).length;
        expect(rows).toBeGreaterThan(2);
        expect(Math.abs(rows - confirmed)).toBeLessThanOrEqual(1);
        expect(echoes.at(-1)).toBe(false);
        expect(new Set(data.map(({ sequence }) => sequence)).size).toBe(data.length);
      },
    );

    test.each(drawn(ALGORITHMS, drawOf(3)))(
      "%s over %s that marks is within a tenth of Linux's",
      (algorithm, queue) => {
        const [theirs, ours] = (["linux", "server"] as const).map((sender) =>
          secondsOf(run({ sender, receiver: "server", algorithm, queue })),
        ) as [number, number];
        expect(ours / theirs, `${ours} s, ${theirs} s`).toBeGreaterThan(0.9);
        expect(ours / theirs, `${ours} s, ${theirs} s`).toBeLessThan(1.1);
      },
    );
  },
);
