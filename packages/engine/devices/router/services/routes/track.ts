/**
 * Pings what routes and next hops of policies track, each second by way of the route's gateway, whatever the route table says: otherwise the ping would take
 * the route that replaces the tracked one, and bring it back.
 *
 *     1 s       2 s       3 s       4 s
 *     request   request   request   three requests without a reply: down   ... reply: up
 *
 * The timers are in the background, and so is the resolution of the gateway: they do not keep a run going.
 */

import type { Timer } from "../../../../base/world.ts";
import { parseAnyAddress } from "../../../../net/address/prefix.ts";
import type { ProbeAnswer } from "../../../../net/packet/probe.ts";
import { type Expected, OWN_TTL } from "../../../../net/plane/core.ts";
import type { NeighbourTable } from "../../../../net/plane/neighbours.ts";
import { type StaticRoute, trackKey } from "../../../../net/plane/route-spec.ts";
import { gatewayOf } from "../../../../net/plane/static-routes.ts";
import { ETHERTYPE_IPV4, ETHERTYPE_IPV6, encodeEthernet } from "../../../../wire/ethernet.ts";
import { encodeEcho } from "../../../../wire/icmp.ts";
import { encodeIcmpv6, ICMPV6_ECHO } from "../../../../wire/icmpv6.ts";
import { encodeIpv4, PROTOCOL_ICMP, PROTOCOL_ICMPV6 } from "../../../../wire/ipv4.ts";
import { encodeIpv6Checked } from "../../../../wire/ipv6.ts";
import type { RouterCore, Service, ServiceWorld } from "../base/service.ts";
import { trackedHops } from "../policy/tracked-hops.ts";

export const TRACK_INTERVAL_US = 1_000_000;
export const TRACK_MISSES = 3;
const NO_DATA = new Uint8Array(0);

interface Track {
  readonly key: string;
  readonly via: string;
  readonly vrf: string | undefined;
  readonly target: number | bigint;
  readonly answers: Expected;
  sequence: number;
  /** Requests in a row without a reply. */
  misses: number;
  timer: Timer | undefined;
}

export class RouteTracker implements Service {
  readonly #core: RouterCore;
  readonly #arp: NeighbourTable<number>;
  readonly #neighbours: NeighbourTable<bigint>;
  readonly #tracks = new Map<string, Track>();

  constructor({ core, arp, neighbours }: ServiceWorld, down: readonly string[] = []) {
    this.#core = core;
    this.#arp = arp;
    this.#neighbours = neighbours;
    for (const key of down) core.setTrack(key, false);
  }

  start(): void {
    this.changed();
  }

  resume(): void {
    this.changed();
  }

  stop(): void {
    for (const track of [...this.#tracks.values()]) this.#end(track);
  }

  save(): readonly string[] | undefined {
    return this.#core.tracksDown.size === 0 ? undefined : [...this.#core.tracksDown];
  }

  freeze() {
    return [...this.#tracks.values()].map(({ answers, ...track }) => ({ ...track, id: answers.id }));
  }

  thaw(held: unknown): void {
    for (const { id, ...frozen } of held as ReturnType<RouteTracker["freeze"]>) {
      const answers = this.#core.expectAgain("echo", id, (answer) => this.#take(track, answer));
      const track: Track = { ...frozen, answers };
      this.#tracks.set(track.key, track);
      track.timer?.resume?.(() => this.#ask(track));
    }
  }

  /** Tracks what the configuration names, and no more. */
  changed(): void {
    const wanted = new Map<string, Pick<StaticRoute, "via" | "track" | "vrf">>();
    const { running } = this.#core;
    for (const route of [...running.routes, ...trackedHops(running)]) {
      const key = trackKey(route);
      if (key !== undefined) wanted.set(key, route);
    }
    for (const [key, track] of this.#tracks) if (!wanted.has(key)) this.#end(track);
    for (const [key, { via, track, vrf }] of wanted)
      if (!this.#tracks.has(key)) this.#add(key, via, vrf, parseAnyAddress(track!)!);
  }

  #add(key: string, via: string, vrf: string | undefined, target: number | bigint): void {
    const answers = this.#core.expectAnswers("echo", (answer) => this.#take(track, answer));
    const track: Track = { key, via, vrf, target, answers, sequence: 0, misses: 0, timer: undefined };
    this.#tracks.set(key, track);
    this.#wait(track);
  }

  #end(track: Track): void {
    track.timer?.cancel();
    track.answers.stop();
    this.#tracks.delete(track.key);
    this.#core.setTrack(track.key, true);
  }

  #wait(track: Track): void {
    track.timer = this.#core.world.after(TRACK_INTERVAL_US, () => this.#ask(track), "background");
  }

  #ask(track: Track): void {
    this.#wait(track);
    if (track.misses >= TRACK_MISSES) this.#core.setTrack(track.key, false);
    track.misses += 1;
    track.sequence = (track.sequence + 1) & 0xffff;
    const index = gatewayOf(
      track.via,
      this.#core.tables.ports.filter(({ vrf }) => vrf === track.vrf),
    );
    if (index !== undefined) this.#send(track, index);
  }

  #take(track: Track, { sequence, error }: ProbeAnswer): void {
    if (error !== undefined || sequence !== track.sequence) return;
    track.misses = 0;
    this.#core.setTrack(track.key, true);
  }

  #send({ via, target, answers: { id }, sequence }: Track, index: number): void {
    const { mac, ipv4, ipv6 } = this.#core.tables.ports[index]!;
    const gateway = parseAnyAddress(via)!;
    this.#core.counters.originated += 1;
    if (typeof target === "number") {
      const fields = { source: ipv4!.address, target, protocol: PROTOCOL_ICMP, ttl: OWN_TTL };
      const [packet] = encodeIpv4(
        { id: this.#core.takeIpv4Id(), ...fields },
        encodeEcho(id, sequence, NO_DATA),
      );
      const frame = encodeEthernet(0, mac, ETHERTYPE_IPV4, packet!);
      this.#arp.send(index, gateway as number, frame, undefined, "background");
    } else {
      const fields = { source: ipv6!.address, target, nextHeader: PROTOCOL_ICMPV6, hopLimit: OWN_TTL };
      const echo = encodeIcmpv6(ICMPV6_ECHO, 0, id * 0x1_0000 + sequence, NO_DATA);
      const frame = encodeEthernet(0, mac, ETHERTYPE_IPV6, encodeIpv6Checked(fields, echo));
      this.#neighbours.send(index, gateway as bigint, frame, undefined, "background");
    }
  }
}
