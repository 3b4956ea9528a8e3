/** A PC without a console of its own: what its scripts and its IPv6 answers are tested with, by themselves. */
import type { Device, DeviceConsole, World } from "../../functions/engine/devices/device.ts";
import type { Host, Received, Script } from "../../functions/engine/devices/pc/host.ts";
import { receiveIpv6 } from "../../functions/engine/devices/pc/ipv6/receive.ts";
import { Scripts } from "../../functions/engine/devices/pc/scripts.ts";
import { answerArp, probeDuplicateArp, resolveArp } from "../../functions/engine/devices/pc/stack/arp.ts";
import { learnArp } from "../../functions/engine/devices/pc/stack/arp-table.ts";
import { initialPcState, macOfPc, type PcState } from "../../functions/engine/devices/pc/state.ts";
import { decodeArp } from "../../functions/engine/wire/arp.ts";
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
  encodeEthernet,
  etherType,
  sourceMac,
  targetMac,
} from "../../functions/engine/wire/ethernet.ts";
import { decodeIpv4, encodeIpv4, type Ipv4Fields } from "../../functions/engine/wire/ipv4.ts";
import { maskOf, sameSubnet } from "../../functions/engine/wire/ipv4-address.ts";
import {
  decodeIpv6,
  encodeIpv6Checked,
  IPV6_HEADER_BYTES,
  type Ipv6Fields,
} from "../../functions/engine/wire/ipv6.ts";
import { linkLocalOf } from "../../functions/engine/wire/ipv6-address.ts";
import { BROADCAST_MAC, isGroupMac } from "../../functions/engine/wire/mac.ts";
import { DeviceBench } from "./device-bench.ts";

type Command = (host: Host) => Script<unknown>;

export class ScriptPc implements Device, Host {
  readonly processingNs = 1_000;
  readonly forwards = false;
  readonly console: DeviceConsole;
  readonly world: World;
  readonly mac: number;
  readonly linkLocal: bigint;
  state: PcState;
  readonly #scripts: Scripts;
  /** What the next line that is entered runs. */
  #command: Command | undefined;

  constructor(index: number, world: World, state?: PcState) {
    const spec = { type: "vpcs", name: `PC${index + 1}`, index, startupScript: "" } as const;
    this.world = world;
    this.mac = macOfPc(index);
    this.linkLocal = linkLocalOf(this.mac);
    this.state = state ?? initialPcState(spec);
    this.#scripts = new Scripts(world);
    this.console = { prompt: "", enter: (_line, done) => this.#run(done), interrupt: () => undefined };
  }

  setCommand(command: Command): void {
    this.#command = command;
  }

  #run(done: () => void): void {
    const command = this.#command!;
    const host = this;
    host.spawn(
      (function* (): Script {
        yield* command(host);
        done();
      })(),
    );
  }

  start(): void {}

  resume(): void {}

  saveState(): PcState {
    return JSON.parse(JSON.stringify(this.state));
  }

  receive(_port: number, frame: Uint8Array): void {
    const packet = this.#decode(frame);
    if (packet?.kind === "arp") learnArp(this.state, packet.arp, this.world.nowUs);
    if (packet === undefined || this.#scripts.offer(packet)) return;
    if (packet.kind === "arp") answerArp(this, packet);
    if (packet.kind === "ipv6") receiveIpv6(this, packet);
  }

  #decode(frame: Uint8Array): Received | undefined {
    if (frame.length < ETHERNET_HEADER_BYTES || isGroupMac(sourceMac(frame))) return undefined;
    const macs = { frame, sourceMac: sourceMac(frame), targetMac: targetMac(frame) };
    if (macs.targetMac !== this.mac && !isGroupMac(macs.targetMac)) return undefined;
    const arp = decodeArp(frame);
    if (arp) return { kind: "arp", ...macs, arp };
    if (etherType(frame) === ETHERTYPE_IPV4) {
      const header = decodeIpv4(frame, ETHERNET_HEADER_BYTES);
      if (header === null || (isGroupMac(macs.targetMac) && macs.targetMac !== BROADCAST_MAC))
        return undefined;
      const { headerBytes, totalBytes } = header;
      const payload = frame.subarray(ETHERNET_HEADER_BYTES + headerBytes, ETHERNET_HEADER_BYTES + totalBytes);
      return { kind: "ipv4", ...macs, header, payload, totalBytes };
    }
    const header = etherType(frame) === ETHERTYPE_IPV6 ? decodeIpv6(frame, ETHERNET_HEADER_BYTES) : null;
    if (header === null) return undefined;
    const start = ETHERNET_HEADER_BYTES + IPV6_HEADER_BYTES;
    return { kind: "ipv6", ...macs, header, payload: frame.subarray(start, start + header.payloadBytes) };
  }

  sendFrame(frame: Uint8Array): void {
    this.world.send(0, frame);
  }

  sendIpv4(mac: number, fields: Ipv4Fields, payload: Uint8Array): void {
    for (const packet of encodeIpv4(fields, payload))
      this.sendFrame(encodeEthernet(mac, this.mac, ETHERTYPE_IPV4, packet));
  }

  sendIpv6(mac: number, fields: Ipv6Fields, payload: Uint8Array): void {
    this.sendFrame(encodeEthernet(mac, this.mac, ETHERTYPE_IPV6, encodeIpv6Checked(fields, payload)));
  }

  nextHop(target: number): number | undefined {
    const { address, prefixLength, gateway } = this.state.ipv4;
    return sameSubnet(target, address, maskOf(prefixLength)) ? target : gateway || undefined;
  }

  resolve(address: number): Script<number | undefined> {
    return resolveArp(this, address);
  }

  probeDuplicate(address: number): Script<number | undefined> {
    return probeDuplicateArp(this, address);
  }

  get clockSeconds(): number {
    return Math.floor(this.world.nowUs / 1_000_000);
  }

  below(bound: number): number {
    return this.world.random.below(bound);
  }

  spawn(script: Script<unknown>): { stop(): void } {
    return this.#scripts.spawn(script);
  }
}

/** A device that answers frames as a function says: a server, a router, a neighbour with a mind of its own. */
export class ScriptedPeer implements Device {
  readonly processingNs = 1_000;
  readonly forwards = false;
  readonly console = undefined;
  readonly #world: World;
  readonly #answer: (frame: Uint8Array, send: (frame: Uint8Array) => void) => void;
  readonly delayUs: number;

  constructor(
    world: World,
    answer: (frame: Uint8Array, send: (frame: Uint8Array) => void) => void,
    delayUs = 0,
  ) {
    this.#world = world;
    this.#answer = answer;
    this.delayUs = delayUs;
  }

  start(): void {}

  resume(): void {}

  receive(_port: number, frame: Uint8Array): void {
    this.#answer(frame, (reply) => this.#world.after(this.delayUs, () => this.#world.send(0, reply)));
  }

  saveState(): null {
    return null;
  }
}

/** One PC of number 0, wired to a peer that answers as told. */
export class PcBench extends DeviceBench {
  readonly pc: ScriptPc;

  constructor(answer: (frame: Uint8Array, send: (frame: Uint8Array) => void) => void = () => undefined) {
    super();
    this.pc = this.add("PC1", (world) => new ScriptPc(0, world));
    this.add("peer", (world) => new ScriptedPeer(world, answer));
    this.wire(["PC1", 0], ["peer", 0]);
  }

  /** What the command prints until nothing is left to happen. */
  command(command: Command): string {
    this.pc.setCommand(command);
    return this.type("PC1", "");
  }

  /** Frames the PC has sent, with the time from the bench's start. */
  get sent() {
    return this.frames.filter(({ from }) => from === "PC1");
  }

  /** Frames of the peer's own accord. */
  toPc(frame: Uint8Array): void {
    this.inject("PC1", 0, frame);
  }
}

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
