/** Tables of routes (VRF) of our router and of Linux's `vrf` devices, with the same routes, decide about the same random packets. */
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_IPV4,
  encodeEthernet,
  etherType,
} from "@wirelab/engine/wire/ethernet";
import { ICMP_HEADER_BYTES } from "@wirelab/engine/wire/icmp";
import { decodeIpv4, encodeIpv4, PROTOCOL_ICMP } from "@wirelab/engine/wire/ipv4";
import { formatIpv4, parseIpv4 } from "@wirelab/engine/wire/ipv4-address";
import type { LabEvent } from "@wirelab/lab/model/lab-model";
import { FrameLog, type LoggedFrame } from "@wirelab/lab/play/frame-log";
import { play } from "@wirelab/lab/play/play";
import { describe, expect, test } from "vitest";
import { parseLabText } from "../../packages/wirelab/load-lab-file.ts";
import { Draws } from "../helpers/nftables/draws.ts";
import { hasImage } from "../helpers/play-linux.ts";

const PACKETS = 2_000;
/** For experiments (RFC 3692): no host answers it but with an error. */
const PROTOCOL = 253;
const SOURCE_MAC = 0x0200_0000_0050;
const ROUTES_PER_TABLE = 30;
const [PREPARED_S, START_S, GAP_NS] = [2, 5, 500_000];

/** The ports of both routers: the table of each, and the network, in which the router is 1 and a PC 10. Two tables have the same ones. */
const PORTS = [
  { vrf: "red", net: 1 },
  { vrf: "red", net: 2 },
  { vrf: "blue", net: 1 },
  { vrf: "blue", net: 2 },
  { vrf: undefined, net: 1 },
  { vrf: undefined, net: 3 },
] as const;
type Table = (typeof PORTS)[number]["vrf"];
const TABLES: readonly Table[] = ["red", "blue", undefined];
const portsOf = (vrf: Table) => PORTS.filter((port) => port.vrf === vrf);

interface Route {
  readonly vrf: Table;
  readonly to: string;
  readonly via: string;
}

const draws = new Draws(process.env.WIRELAB_SEED);
/** Of few networks, so that prefixes contain each other, and targets are in prefixes of several tables. */
const drawAddress = (): number =>
  parseIpv4(`10.${10 + draws.below(4)}.${draws.below(4)}.${draws.below(256)}`)!;

function drawRoutes(): Route[] {
  return TABLES.flatMap((vrf) => {
    const routes = new Map<string, Route>();
    // Without an end of its own, the lookup of Linux goes on in the main table (Documentation/networking/vrf.rst).
    if (vrf !== undefined) routes.set("end", { vrf, to: "0.0.0.0/0", via: "unreachable" });
    while (routes.size < ROUTES_PER_TABLE) {
      const bits = 14 + draws.below(19);
      const to = `${formatIpv4((drawAddress() & (-1 << (32 - bits))) >>> 0)}/${bits}`;
      const hop = `10.0.${draws.pick(portsOf(vrf)).net}.10`;
      routes.set(to, { vrf, to, via: draws.pick([hop, hop, hop, "blackhole", "unreachable"]) });
    }
    return [...routes.values()];
  });
}

/** The tables as `ip` spells them. */
function commandsOf(routes: readonly Route[]): string[] {
  const vrfs = ["red", "blue"].flatMap((name, index) => [
    `link add ${name} type vrf table ${10 + index}`,
    `link set ${name} up`,
  ]);
  const ports = PORTS.flatMap(({ vrf, net }, index) => [
    ...(vrf ? [`link set eth${index} master ${vrf}`] : []),
    `address add 10.0.${net}.1/24 dev eth${index}`,
  ]);
  const added = routes.map(({ vrf, to, via }) => {
    const end = via.startsWith("10.") ? `${to} via ${via}` : `${via} ${to}`;
    return `route add ${vrf ? `vrf ${vrf} ` : ""}${end}`;
  });
  // Addresses of the default table would be found before those of a VRF, as that page says, too.
  return ["rule add pref 32765 table local", "rule del pref 0", ...vrfs, ...ports, ...added];
}

function labOf(routes: readonly Route[]): string {
  const pcs = ["k", "r"].flatMap((router) =>
    PORTS.map(({ net }, index) => `  ${router}${index}: { ip: 10.0.${net}.10/24, gateway: 10.0.${net}.1 }`),
  );
  const links = ["k", "r"].flatMap((router) =>
    PORTS.map(
      (_, index) => `  - { link: "${router}:${index} -- ${router}${index}", name: ${router}-${index} }`,
    ),
  );
  const ports = PORTS.map(({ vrf, net }) => ({ ipv4: `10.0.${net}.1/24`, ...(vrf && { vrf }) }));
  return `
nodes:
  k:
    type: linux
    image: debian
    ports: [[], [], [], [], [], []]
    files: { root/batch: ${JSON.stringify(commandsOf(routes).join("\n"))} }
    commands:
      - sysctl -qw net.ipv4.icmp_ratelimit=0 net.ipv4.route.error_cost=0 net.ipv4.icmp_msgs_per_sec=100000 net.ipv4.icmp_msgs_burst=100000
      - for each in /proc/sys/net/ipv4/conf/*/send_redirects; do echo 0 > $each; done
      - ip -batch /root/batch
  r: { type: router, ports: ${JSON.stringify(ports)}, routes: ${JSON.stringify(routes)} }
${pcs.join("\n")}
links:
${links.join("\n")}
`;
}

interface Sent {
  readonly port: number;
  readonly packet: Uint8Array;
}

/** Packet n: its number is the IPv4 identification, and so in the quote of an error. */
function drawPacket(number: number): Sent {
  const port = draws.below(PORTS.length);
  const { net } = PORTS[port]!;
  const own = `10.0.${draws.pick(PORTS).net}`;
  const target = draws.pick([
    drawAddress,
    drawAddress,
    drawAddress,
    () => parseIpv4(`${own}.10`)!,
    () => parseIpv4(`${own}.1`)!,
  ])();
  const source = draws.below(4) === 0 ? drawAddress() : parseIpv4(`10.0.${net}.10`)!;
  const ttl = draws.below(8) === 0 ? 1 : 2 + draws.below(60);
  const fields = { source, target, protocol: PROTOCOL, id: number, ttl };
  const [packet] = encodeIpv4(fields, draws.bytes(16));
  return { port, packet: packet! };
}

/** What a router did with each packet, by number: `2: ttl 5`, or `0: error 3/1 to 10.0.1.10`. */
function decisionsOf(frames: readonly LoggedFrame[], router: string): Map<number, string> {
  const decisions = new Map<number, string>();
  for (const { frame, from, fromPort } of frames) {
    const ip = etherType(frame) === ETHERTYPE_IPV4 ? decodeIpv4(frame, ETHERNET_HEADER_BYTES) : null;
    if (from !== router || ip === null) continue;
    const payload = frame.subarray(ETHERNET_HEADER_BYTES + ip.headerBytes);
    if (ip.protocol === PROTOCOL) note(decisions, ip.id, `${fromPort}: ttl ${ip.ttl}`);
    const quoted =
      ip.protocol === PROTOCOL_ICMP ? decodeQuote(payload.subarray(ICMP_HEADER_BYTES)) : undefined;
    // Errors of the PCs pass the routers, too.
    if (quoted !== undefined && ip.ttl >= 64)
      note(decisions, quoted, `${fromPort}: error ${payload[0]}/${payload[1]} to ${formatIpv4(ip.target)}`);
  }
  return decisions;
}

const decodeQuote = (quote: Uint8Array): number | undefined =>
  quote[9] === PROTOCOL ? quote[4]! * 256 + quote[5]! : undefined;

const note = (decisions: Map<number, string>, number: number, text: string): void =>
  void decisions.set(number, [...(decisions.get(number)?.split("; ") ?? []), text].toSorted().join("; "));

const event = (atNs: number, deed: LabEvent["deeds"][number]): LabEvent => ({
  atNs,
  name: "",
  deeds: [deed],
  place: undefined,
});

/** Gives the same packets to both routers. @returns what each decided, and the packets, by number. */
function exchange(routes: readonly Route[]): Record<"theirs" | "ours" | "packets", Map<number, string>> {
  const model = parseLabText(labOf(routes), "vrf.lab.yaml");
  const events: LabEvent[] = [];
  for (const [index, { net }] of PORTS.entries())
    for (const router of ["k", "r"]) {
      const commands = [`ping 10.0.${net}.1 -c 1`];
      events.push(event(PREPARED_S * 1e9, { kind: "console", node: `${router}${index}`, commands }));
    }
  const sent = Array.from({ length: PACKETS }, (_, index) => drawPacket(index + 1));
  for (const router of ["k", "r"]) {
    const { mac } = model.nodes.find(({ name }) => name === router)!.spec as { readonly mac: number };
    for (const port of PORTS.keys()) {
      const frames = sent.flatMap((each, index) =>
        each.port === port ? { offsetNs: index * GAP_NS, data: frameTo(mac + port, each.packet) } : [],
      );
      const from = { node: `${router}${port}`, port: 0 };
      events.push(event(START_S * 1e9, { kind: "replay", from, file: "", frames }));
    }
  }
  const log = new FrameLog();
  const durationNs = START_S * 1e9 + PACKETS * GAP_NS + 1e9;
  play({ ...model, events, durationNs }, { watchers: { timeline: log } });
  const packets = new Map(sent.map((each, index) => [index + 1, describePacket(each)]));
  return { theirs: decisionsOf(log.frames, "k"), ours: decisionsOf(log.frames, "r"), packets };
}

const frameTo = (mac: number, packet: Uint8Array): Uint8Array =>
  encodeEthernet(mac, SOURCE_MAC, ETHERTYPE_IPV4, packet);

function describePacket({ port, packet }: Sent): string {
  const { source, target, ttl } = decodeIpv4(packet, 0)!;
  return `port ${port}, ${formatIpv4(source)} to ${formatIpv4(target)}, ttl ${ttl}`;
}

describe.skipIf(!hasImage("debian"))(
  "VRFs and Linux's (skipped without the image: wirelab image build debian)",
  () => {
    test(`the same of ${PACKETS} packets are forwarded, refused and dropped, each in its own table`, () => {
      console.log(`The seed is ${draws.seed}: WIRELAB_SEED=${draws.seed} repeats the test`);
      const { theirs, ours, packets } = exchange(drawRoutes());
      const differences = [...packets].flatMap(([number, packet]) => {
        const [there, here] = [theirs.get(number), ours.get(number)];
        return there === here ? [] : `${packet}: ${there}; ours: ${here}`;
      });
      expect(differences.slice(0, 20)).toEqual([]);
      // There were some of each kind: forwarded, no route, an unreachable one, no such protocol, too many hops, and dropped.
      const all = [...ours.values()].join("\n");
      for (const kind of [": ttl ", "error 3/0", "error 3/1", "error 3/2", "error 11/0"])
        expect(all).toContain(kind);
      expect(ours.size).toBeLessThan(PACKETS - 20);
    });
  },
);
