/** The PC as its commands see it (host.ts): sending, routing, waiting. */

import { pathMtuOf } from "../../../net/packet/path-mtus.ts";
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
import { ALL_NODES, linkLocalOf, parseIpv6, solicitedNode } from "../../../wire/ipv6-address.ts";
import { fragmentIpv6 } from "../../../wire/ipv6-fragment.ts";
import { ipv6MulticastMac } from "../../../wire/mac.ts";
import type { World } from "../../device.ts";
import { dumpFrame } from "../commands/dump.ts";
import type { Host, Progress, Script } from "../host.ts";
import { linkMtu6 } from "../ipv6/link-mtu.ts";
import type { Notes } from "../notes.ts";
import type { Scripts } from "../scripts.ts";
import type { PcState } from "../state.ts";
import { probeDuplicateArp, resolveArp } from "./arp.ts";
import { SCRIPTS } from "./script-kinds.ts";

const PORT = 0;
const US_PER_SECOND = 1_000_000;
const FRAGMENT_IDS = 0xffff_ffff;

/** Values derived from the state's global address. Cached until the address changes, because every frame needs them. */
interface Ipv6Addresses {
  readonly text: string | undefined;
  readonly global: bigint | undefined;
  readonly groupMacs: readonly number[];
}

function addressesOf(linkLocal: bigint, text: string | undefined): Ipv6Addresses {
  const global = text === undefined ? undefined : (parseIpv6(text) ?? undefined);
  const own = global === undefined ? [linkLocal] : [linkLocal, global];
  // RFC 4291, section 2.8
  const groups = [ALL_NODES, ...own.map(solicitedNode)];
  return { text, global, groupMacs: groups.map(ipv6MulticastMac) };
}

export class PcHost implements Host {
  readonly world: World;
  readonly state: PcState;
  readonly mac: number;
  readonly linkLocal: bigint;
  readonly #scripts: Scripts;
  #addresses: Ipv6Addresses;

  constructor(world: World, state: PcState, mac: number, scripts: Scripts) {
    this.world = world;
    this.state = state;
    this.mac = mac;
    this.linkLocal = linkLocalOf(mac);
    this.#scripts = scripts;
    this.#addresses = addressesOf(this.linkLocal, undefined);
    for (const [kind, script] of Object.entries(SCRIPTS))
      scripts.define(kind, (notes) => script(this, notes));
  }

  get global(): bigint | undefined {
    return this.#currentAddresses().global;
  }

  get groupMacs(): readonly number[] {
    return this.#currentAddresses().groupMacs;
  }

  get clockSeconds(): number {
    return Math.floor(this.world.nowUs / US_PER_SECOND);
  }

  below(bound: number): number {
    return this.world.random.below(bound);
  }

  spawn(kind: string, notes: Notes): { stop(): void } {
    return this.#scripts.spawn(kind, notes);
  }

  sendFrame(frame: Uint8Array): void {
    dumpFrame(this, frame, "sent");
    this.world.send(PORT, frame);
  }

  mtuTo(target: number | bigint, linkMtuBytes?: number): number {
    const linkBytes =
      linkMtuBytes ?? (typeof target === "bigint" ? linkMtu6(this.state) : this.state.mtuBytes);
    return Math.min(linkBytes, pathMtuOf(this.state, target, this.world.nowUs) ?? linkBytes);
  }

  sendIpv4(
    targetMac: number,
    fields: Ipv4Fields,
    payload: Uint8Array,
    mtuBytes = this.mtuTo(fields.target),
  ): void {
    if (IPV4_HEADER_BYTES + payload.length <= mtuBytes) {
      this.sendFrame(this.#frameOf(targetMac, fields, payload));
      return;
    }
    for (const packet of encodeIpv4(fields, payload, mtuBytes))
      this.sendFrame(encodeEthernet(targetMac, this.mac, ETHERTYPE_IPV4, packet));
  }

  /** Builds an unfragmented frame, the usual case, in one array. */
  #frameOf(targetMac: number, fields: Ipv4Fields, payload: Uint8Array): Uint8Array {
    const start = ETHERNET_HEADER_BYTES + IPV4_HEADER_BYTES;
    const frame = this.world.frames.take(start + payload.length);
    writeEthernetHeader(frame, targetMac, this.mac, ETHERTYPE_IPV4);
    writeIpv4Header(frame, ETHERNET_HEADER_BYTES, fields, payload.length);
    frame.set(payload, start);
    return frame;
  }

  sendIpv6(
    targetMac: number,
    fields: Ipv6Fields,
    payload: Uint8Array,
    mtuBytes = this.mtuTo(fields.target),
  ): void {
    const whole = encodeIpv6Checked(fields, payload);
    const packets =
      whole.length <= mtuBytes ? [whole] : fragmentIpv6(whole, this.below(FRAGMENT_IDS), mtuBytes);
    for (const packet of packets) this.sendFrame(encodeEthernet(targetMac, this.mac, ETHERTYPE_IPV6, packet));
  }

  #currentAddresses(): Ipv6Addresses {
    const text = this.state.ipv6.global?.address;
    if (this.#addresses.text !== text) this.#addresses = addressesOf(this.linkLocal, text);
    return this.#addresses;
  }

  /** A PC without an address treats every host as a neighbour: its mask is 0.0.0.0. */
  nextHop(target: number): number | undefined {
    const { address, prefixLength, gateway } = this.state.ipv4;
    if (sameSubnet(target, address, maskOf(prefixLength))) return target;
    return gateway === 0 ? undefined : gateway;
  }

  resolve(address: number, notes: Notes = {}): Script<number | undefined> {
    return resolveArp(this, address, notes);
  }

  probeDuplicate(
    address: number,
    progress: Pick<Progress, "steps"> = {},
    notes: Notes = {},
  ): Script<number | undefined> {
    return probeDuplicateArp(this, address, progress, notes);
  }
}
