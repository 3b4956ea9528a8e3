/** PCs and scripted hosts on the bench. */
import type { Device, World } from "@wirelab/engine/devices/device";
import { Pc, type PcSpec, type PcState } from "@wirelab/engine/devices/pc/index";
import { initialPcState } from "@wirelab/engine/devices/pc/state";
import { ARP_REPLY, ARP_REQUEST, decodeArp, encodeArp } from "@wirelab/engine/wire/arp";
import { ETHERTYPE_IPV4, encodeEthernet, sourceMac } from "@wirelab/engine/wire/ethernet";
import { encodeIcmp } from "@wirelab/engine/wire/icmp";
import {
  decodeIpv4,
  encodeIpv4,
  type Ipv4Fields,
  type Ipv4Header,
  PROTOCOL_ICMP,
} from "@wirelab/engine/wire/ipv4";
import { parseIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { DeviceBench } from "../../../../../helpers/engine/device-bench.ts";

export const ipv4 = (text: string): number => parseIpv4(text) as number;

const makePc =
  (index: number, state: Partial<PcState> = {}) =>
  (world: World): Pc => {
    const spec: PcSpec = { type: "vpcs", name: "VPCS", index, startupScript: "" };
    return new Pc(spec, world, { ...initialPcState(spec), ...state });
  };

/** One PC, A, without a link. */
export function onePc(state?: Partial<PcState>): { bench: DeviceBench; pc: Pc } {
  const bench = new DeviceBench();
  return { bench, pc: bench.add("A", makePc(0, state)) };
}

/** A (10.0.0.1, gateway 10.0.0.254) and B (10.0.0.2), linked. */
export function twoPcs(): DeviceBench {
  const { bench } = onePc();
  bench.add("B", makePc(1));
  bench.wire(["A", 0], ["B", 0]);
  bench.type("A", "ip 10.0.0.1/24 10.0.0.254");
  bench.type("B", "ip 10.0.0.2/24");
  return bench;
}

/** Maps a packet that the host receives to its reply. */
export type Answer = (packet: Ipv4Header, payload: Uint8Array, frame: Uint8Array) => ReplyPacket | undefined;

export interface ReplyPacket {
  readonly from: string;
  readonly protocol: number;
  readonly payload: Uint8Array;
  readonly ttl?: number;
}

const MAC = 0x0200_0000_0099;

/** Answers ARP requests for every address except the absent ones; answers packets as the test decides. */
export class ScriptedHost implements Device {
  readonly processingNs = 100_000;
  readonly forwards = false;
  readonly console = undefined;
  readonly #world: World;
  readonly #absent: readonly number[];
  answer: Answer = () => undefined;
  /** Headers of the received packets, in order. */
  readonly packets: Ipv4Header[] = [];

  constructor(world: World, absent: readonly string[]) {
    this.#world = world;
    this.#absent = absent.map(ipv4);
  }

  start(): void {}
  resume(): void {}
  saveState(): unknown {
    return undefined;
  }

  receive(_port: number, frame: Uint8Array): void {
    const arp = decodeArp(frame);
    if (arp?.opcode === ARP_REQUEST && arp.senderIp !== arp.targetIp) this.#answerArp(frame, arp.targetIp);
    const header = decodeIpv4(frame, 14);
    if (header === null) return;
    this.packets.push(header);
    const payload = frame.subarray(14 + header.headerBytes, 14 + header.totalBytes);
    const reply = this.answer(header, payload, frame);
    if (reply)
      this.send(sourceMac(frame), { ...fieldsOf(header, reply), ttl: reply.ttl ?? 255 }, reply.payload);
  }

  send(targetMac: number, fields: Ipv4Fields, payload: Uint8Array): void {
    const [packet] = encodeIpv4(fields, payload);
    this.#world.send(0, encodeEthernet(targetMac, MAC, ETHERTYPE_IPV4, packet!));
  }

  #answerArp(frame: Uint8Array, targetIp: number): void {
    const asker = decodeArp(frame)!;
    if (this.#absent.includes(targetIp)) return;
    const { senderMac, senderIp } = asker;
    const reply = {
      opcode: ARP_REPLY,
      senderMac: MAC,
      senderIp: targetIp,
      targetMac: senderMac,
      targetIp: senderIp,
    };
    this.#world.send(0, encodeArp(senderMac, MAC, reply));
  }
}

const fieldsOf = ({ source }: Ipv4Header, { from, protocol }: ReplyPacket): Ipv4Fields => ({
  source: ipv4(from),
  target: source,
  protocol,
});

/** A (10.0.0.1/24, gateway 10.0.0.254), linked to a scripted host. */
export function pcAndHost(absent: readonly string[] = []): { bench: DeviceBench; host: ScriptedHost } {
  const { bench } = onePc();
  const host = bench.add("H", (world) => new ScriptedHost(world, absent));
  bench.wire(["A", 0], ["H", 0]);
  bench.type("A", "ip 10.0.0.1/24 10.0.0.254");
  return { bench, host };
}

/** An ICMP error about a frame, in a router's form. */
export function icmpError(
  from: string,
  type: number,
  code: number,
  frame: Uint8Array,
  rest = 0,
): ReplyPacket {
  return { from, protocol: PROTOCOL_ICMP, payload: encodeIcmp(type, code, rest, frame.slice(14, 42)) };
}

/** What a command prints, without prompts and the echoed line; round-trip times are replaced by T. */
export function output(bench: DeviceBench, name: string, line: string): string {
  const transcript = timeless(bench.type(name, line));
  const [, body] = /^[^\n]*\n([\s\S]*)\n[^\n]*> $/.exec(transcript) ?? [];
  if (body === undefined) throw new Error(`no prompt at the end of ${JSON.stringify(transcript)}`);
  return body;
}

export const timeless = (text: string): string => text.replaceAll(/\d+\.\d{3} ?ms/g, "T ms");
