/**
 * Decides about IPv6 packets on their way through the router: connections and access lists.
 *
 * Lists do not look at neighbour discovery, without which no packet arrives. Fragments are not reassembled: a later one passes where
 * a rule permits its addresses.
 */

import { type Fields, fieldsOf6 } from "../../../../net/packet/fields.ts";
import type { Core } from "../../../../net/plane/core.ts";
import type { Guard6, Passage6, Prohibit6 } from "../../../../net/plane/guard.ts";
import type { RouterPort } from "../../../../net/plane/tables.ts";
import { ETHERNET_HEADER_BYTES } from "../../../../wire/ethernet.ts";
import { PROTOCOL_ICMPV6 } from "../../../../wire/ipv4.ts";
import { decodeIpv6, type Ipv6Header } from "../../../../wire/ipv6.ts";
import { isMulticastIpv6 } from "../../../../wire/ipv6-address.ts";
import { makeConnection } from "./connections.ts";
import type { Firewall } from "./firewall.ts";
import { isError6, quotedFields6 } from "./quote.ts";
import { type Track, track, trackError, UNTRACKED } from "./tracker.ts";
import { inverse, tupleOf } from "./tuple.ts";

const AT = ETHERNET_HEADER_BYTES;
const ROUTER_SOLICITATION = 133;
const REDIRECT = 137;

/** A packet that has passed the list of the port that it arrived at. */
interface Passage extends Passage6 {
  readonly track: Track<bigint> | undefined;
}

export class FirewallGuard6 implements Guard6 {
  readonly #core: Core;
  readonly #firewall: Firewall;
  readonly #prohibit: Prohibit6;

  constructor(core: Core, firewall: Firewall, prohibit: Prohibit6) {
    this.#core = core;
    this.#firewall = firewall;
    this.#prohibit = prohibit;
  }

  get isOn(): boolean {
    return this.#firewall.isOn;
  }

  enter(port: RouterPort, frame: Uint8Array, header: Ipv6Header): Passage | undefined {
    const packet = fieldsOf6(frame, header);
    if (isDiscovery(packet)) return { packet, track: undefined };
    const toGroup = isMulticastIpv6(header.target);
    const known = this.#firewall.tracks ? (toGroup ? UNTRACKED : this.#track(frame, packet)) : undefined;
    const action = this.#firewall.decide(port.index, "in", "ipv6", packet, known?.state);
    if (action === "permit") return { packet, track: known };
    this.#core.drop("aclDenied");
    if (action === "reject") this.#prohibit(port, frame, header);
    return undefined;
  }

  arrive({ track: known }: Passage): boolean {
    return this.#begin(known);
  }

  leave(passage: Passage, port: RouterPort, out: RouterPort, frame: Uint8Array, header: Ipv6Header): boolean {
    const action = this.#firewall.decide(out.index, "out", "ipv6", passage.packet, passage.track?.state);
    if (action === "permit") return this.#begin(passage.track);
    this.#core.drop("aclDenied");
    if (action === "reject") this.#prohibit(port, frame, header);
    return false;
  }

  /** A packet of the router itself leaves: access lists do not look at it. */
  depart(frame: Uint8Array): void {
    if (!this.#firewall.tracks) return;
    const packet = fieldsOf6(frame, decodeIpv6(frame, AT)!);
    if (isError6(packet) || isDiscovery(packet) || isMulticastIpv6(packet.target)) return;
    const known = this.#track(frame, packet);
    if (this.#firewall.connections6.hasRoom(this.#core.world.nowUs)) this.#begin(known);
  }

  #track(frame: Uint8Array, packet: Fields<bigint>): Track<bigint> {
    const { connections6, limits } = this.#firewall;
    const { nowUs } = this.#core.world;
    if (packet.isLaterFragment) return UNTRACKED;
    if (!isError6(packet)) return track(connections6, limits, frame, packet, nowUs);
    const quoted = quotedFields6(frame, packet);
    return trackError(connections6, quoted && tupleOf(frame, quoted), nowUs);
  }

  #begin(known: Track<bigint> | undefined): boolean {
    if (known?.tuple === undefined || known.found !== undefined) return true;
    const { connections6, limits } = this.#firewall;
    const { nowUs } = this.#core.world;
    if (!connections6.hasRoom(nowUs)) {
      this.#core.drop("tableFull");
      return false;
    }
    const connection = makeConnection(known.tuple, inverse(known.tuple));
    connections6.refresh(connection, limits, nowUs);
    connections6.add(connection);
    return true;
  }
}

/** Neighbour discovery (RFC 4861). */
const isDiscovery = ({ protocol, icmpType }: Fields<bigint>): boolean =>
  protocol === PROTOCOL_ICMPV6 && icmpType >= ROUTER_SOLICITATION && icmpType <= REDIRECT;
