/** Measures a router alone: packets per second of processor time, forwarded, filtered and translated. */

import { makeStream } from "@wirelab/engine/base/random";
import type { World } from "@wirelab/engine/devices/device";
import { parseRouterProperties, Router } from "@wirelab/engine/devices/router/index";
import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { encodeUdp4 } from "@wirelab/engine/wire/udp";
import { FrameSlab } from "../../packages/engine/base/frame-slab.ts";
import { initialRouterState } from "../../packages/engine/devices/router/shell/state.ts";
import { median } from "./engine-measure.ts";

const ROUNDS = 7;
const FLOWS = 1_000;
const PASSES = 150;
const NOW_US = 1_767_225_600_000_000;
const ROUTER_MAC = 0x0200_0000_0100;
const HOST_MAC = 0x0200_0000_000a;
const SERVER = 0x0a00_020a;
const OWN = 0x0a00_0201;
const WANTED_PACKETS_PER_SECOND = 500_000;
const STATEFUL = [
  { name: "L", rules: ["permit ip any any state established,related", "permit udp any any eq 53 state new"] },
];
const NAT = { source: [{ out: "Ethernet1", from: "10.0.1.0/24" }] };

interface Case {
  readonly name: string;
  readonly properties: object;
  readonly acl?: string;
  readonly wanted?: number;
}

const CASES: readonly Case[] = [
  { name: "forwarded", properties: {} },
  { name: "by a list of 20 rules", properties: { acls: [{ name: "L", rules: rules() }] }, acl: "L" },
  { name: "by the state of connections", properties: { acls: STATEFUL }, acl: "L" },
  { name: "translated (PAT)", properties: { nat: NAT }, wanted: WANTED_PACKETS_PER_SECOND },
];

function rules(): string[] {
  const before = Array.from({ length: 19 }, (_, index) => `deny tcp any host 10.0.2.${index + 20} eq 80`);
  return [...before, "permit udp any any eq 53"];
}

export function benchRouter(): void {
  console.log(
    `A router alone, ${FLOWS} UDP flows of 128-byte frames; medians of ${ROUNDS}, a second of processor time`,
  );
  for (const each of CASES) {
    const rates = Array.from({ length: ROUNDS }, () => measure(each));
    const rate = median(rates);
    const share = each.wanted
      ? `   ${(rate / each.wanted).toFixed(2)} x the target of ${each.wanted.toLocaleString("en-US")}`
      : "";
    console.log(
      `  ${`packets, ${each.name}`.padEnd(42)}${Math.round(rate).toLocaleString("en-US").padStart(12)} /s${share}`,
    );
  }
}

/** Half of the packets go out, half come back if they are translated or tracked. */
function measure({ properties, acl }: Case): number {
  let sent = 0;
  const world: World = {
    nowUs: NOW_US,
    random: makeStream("bench", "router"),
    frames: new FrameSlab(),
    send: () => {
      sent += 1;
    },
    after: () => ({ cancel() {} }),
    print() {},
  };
  const inside = { ipv4: "10.0.1.1/24", ...(acl && { acl_in: acl }) };
  const parsed = parseRouterProperties({ ports: [inside, { ipv4: "10.0.2.1/24" }], ...properties });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const hosts = Array.from(
    { length: 200 },
    (_, index) => [0, 0x0a00_010a + index, HOST_MAC, Number.MAX_SAFE_INTEGER] as const,
  );
  const arp = [...hosts, [1, SERVER, HOST_MAC, Number.MAX_SAFE_INTEGER] as const];
  const state = { ...initialRouterState(parsed.config), arp };
  const router = new Router({ type: "router", name: "R", mac: ROUTER_MAC, ...parsed.config }, world, state);
  const isTranslated = "nat" in properties;
  const frames = Array.from({ length: FLOWS }, (_, index) => {
    const source = 0x0a00_010a + (index % 200);
    const sourcePort = 2_000 + index;
    const back = isTranslated ? OWN : source;
    return [
      frame(source, SERVER, sourcePort, 53, ROUTER_MAC),
      frame(SERVER, back, 53, sourcePort, ROUTER_MAC + 1),
    ] as const;
  });
  const play = (): void => {
    for (const [out, back] of frames) {
      router.receive(0, out);
      router.receive(1, back);
    }
  };
  play();
  if (sent !== 2 * FLOWS) throw new Error(`${sent} of ${2 * FLOWS} packets passed`);
  const begin = process.cpuUsage();
  for (let pass = 0; pass < PASSES; pass++) play();
  const { user, system } = process.cpuUsage(begin);
  return (2 * FLOWS * PASSES) / ((user + system) / 1e6);
}

function frame(
  source: number,
  target: number,
  sourcePort: number,
  targetPort: number,
  mac: number,
): Uint8Array {
  const datagram = encodeUdp4(source, target, { sourcePort, targetPort, data: new Uint8Array(86) });
  return encodeEthernet(mac, HOST_MAC, 0x0800, encodeIpv4({ source, target, protocol: 17 }, datagram)[0]!);
}
