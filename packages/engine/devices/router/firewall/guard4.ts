/** Decides about IPv4 packets on their way through the router: connections, access lists, translation of addresses. */
import { ETHERNET_HEADER_BYTES } from "../../../wire/ethernet.ts";
import { decodeIpv4, type Ipv4Header } from "../../../wire/ipv4.ts";
import { Reassembly } from "../../ipv4-reassembly.ts";
import type { Core } from "../core.ts";
import type { RouterPort } from "../tables.ts";
import { makeConnection } from "./connections.ts";
import { type Fields, fieldsOf4 } from "./fields.ts";
import type { Firewall } from "./firewall.ts";
import { isError4, quotedFields4 } from "./quote.ts";
import { type Track, track, trackError, UNTRACKED } from "./tracker.ts";
import { inverse, tupleOf } from "./tuple.ts";

const AT = ETHERNET_HEADER_BYTES;

/** A packet that has passed the list of the port that it arrived at. */
export interface Passage4 {
  readonly frame: Uint8Array;
  readonly header: Ipv4Header;
  /** The packet as its sender sent it, for errors about it. */
  readonly sent: { readonly frame: Uint8Array; readonly header: Ipv4Header };
  /** The size of its largest fragment if it arrived in fragments: it leaves in such ones. */
  readonly fragmentBytes: number | undefined;
  readonly track: Track<number> | undefined;
}

/** Reports a packet to its sender as administratively prohibited. */
export type Prohibit4 = (port: RouterPort, frame: Uint8Array, header: Ipv4Header) => void;

export class Guard4 {
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

  get isOn(): boolean {
    return this.#firewall.isOn;
  }

  /** A packet arrives. @returns undefined if it is dropped, or waits for its other fragments. */
  enter(port: RouterPort, frame: Uint8Array, header: Ipv4Header, toAll: boolean): Passage4 | undefined {
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
    return { ...arrived, sent: arrived, track: known };
  }

  /** The packet is for the router itself. @returns false if it is dropped. */
  arrive({ track: known }: Passage4): boolean {
    return this.#begin(known);
  }

  /** The packet leaves by a port. @param copy the frame that leaves. @returns false if it is dropped. */
  leave({ sent, track: known }: Passage4, port: RouterPort, out: RouterPort, copy: Uint8Array): boolean {
    const action = this.#firewall.decide(
      out.index,
      "out",
      "ipv4",
      fieldsOf4(copy, decodeIpv4(copy, AT)!),
      known?.state,
    );
    if (action === "permit") return this.#begin(known);
    this.#core.drop("aclDenied");
    if (action === "reject") this.#prohibit(port, sent.frame, sent.header);
    return false;
  }

  /** A packet of the router itself leaves: access lists do not look at it. */
  depart(frame: Uint8Array): void {
    if (!this.#firewall.tracks) return;
    const packet = fieldsOf4(frame, decodeIpv4(frame, AT)!);
    if (!isError4(packet)) this.#begin(this.#track(frame, packet));
  }

  /** Adds the connection that a packet begins. @returns false if the table is full. */
  #begin(known: Track<number> | undefined): boolean {
    if (known?.tuple === undefined || known.found !== undefined) return true;
    const { connections4, limits } = this.#firewall;
    const { nowUs } = this.#core.world;
    if (!connections4.hasRoom(nowUs)) {
      this.#core.drop("tableFull");
      return false;
    }
    const connection = makeConnection(known.tuple, inverse(known.tuple));
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

  #whole(frame: Uint8Array, header: Ipv4Header): Omit<Passage4, "sent" | "track"> | undefined {
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
