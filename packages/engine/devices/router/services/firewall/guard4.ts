/** Decides about IPv4 packets on their way through the router: connections, access lists, translation of addresses. */

import { type Fields, fieldsOf4 } from "../../../../net/packet/fields.ts";
import { Reassembly } from "../../../../net/packet/ipv4-reassembly.ts";
import type { Core } from "../../../../net/plane/core.ts";
import type { Guard4, Passage4, Prohibit4 } from "../../../../net/plane/guard.ts";
import type { RouterPort } from "../../../../net/plane/tables.ts";
import { ETHERNET_HEADER_BYTES } from "../../../../wire/ethernet.ts";
import { ICMP_REDIRECT } from "../../../../wire/icmp.ts";
import { decodeIpv4, type Ipv4Header } from "../../../../wire/ipv4.ts";
import { allocate } from "../nat/allocate.ts";
import {
  hasOtherSource,
  hasOtherTarget,
  passing,
  placeOf,
  rewriteBoth,
  rewriteError,
} from "../nat/nat-guard.ts";
import { rewriteSource, rewriteTarget } from "../nat/rewrite.ts";
import type { Destination } from "../nat/translator.ts";
import { isTranslated, makeConnection } from "./connections.ts";
import type { Firewall } from "./firewall.ts";
import { isError4, quotedFields4 } from "./quote.ts";
import { type Track, track, trackError, UNTRACKED } from "./tracker.ts";
import { inverse, type Tuple, tupleOf } from "./tuple.ts";

const AT = ETHERNET_HEADER_BYTES;

/** A packet that has passed the list of the port that it arrived at. */
interface Passage extends Passage4 {
  readonly track: Track<number> | undefined;
  /** Where the connection leads that the packet begins; undefined if it begins none. */
  readonly destination: Destination | undefined;
}

export class FirewallGuard4 implements Guard4 {
  readonly #core: Core;
  readonly #firewall: Firewall;
  readonly #prohibit: Prohibit4;
  readonly #reassembly = new Reassembly();
  /** The largest fragment of each datagram that is being reassembled, by source, target, protocol and identification. */
  readonly #largest = new Map<string, number>();

  constructor(core: Core, firewall: Firewall, prohibit: Prohibit4) {
    this.#core = core;
    this.#firewall = firewall;
    this.#prohibit = prohibit;
  }

  freeze() {
    return { fragments: this.#reassembly.freeze(), largest: this.#largest };
  }

  thaw({ fragments, largest }: ReturnType<FirewallGuard4["freeze"]>): void {
    this.#reassembly.thaw(fragments);
    for (const [key, bytes] of largest) this.#largest.set(key, bytes);
  }

  get isOn(): boolean {
    return this.#firewall.isOn;
  }

  enter(port: RouterPort, frame: Uint8Array, header: Ipv4Header, toAll: boolean): Passage | undefined {
    const { tracks } = this.#firewall;
    const arrived =
      tracks && !toAll ? this.#whole(frame, header) : { frame, header, fragmentBytes: undefined };
    if (arrived === undefined) return undefined;
    const packet = fieldsOf4(arrived.frame, arrived.header);
    const known = tracks ? (toAll ? UNTRACKED : this.#track(arrived.frame, packet)) : undefined;
    const action = this.#firewall.decide(port.index, "in", "ipv4", packet, known?.state);
    if (action !== "permit") {
      this.#core.drop("aclDenied");
      if (action === "reject" && !toAll) this.#prohibit(port, arrived.frame, arrived.header);
      return undefined;
    }
    return this.#translateTarget(
      port,
      { ...arrived, sent: arrived, track: known, destination: undefined },
      packet,
    );
  }

  arrive({ track: known, destination }: Passage): boolean {
    return this.#begin(known, destination && inverse(destination.tuple));
  }

  leave(passage: Passage, port: RouterPort, out: RouterPort, copy: Uint8Array): boolean {
    const { sent, track: known } = passage;
    const reply = this.#translateSource(passage, out, copy);
    if (reply === null) return false;
    const action = this.#firewall.decide(
      out.index,
      "out",
      "ipv4",
      fieldsOf4(copy, decodeIpv4(copy, AT)!),
      known?.state,
    );
    if (action === "permit") return this.#begin(known, reply);
    this.#core.drop("aclDenied");
    if (action === "reject") this.#prohibit(port, sent.frame, sent.header);
    return false;
  }

  restore(frame: Uint8Array): { readonly frame: Uint8Array; readonly header: Ipv4Header } | undefined {
    if (this.#firewall.nat === undefined) return undefined;
    const packet = fieldsOf4(frame, decodeIpv4(frame, AT)!);
    const tuple = tupleOf(frame, packet);
    const back = tuple && this.#firewall.connections4.find(inverse(tuple), this.#core.world.nowUs);
    if (!tuple || !back) return undefined;
    const { before } = passing({ ...back, isReply: !back.isReply });
    if (!hasOtherSource(before, tuple) && !hasOtherTarget(before, tuple)) return undefined;
    const copy = frame.slice();
    rewriteBoth(copy, placeOf(packet), tuple, before);
    return { frame: copy, header: decodeIpv4(copy, AT)! };
  }

  /** A packet of the router itself leaves: access lists do not look at it. */
  depart(frame: Uint8Array): void {
    if (!this.#firewall.tracks) return;
    const packet = fieldsOf4(frame, decodeIpv4(frame, AT)!);
    if (isError4(packet)) return;
    const known = this.#track(frame, packet);
    const { tuple, found } = known;
    if (tuple === undefined) return;
    const { nowUs } = this.#core.world;
    const reply = found ? undefined : allocate(this.#firewall.connections4, tuple, [tuple.source], nowUs);
    const after = found ? passing(found).after : inverse(reply ?? inverse(tuple));
    if (hasOtherSource(tuple, after))
      rewriteSource(frame, placeOf(packet), tuple, after.source, after.sourcePort);
    if (this.#firewall.connections4.hasRoom(nowUs)) this.#begin(known, reply);
  }

  isAlias(port: number, address: number): boolean {
    return this.#firewall.nat?.hasOutside(port, address) ?? false;
  }

  /** Leads an arrived packet to the target of its connection. @returns undefined if it is dropped. */
  #translateTarget(port: RouterPort, passage: Passage, packet: Fields<number>): Passage | undefined {
    const { nat } = this.#firewall;
    const known = passage.track;
    if (nat === undefined || known === undefined) return passage;
    const { tuple, found, state } = known;
    if (found && state === "related") {
      // A redirect names a router on the other side of the translation.
      if (packet.icmpType === ICMP_REDIRECT && isTranslated(found.connection)) {
        this.#core.drop("noTranslation");
        return undefined;
      }
      return this.#changed(passage, (frame) => rewriteError(frame, packet, found));
    }
    const destination = tuple && !found ? nat.destinationOf(port, tuple) : undefined;
    const after = found ? passing(found).after : destination?.tuple;
    if (tuple && after && hasOtherTarget(tuple, after)) {
      const { target, targetPort } = after;
      const change = (frame: Uint8Array) => rewriteTarget(frame, placeOf(packet), tuple, target, targetPort);
      return { ...this.#changed(passage, change), destination };
    }
    if (!nat.hasOutside(undefined, packet.target)) return passage;
    this.#core.drop("noTranslation");
    return undefined;
  }

  #changed(passage: Passage, change: (frame: Uint8Array) => void): Passage {
    const frame = this.#core.world.frames.copy(passage.frame);
    change(frame);
    return { ...passage, frame, header: decodeIpv4(frame, AT)! };
  }

  /**
   * Gives a leaving packet the source of its connection. @returns the tuple of the responses of a connection that begins,
   * undefined if none does, null if the packet is dropped.
   */
  #translateSource(
    { track: known, destination }: Passage,
    out: RouterPort,
    copy: Uint8Array,
  ): Tuple<number> | undefined | null {
    const { nat, connections4 } = this.#firewall;
    if (nat === undefined || known === undefined || known.state === "related") return undefined;
    const packet = fieldsOf4(copy, decodeIpv4(copy, AT)!);
    const { tuple, found } = known;
    if (tuple === undefined) {
      // A packet that belongs to no connection would show an inside address.
      if (!nat.translates(out.index, packet.source)) return undefined;
      this.#core.drop("noTranslation");
      return null;
    }
    const forth = destination?.tuple ?? tuple;
    const from = destination?.hairpin ?? out.index;
    const reply = found ? undefined : nat.allocate(connections4, from, forth, this.#core.world.nowUs);
    if (!found && reply === undefined) {
      this.#core.drop("noNatPort");
      return null;
    }
    const after = found ? passing(found).after : inverse(reply!);
    if (hasOtherSource(tuple, after))
      rewriteSource(copy, placeOf(packet), tuple, after.source, after.sourcePort);
    return reply;
  }

  /** Adds the connection that a packet begins. @param reply the tuple of its responses. @returns false if the table is full. */
  #begin(known: Track<number> | undefined, reply: Tuple<number> | undefined): boolean {
    if (known?.tuple === undefined || known.found !== undefined) return true;
    const { connections4, limits } = this.#firewall;
    const { nowUs } = this.#core.world;
    if (!connections4.hasRoom(nowUs)) {
      this.#core.drop("tableFull");
      return false;
    }
    const connection = makeConnection(known.tuple, reply ?? inverse(known.tuple));
    connections4.refresh(connection, limits, nowUs);
    connections4.add(connection);
    return true;
  }

  #track(frame: Uint8Array, packet: Fields<number>): Track<number> {
    const { connections4, limits } = this.#firewall;
    const { nowUs } = this.#core.world;
    if (!isError4(packet)) return track(connections4, limits, frame, packet, nowUs);
    const quoted = quotedFields4(frame, packet);
    return trackError(connections4, quoted && tupleOf(frame, quoted), nowUs);
  }

  #whole(
    frame: Uint8Array,
    header: Ipv4Header,
  ): Pick<Passage4, "frame" | "header" | "fragmentBytes"> | undefined {
    if (!header.moreFragments && header.fragmentOffset === 0)
      return { frame, header, fragmentBytes: undefined };
    const key = `${header.source} ${header.target} ${header.protocol} ${header.id}`;
    const largest = Math.max(header.totalBytes, this.#largest.get(key) ?? 0);
    const whole = this.#reassembly.add(frame, header, this.#core.world.nowUs);
    this.#largest.delete(key);
    if (whole !== undefined) return { frame: whole, header: decodeIpv4(whole, AT)!, fragmentBytes: largest };
    this.#largest.set(key, largest);
    const [oldest] = this.#largest.keys();
    if (this.#largest.size > MAX_DATAGRAMS) this.#largest.delete(oldest!);
    return undefined;
  }
}

/** As many as the reassembly keeps. */
const MAX_DATAGRAMS = 16;
