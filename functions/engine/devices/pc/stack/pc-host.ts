/** The PC as its commands see it (host.ts): sending, routing, waiting. */
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
  encodeEthernet,
  writeEthernetHeader,
} from "../../../wire/ethernet.ts";
import { encodeIpv4, IPV4_HEADER_BYTES, type Ipv4Fields, writeIpv4Header } from "../../../wire/ipv4.ts";
import { maskOf, sameSubnet } from "../../../wire/ipv4-address.ts";
import { encodeIpv6Checked, type Ipv6Fields } from "../../../wire/ipv6.ts";
import { linkLocalOf } from "../../../wire/ipv6-address.ts";
import type { World } from "../../device.ts";
import { dumpFrame } from "../commands/dump.ts";
import type { Host, Script } from "../host.ts";
import type { Scripts } from "../scripts.ts";
import type { PcState } from "../state.ts";
import { probeDuplicateArp, resolveArp } from "./arp.ts";

const PORT = 0;
const US_PER_SECOND = 1_000_000;

export class PcHost implements Host {
  readonly world: World;
  readonly state: PcState;
  readonly mac: number;
  readonly linkLocal: bigint;
  readonly #scripts: Scripts;

  constructor(world: World, state: PcState, mac: number, scripts: Scripts) {
    this.world = world;
    this.state = state;
    this.mac = mac;
    this.linkLocal = linkLocalOf(mac);
    this.#scripts = scripts;
  }

  get clockSeconds(): number {
    return Math.floor(this.world.nowUs / US_PER_SECOND);
  }

  below(bound: number): number {
    return this.world.random.below(bound);
  }

  spawn(script: Script<unknown>): { stop(): void } {
    return this.#scripts.spawn(script);
  }

  sendFrame(frame: Uint8Array): void {
    dumpFrame(this, frame, "sent");
    this.world.send(PORT, frame);
  }

  sendIpv4(targetMac: number, fields: Ipv4Fields, payload: Uint8Array, mtuBytes = this.state.mtuBytes): void {
    if (IPV4_HEADER_BYTES + payload.length <= mtuBytes) {
      this.sendFrame(this.#frameOf(targetMac, fields, payload));
      return;
    }
    for (const packet of encodeIpv4(fields, payload, mtuBytes))
      this.sendFrame(encodeEthernet(targetMac, this.mac, ETHERTYPE_IPV4, packet));
  }

  /** The usual case, made in one piece. */
  #frameOf(targetMac: number, fields: Ipv4Fields, payload: Uint8Array): Uint8Array {
    const start = ETHERNET_HEADER_BYTES + IPV4_HEADER_BYTES;
    const frame = this.world.frames.take(start + payload.length);
    writeEthernetHeader(frame, targetMac, this.mac, ETHERTYPE_IPV4);
    writeIpv4Header(frame, ETHERNET_HEADER_BYTES, fields, payload.length);
    frame.set(payload, start);
    return frame;
  }

  sendIpv6(targetMac: number, fields: Ipv6Fields, payload: Uint8Array): void {
    const packet = encodeIpv6Checked(fields, payload);
    this.sendFrame(encodeEthernet(targetMac, this.mac, ETHERTYPE_IPV6, packet));
  }

  /** A PC without an address takes every host for a neighbour: its mask is 0.0.0.0. */
  nextHop(target: number): number | undefined {
    const { address, prefixLength, gateway } = this.state.ipv4;
    if (sameSubnet(target, address, maskOf(prefixLength))) return target;
    return gateway === 0 ? undefined : gateway;
  }

  resolve(address: number): Script<number | undefined> {
    return resolveArp(this, address);
  }

  probeDuplicate(address: number): Script<number | undefined> {
    return probeDuplicateArp(this, address);
  }
}
