/** Counts the packets that arrive by flow, if `flows` is configured: before access lists and translation, the router's own included. */

import { type Fields, fieldsOf4, fieldsOf6, NONE } from "../../../../net/packet/fields.ts";
import type { RouterPort } from "../../../../net/plane/tables.ts";
import { ETHERNET_HEADER_BYTES } from "../../../../wire/ethernet.ts";
import type { Ipv4Header } from "../../../../wire/ipv4.ts";
import { formatIpv4 } from "../../../../wire/ipv4-address.ts";
import { IPV6_HEADER_BYTES, type Ipv6Header } from "../../../../wire/ipv6.ts";
import { formatIpv6 } from "../../../../wire/ipv6-address.ts";
import type { Service, ServiceWorld } from "../base/service.ts";
import { FlowTable, type SavedFlows } from "./flow-table.ts";

/** The bits of the type of service, and of the traffic class, before the DSCP ends (RFC 2474). */
const ECN_BITS = 2;

export class Flows implements Service {
  readonly table: FlowTable;
  readonly #world: ServiceWorld;

  constructor(world: ServiceWorld, saved?: SavedFlows) {
    this.#world = world;
    this.table = new FlowTable(saved);
    world.core.countArrived4 = (port, frame, header) => this.#count4(port, frame, header);
    world.core.countArrived6 = (port, frame, header) => this.#count6(port, frame, header);
  }

  start(): void {}

  resume(): void {}

  changed(): void {
    this.table.shrink(this.#limit);
  }

  stop(): void {
    this.#world.core.countArrived4 = undefined;
    this.#world.core.countArrived6 = undefined;
  }

  save(): SavedFlows | undefined {
    return this.table.save();
  }

  get #limit(): number {
    return this.#world.core.running.flows!.limit;
  }

  #count4(port: RouterPort, frame: Uint8Array, header: Ipv4Header): void {
    const packet = fieldsOf4(frame, header);
    const ends = {
      family: "ipv4",
      source: formatIpv4(header.source),
      target: formatIpv4(header.target),
    } as const;
    this.#count(port, packet, ends, header.typeOfService, header.totalBytes);
  }

  #count6(port: RouterPort, frame: Uint8Array, header: Ipv6Header): void {
    const packet = fieldsOf6(frame, header);
    const ends = {
      family: "ipv6",
      source: formatIpv6(header.source),
      target: formatIpv6(header.target),
    } as const;
    const bytes = IPV6_HEADER_BYTES + header.payloadBytes;
    this.#count(port, packet, ends, trafficClass(frame), bytes);
  }

  #count(
    { name }: RouterPort,
    { protocol, sourcePort, targetPort, icmpType, icmpCode }: Fields<number | bigint>,
    ends: { readonly family: "ipv4" | "ipv6"; readonly source: string; readonly target: string },
    typeOfService: number,
    bytes: number,
  ): void {
    const isIcmp = icmpType !== NONE;
    const key = {
      ...ends,
      arrivedAt: name,
      protocol,
      sourcePort: Math.max(sourcePort, 0),
      targetPort: isIcmp ? icmpType * 256 + icmpCode : Math.max(targetPort, 0),
      dscp: typeOfService >> ECN_BITS,
    };
    this.table.count(key, bytes, this.#world.core.world.nowUs, this.#limit);
  }
}

/** RFC 8200, section 3: the eight bits after the version. */
const trafficClass = (frame: Uint8Array): number =>
  (((frame[ETHERNET_HEADER_BYTES] as number) & 0xf) << 4) |
  ((frame[ETHERNET_HEADER_BYTES + 1] as number) >> 4);
