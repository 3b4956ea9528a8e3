/** A host for tests: answers for its addresses, records every other frame, and sends frames for the test. */

import type { Device, World } from "@wirelab/engine/devices/device";
import {
  parseRouterProperties,
  Router,
  type RouterSpec,
  type RouterState,
} from "@wirelab/engine/devices/router/index";
import { ARP_REPLY, ARP_REQUEST, decodeArp, encodeArp } from "@wirelab/engine/wire/arp";
import {
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
  encodeEthernet,
  etherType,
  sourceMac,
} from "@wirelab/engine/wire/ethernet";
import {
  decodeNeighbour,
  encodeNeighbour,
  NEIGHBOUR_ADVERTISEMENT,
  NEIGHBOUR_SOLICITATION,
} from "@wirelab/engine/wire/icmpv6";
import {
  decodeIpv4,
  encodeIpv4,
  type Ipv4Fields,
  type Ipv4Header,
  PROTOCOL_ICMPV6,
} from "@wirelab/engine/wire/ipv4";
import { parseIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { decodeIpv6, encodeIpv6Checked, type Ipv6Fields, type Ipv6Header } from "@wirelab/engine/wire/ipv6";
import { linkLocalOf, parseIpv6 } from "@wirelab/engine/wire/ipv6-address";
import { expect } from "vitest";
import { checksum, pseudoHeaderSum6 } from "../../../../../packages/engine/base/checksum.ts";
import { DeviceBench } from "../../../../helpers/engine/device-bench.ts";

export const ROUTER_MAC = 0x0200_0000_0100;
export const ip = (text: string): number => parseIpv4(text)!;
export const ip6 = (text: string): bigint => parseIpv6(text)!;

export interface Packet4 {
  readonly header: Ipv4Header;
  readonly payload: Uint8Array;
  readonly frame: Uint8Array;
}

export interface Packet6 {
  readonly header: Ipv6Header;
  readonly payload: Uint8Array;
  readonly frame: Uint8Array;
}

export class Probe implements Device {
  readonly processingNs = 0;
  readonly forwards = false;
  readonly console = undefined;
  readonly mac: number;
  readonly address4: number;
  readonly address6: bigint;
  /** Answers ARP requests and neighbour solicitations for its addresses. */
  answers = true;
  readonly received: Uint8Array[] = [];
  readonly #world: World;

  constructor(world: World, mac: number, address4: string, address6 = "::") {
    this.#world = world;
    this.mac = mac;
    this.address4 = ip(address4);
    this.address6 = ip6(address6);
  }

  start(): void {}

  resume(): void {}

  saveState(): null {
    return null;
  }

  receive(_port: number, frame: Uint8Array): void {
    this.received.push(frame);
    if (this.answers) this.#answer(frame);
  }

  /** IPv4 packets in the order of arrival. @throws Error for an invalid header checksum. */
  get packets4(): Packet4[] {
    return this.received.filter((frame) => etherType(frame) === ETHERTYPE_IPV4).map(unwrap4);
  }

  /** IPv6 packets except neighbour discovery. @throws Error for an invalid ICMPv6 checksum. */
  get packets6(): Packet6[] {
    return this.#allPackets6.filter(({ payload }) => (payload[0] as number) < 133);
  }

  get discovery(): Packet6[] {
    return this.#allPackets6.filter(({ payload }) => (payload[0] as number) >= 133);
  }

  get #allPackets6(): Packet6[] {
    return this.received.filter((frame) => etherType(frame) === ETHERTYPE_IPV6).map(unwrap6);
  }

  send(frame: Uint8Array): void {
    this.#world.send(0, frame);
  }

  send4(targetMac: number, fields: Partial<Ipv4Fields> & { target: number }, payload: Uint8Array): void {
    const whole: Ipv4Fields = { source: this.address4, protocol: 253, ...fields };
    for (const packet of encodeIpv4(whole, payload, 1_500))
      this.send(encodeEthernet(targetMac, this.mac, ETHERTYPE_IPV4, packet));
  }

  send6(targetMac: number, fields: Partial<Ipv6Fields> & { target: bigint }, payload: Uint8Array): void {
    const whole = { source: this.address6, nextHeader: PROTOCOL_ICMPV6, ...fields };
    const packet = encodeIpv6Checked(whole, payload);
    this.send(encodeEthernet(targetMac, this.mac, ETHERTYPE_IPV6, packet));
  }

  #answer(frame: Uint8Array): void {
    const arp = decodeArp(frame);
    if (arp?.opcode === ARP_REQUEST && arp.targetIp === this.address4) {
      const { senderMac, senderIp } = arp;
      const reply = {
        opcode: ARP_REPLY,
        senderMac: this.mac,
        senderIp: this.address4,
        targetMac: senderMac,
        targetIp: senderIp,
      };
      this.send(encodeArp(senderMac, this.mac, reply));
    }
    if (etherType(frame) === ETHERTYPE_IPV6) this.#answerSolicitation(frame);
  }

  #answerSolicitation(frame: Uint8Array): void {
    const packet = readPacket6(frame);
    // The router forwards payloads unchecked, so a damaged packet may arrive; the probe ignores it.
    if (typeof packet === "string") return;
    const { header, payload } = packet;
    const neighbour = decodeNeighbour(payload);
    if (neighbour?.type !== NEIGHBOUR_SOLICITATION) return;
    if (neighbour.target !== this.address6 && neighbour.target !== linkLocalOf(this.mac)) return;
    const answer = {
      type: NEIGHBOUR_ADVERTISEMENT,
      flags: 0x6000_0000,
      target: neighbour.target,
      mac: this.mac,
    };
    this.send6(
      sourceMac(frame),
      { target: header.source, hopLimit: 255 },
      encodeNeighbour(answer as Parameters<typeof encodeNeighbour>[0]),
    );
  }
}

export function unwrap4(frame: Uint8Array): Packet4 {
  const header = decodeIpv4(frame, 14);
  if (header === null) throw new Error("no whole IPv4 packet");
  if (checksum(frame, 14, 14 + header.headerBytes) !== 0) throw new Error("the header checksum is wrong");
  return { header, frame, payload: frame.subarray(14 + header.headerBytes, 14 + header.totalBytes) };
}

function unwrap6(frame: Uint8Array): Packet6 {
  const packet = readPacket6(frame);
  if (typeof packet === "string") throw new Error(packet);
  return packet;
}

/** @returns the packet, or a description of its fault. */
function readPacket6(frame: Uint8Array): Packet6 | string {
  const header = decodeIpv6(frame, 14);
  if (header === null) return "no whole IPv6 packet";
  const payload = frame.subarray(54, 54 + header.payloadBytes);
  const sum = pseudoHeaderSum6(frame, 14, header.nextHeader, payload.length);
  if (header.nextHeader === PROTOCOL_ICMPV6 && checksum(payload, 0, payload.length, sum) !== 0)
    return "the ICMPv6 checksum is wrong";
  return { header, frame, payload };
}

export function specOf(properties: unknown, name = "R1"): RouterSpec {
  const parsed = parseRouterProperties(properties);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return { type: "router", name, mac: ROUTER_MAC, ...parsed.config };
}

export interface Bed {
  readonly bench: DeviceBench;
  readonly router: Router;
  /** Probe on port 0: 10.0.1.10 and 2001:db8:1::10. */
  readonly a: Probe;
  /** Probe on port 1: 10.0.2.10 and 2001:db8:2::10. */
  readonly b: Probe;
}

export const TWO_SUBNETS = {
  ports: [
    { ipv4: "10.0.1.1/24", ipv6: "2001:db8:1::1/64" },
    { ipv4: "10.0.2.1/24", ipv6: "2001:db8:2::1/64" },
  ],
};

export const MAC_A = 0x0200_0000_000a;
export const MAC_B = 0x0200_0000_000b;

/** A router between two probes. */
export function makeBed(properties: unknown = TWO_SUBNETS, state?: RouterState): Bed {
  const bench = new DeviceBench();
  const router = bench.add("R1", (world) => new Router(specOf(properties), world, state));
  const a = bench.add("A", (world) => new Probe(world, MAC_A, "10.0.1.10", "2001:db8:1::10"));
  const b = bench.add("B", (world) => new Probe(world, MAC_B, "10.0.2.10", "2001:db8:2::10"));
  bench.wire(["A", 0], ["R1", 0]);
  bench.wire(["B", 0], ["R1", 1]);
  router.start();
  return { bench, router, a, b };
}

/** The output of a command, without prompts and the line itself. */
export function say({ bench, router }: Pick<Bed, "bench" | "router">, line: string): string[] {
  const start = `${router.console.prompt}${line}\n`;
  const transcript = bench.type("R1", line);
  const end = `\n${router.console.prompt}`;
  expect([transcript.startsWith(start), transcript.endsWith(end)]).toEqual([true, true]);
  return transcript.slice(start.length, -end.length).split("\n").slice(0, -1);
}

/** Types lines in configuration mode, which must print nothing. */
export function paste(bed: Pick<Bed, "bench" | "router">, lines: readonly string[]): void {
  for (const line of ["configure terminal", ...lines, "end"])
    expect([line, ...say(bed, line)]).toEqual([line]);
}

/** The running configuration, each line of a block behind the head of its block: `Ethernet0: mtu 1400`. */
export function shownLines(bed: Pick<Bed, "bench" | "router">): string[] {
  const lines = say(bed, "show running-config");
  let head = "";
  return lines.flatMap((line, index) => {
    if (line.startsWith(" ")) return [`${head}: ${line.trim()}`];
    head = line.replace(/^interface /, "");
    return line === "exit" || lines[index + 1]?.startsWith(" ") ? [] : [line];
  });
}

export const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => index);
