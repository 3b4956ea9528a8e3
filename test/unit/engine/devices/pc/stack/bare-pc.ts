/** A PC's stack without its console, and a bench that delivers frames to it one by one. */
import type { Device, World } from "@wirelab/engine/devices/device";
import { initialPcState, macOfPc, type PcSpec, type PcState } from "@wirelab/engine/devices/pc/state";
import { ARP_REPLY, ARP_REQUEST, encodeArp } from "@wirelab/engine/wire/arp";
import { ETHERTYPE_IPV4, encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeIpv4, type Ipv4Fields } from "@wirelab/engine/wire/ipv4";
import { parseIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { BROADCAST_MAC } from "@wirelab/engine/wire/mac";
import type { Script } from "../../../../../../packages/engine/devices/pc/host.ts";
import { Scripts } from "../../../../../../packages/engine/devices/pc/scripts.ts";
import { PcHost } from "../../../../../../packages/engine/devices/pc/stack/pc-host.ts";
import { Receiver } from "../../../../../../packages/engine/devices/pc/stack/receive.ts";
import { DeviceBench } from "../../../../../helpers/engine/device-bench.ts";

export const ip = (text: string): number => parseIpv4(text)!;

export const A_MAC = macOfPc(0);
export const B_MAC = macOfPc(1);
export const GATEWAY_MAC = 0x0200_0000_00fe;
export const A_IP = ip("10.0.0.1");
export const B_IP = ip("10.0.0.2");
export const GATEWAY_IP = ip("10.0.0.254");
export const FAR_IP = ip("192.0.2.9");

export const specOf = (index: number, startupScript = ""): PcSpec => ({
  type: "vpcs",
  name: `PC${index + 1}`,
  index,
  startupScript,
});

/** Starts a script that has no kind of its own. */
export function spawnScript(scripts: Scripts, script: Script<unknown>): { stop(): void } {
  scripts.define("test", () => script);
  return scripts.spawn("test", {});
}

/** 10.0.0.1 for PC 0, 10.0.0.2 for PC 1, all /24 and without a gateway. */
export function stateOf(index: number): PcState {
  const state = initialPcState(specOf(index));
  state.ipv4 = { address: A_IP + index, prefixLength: 24, gateway: 0 };
  return state;
}

export class BarePc implements Device {
  readonly processingNs = 100_000;
  readonly forwards = false;
  readonly console = undefined;
  readonly scripts: Scripts;
  readonly host: PcHost;
  readonly #receiver: Receiver;

  constructor(world: World, state: PcState, mac: number, { ignoresChecksums = false } = {}) {
    this.scripts = new Scripts(world);
    this.host = new PcHost(world, state, mac, this.scripts);
    this.#receiver = new Receiver(this.host, this.scripts, ignoresChecksums);
  }

  /** Starts a script that has no kind of its own. */
  spawn(script: Script<unknown>): { stop(): void } {
    return spawnScript(this.scripts, script);
  }

  start(): void {}

  resume(): void {}

  receive(_port: number, frame: Uint8Array): void {
    this.#receiver.receive(frame);
  }

  saveState(): PcState {
    return this.host.state;
  }
}

/** A PC at 10.0.0.1/24 without a link. */
export class LonePc {
  readonly bench = new DeviceBench();
  readonly state = stateOf(0);
  readonly pc: BarePc;

  constructor(options: { ignoresChecksums?: boolean } = {}) {
    this.pc = this.bench.add("A", (world) => new BarePc(world, this.state, A_MAC, options));
  }

  get host(): PcHost {
    return this.pc.host;
  }

  /** Delivers frames in order; returns all frames sent until the PC is idle. */
  hear(...frames: readonly Uint8Array[]): Uint8Array[] {
    const before = this.bench.frames.length;
    for (const frame of frames) this.bench.inject("A", 0, frame);
    this.bench.run();
    return this.sent(before);
  }

  /** Delivers frames without advancing time. */
  hearNow(...frames: readonly Uint8Array[]): Uint8Array[] {
    const before = this.bench.frames.length;
    for (const frame of frames) this.pc.receive(0, frame);
    return this.sent(before);
  }

  sent(from = 0): Uint8Array[] {
    return this.bench.frames.slice(from).map(({ frame }) => frame);
  }

  pass(seconds: number): void {
    this.bench.run(this.bench.nowUs + seconds * 1_000_000);
  }
}

export interface Ends {
  readonly targetMac?: number;
  readonly sourceMac?: number;
}

/** Frames that carry a datagram from B to A, unless the test overrides it. */
export function ipv4Frames(
  fields: Partial<Ipv4Fields> & Pick<Ipv4Fields, "protocol">,
  payload: Uint8Array,
  { targetMac = A_MAC, sourceMac = B_MAC }: Ends = {},
  mtuBytes = 65_535,
): Uint8Array[] {
  const packets = encodeIpv4({ source: B_IP, target: A_IP, id: 0x1234, ...fields }, payload, mtuBytes);
  return packets.map((packet) => encodeEthernet(targetMac, sourceMac, ETHERTYPE_IPV4, packet));
}

export function ipv4Frame(...args: Parameters<typeof ipv4Frames>): Uint8Array {
  return ipv4Frames(...args)[0]!;
}

export const arpReply = (senderIp: number, senderMac: number, targetIp = A_IP, to = A_MAC): Uint8Array =>
  encodeArp(to, senderMac, { opcode: ARP_REPLY, senderMac, senderIp, targetMac: A_MAC, targetIp });

export const arpRequest = (senderIp: number, senderMac: number, targetIp = A_IP, frameBytes = 42) =>
  encodeArp(
    BROADCAST_MAC,
    senderMac,
    { opcode: ARP_REQUEST, senderMac, senderIp, targetMac: 0, targetIp },
    frameBytes,
  );

export const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/[0-9a-f]{2}/g) ?? [], (pair) => Number.parseInt(pair, 16));

export const hexOf = (bytes: Uint8Array | undefined): string =>
  [...(bytes ?? [])].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");

/** `from`, `from + 1`, …: data whose order a test can check. */
export const counting = (length: number, from = 0): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => index + from);
