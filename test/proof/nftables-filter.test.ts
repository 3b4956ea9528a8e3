/** Our access lists and the kernel's nftables with the same rules decide about the same random packets. */

import { formatAnyPrefix } from "@wirelab/engine/net/address/prefix";
import { formatIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseRule } from "../../packages/engine/devices/router/services/firewall/parse-rule.ts";
import type { PortRange, Rule } from "../../packages/engine/devices/router/services/firewall/rule.ts";
import { TCP_ACK, TCP_FIN, TCP_RST, TCP_SYN } from "../../packages/engine/wire/tcp.ts";
import { Draws } from "../helpers/nftables/draws.ts";
import { KernelRouter, nftablesObstacle } from "../helpers/nftables/kernel-router.ts";
import { INSIDE_HOSTS, OUTSIDE_HOSTS } from "../helpers/nftables/network.ts";
import { OurRouter } from "../helpers/nftables/our-router.ts";
import { frameOf, icmp, tcp, udp } from "../helpers/nftables/packets.ts";

const why = nftablesObstacle();
const LISTS = 40;
const RULES = 8;
const PACKETS_PER_LIST = 260;
const PORTS = [0, 1, 22, 53, 80, 443, 1_023, 1_024, 8_080, 65_535];
const TYPES = [0, 3, 5, 8, 11, 12, 13];

const draws = new Draws(process.env.WIRELAB_SEED);

const word = (options: readonly string[]): string => draws.pick(options);

function drawRule(): string {
  const action = draws.below(5) < 3 ? "permit" : "deny";
  const protocol = word(["ip", "tcp", "tcp", "udp", "udp", "icmp", "47"]);
  const hasPorts = protocol === "tcp" || protocol === "udp";
  const ports = (): string => (hasPorts && draws.below(2) === 0 ? drawPorts() : "");
  const words = [
    action,
    protocol,
    drawEnd("10.0.1", INSIDE_HOSTS),
    ports(),
    drawEnd("10.0.2", OUTSIDE_HOSTS),
    ports(),
  ];
  if (protocol === "icmp" && draws.below(2) === 0)
    words.push(`type ${draws.pick(TYPES)}`, draws.below(2) === 0 ? `code ${draws.below(2)}` : "");
  if (protocol === "tcp" && draws.below(4) === 0) words.push("established");
  return words.filter((each) => each !== "").join(" ");
}

function drawPorts(): string {
  const [one, other] = [draws.pick(PORTS), draws.pick(PORTS)];
  return one >= other ? `eq ${one}` : `range ${one} ${other}`;
}

function drawEnd(network: string, hosts: readonly number[]): string {
  return word([
    "any",
    "any",
    `${network}.0/24`,
    `${network}.12/30`,
    `${network}.10/31`,
    `host ${formatIpv4(draws.pick(hosts))}`,
  ]);
}

/**
 * A rule of ours as rules of nftables, which would take the data of a later fragment for a header. A rule of ours that permits ports
 * permits later fragments of its addresses, too.
 */
function toNft(rule: Rule): string[] {
  const family = [
    ...(rule.protocol === undefined ? [] : [`ip protocol ${rule.protocol}`]),
    ...(rule.from ? [`ip saddr ${formatAnyPrefix(rule.from)}`] : []),
    ...(rule.to ? [`ip daddr ${formatAnyPrefix(rule.to)}`] : []),
  ];
  const upper = [
    ...range("sport", rule.protocol, rule.fromPorts),
    ...range("dport", rule.protocol, rule.toPorts),
    ...(rule.icmpType === undefined ? [] : [`icmp type ${rule.icmpType}`]),
    ...(rule.icmpCode === undefined ? [] : [`icmp code ${rule.icmpCode}`]),
    ...(rule.established ? ["tcp flags & (ack | rst) != 0"] : []),
  ];
  const verdict = rule.action === "permit" ? "accept" : "drop";
  const first = upper.length > 0 ? ["ip frag-off & 0x1fff == 0"] : [];
  const lines = [[...family, ...first, ...upper, "counter", verdict].join(" ")];
  if (upper.length > 0 && rule.action === "permit")
    lines.push([...family, "ip frag-off & 0x1fff != 0", "counter", verdict].join(" "));
  return lines;
}

const range = (key: string, protocol: number | undefined, ports: PortRange | undefined): string[] =>
  ports
    ? [`${protocol === 6 ? "tcp" : "udp"} ${key} ${ports.first}-${ports.last}`.replace(/ (\d+)-\1$/, " $1")]
    : [];

function drawFrame(): Uint8Array {
  const [source, target] = [draws.pick(INSIDE_HOSTS), draws.pick(OUTSIDE_HOSTS)];
  const ends = { source, target, sourcePort: draws.pick(PORTS), targetPort: draws.pick(PORTS) };
  const fields = {
    source,
    target,
    id: draws.below(65_536),
    ttl: 2 + draws.below(200),
    typeOfService: draws.below(256),
  };
  const flags = [TCP_SYN, TCP_ACK, TCP_SYN | TCP_ACK, TCP_RST, TCP_FIN | TCP_ACK, 0, 0xff][draws.below(7)]!;
  const [protocol, payload] = draws.pick([
    () => tcp(ends, flags, draws.below(40)),
    () => udp(ends, draws.below(40)),
    () => icmp(draws.pick(TYPES), draws.below(3), draws.below(40)),
    () => [47, draws.bytes(16)] as const,
  ])();
  const isFragment = draws.below(10) === 0;
  const fragment = isFragment
    ? { fragmentOffset: 8 * draws.below(3), moreFragments: draws.below(2) === 0 }
    : {};
  return frameOf(0, { ...fields, protocol, ...fragment }, payload);
}

describe.skipIf(why !== undefined)(`access lists and nftables${why ? ` (skipped: ${why})` : ""}`, () => {
  let kernel: KernelRouter;
  beforeAll(() => {
    console.log(`The seed is ${draws.seed}: WIRELAB_SEED=${draws.seed} repeats the test`);
    kernel = new KernelRouter([...INSIDE_HOSTS, ...OUTSIDE_HOSTS]);
  });
  afterAll(() => kernel?.end());

  test.each(["in", "out"] as const)(
    `let the same of ${(LISTS / 2) * PACKETS_PER_LIST} packets pass, unchanged, and count them (%s)`,
    async (direction) => {
      let passed = 0;
      for (let list = 0; list < LISTS / 2; list++) {
        const rules = Array.from({ length: RULES }, drawRule);
        const parsed = rules.map((text) => parseRule("ipv4", text, 0) as Rule);
        const hook =
          direction === "in"
            ? 'prerouting priority -150; iifname != "ra" accept'
            : 'postrouting priority 150; oifname != "rb" accept';
        kernel.load(
          `table ip t { chain c { type filter hook ${hook}; ip protocol 254 accept; ${parsed.flatMap(toNft).join("; ")}; counter drop\n}\n}`,
        );
        const port = { ipv4: direction === "in" ? "10.0.1.1/24" : "10.0.2.1/24", [`acl_${direction}`]: "L" };
        const ports = direction === "in" ? [port, { ipv4: "10.0.2.1/24" }] : [{ ipv4: "10.0.1.1/24" }, port];
        const ours = new OurRouter({ ports, acls: [{ name: "L", rules }] }, [
          ...INSIDE_HOSTS,
          ...OUTSIDE_HOSTS,
        ]);
        for (let count = 0; count < PACKETS_PER_LIST; count++) {
          const frame = drawFrame();
          const theirs = await kernel.exchange(0, frame);
          expect({ rules, frame, sent: ours.exchange(0, frame) }).toEqual({ rules, frame, sent: theirs });
          passed += theirs.length;
        }
        const counters = [...kernel.list("table", "ip", "t").matchAll(/counter packets (\d+)/g)].map(
          ([, packets]) => Number(packets),
        );
        const hits = parsed.map((rule) => toNft(rule).reduce((sum) => sum + counters.shift()!, 0));
        expect(ours.router.saveState().firewall?.acls?.hits).toEqual({ L: [...hits, counters.shift()] });
      }
      expect(passed).toBeGreaterThan((LISTS * PACKETS_PER_LIST) / 20);
    },
  );
});
