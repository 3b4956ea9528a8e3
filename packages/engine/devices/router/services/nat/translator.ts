/** The rules of translation in the form that packets need. */

import { contains4, type Prefix4, parsePrefix4 } from "../../../../net/address/prefix.ts";
import type { RouterPort, Tables } from "../../../../net/plane/tables.ts";
import { PROTOCOL_TCP, PROTOCOL_UDP } from "../../../../wire/ipv4.ts";
import { parseIpv4 } from "../../../../wire/ipv4-address.ts";
import type { Connections } from "../firewall/connections.ts";
import type { Tuple } from "../firewall/tuple.ts";
import { allocate } from "./allocate.ts";
import { type AddressPool, isInPool, parsePool, sizeOf } from "./pool.ts";
import { type NatSpec, TO_INTERFACE } from "./settings.ts";

interface Inbound {
  readonly out: number;
  readonly address: number;
  /** Undefined for every protocol and port. */
  readonly protocol: number | undefined;
  readonly first: number;
  readonly last: number;
  readonly to: number;
  readonly toPort: number;
}

interface Outbound {
  readonly out: number;
  readonly from: Prefix4;
  readonly pool: AddressPool;
  readonly overload: boolean;
}

/** Where a new connection leads. */
export interface Destination {
  readonly tuple: Tuple<number>;
  /** The port whose rules translate the source: the connection came from inside, and turns round here. */
  readonly hairpin: number | undefined;
}

export class Translator {
  readonly #inbound: readonly Inbound[];
  readonly #outbound: readonly Outbound[];
  readonly #hairpin: boolean;
  readonly #own4: Tables["own4"];

  constructor(nat: NatSpec, { ports, own4 }: Tables) {
    const indexOf = (name: string): number => ports.findIndex((port) => port.name === name);
    const fixed = (nat.static ?? []).map(({ out, inside, outside }) => ({
      out: indexOf(out),
      inside: parseIpv4(inside)!,
      outside: parseIpv4(outside)!,
    }));
    this.#inbound = [
      ...(nat.forward ?? []).flatMap(
        ({ out, protocol, address, port, last_port: last, to, to_port: toPort }): Inbound[] => {
          const outside = address === undefined ? ports[indexOf(out)]?.ipv4?.address : parseIpv4(address)!;
          const number = protocol === "tcp" ? PROTOCOL_TCP : PROTOCOL_UDP;
          const range = { first: port, last: last ?? port, to: parseIpv4(to)!, toPort: toPort ?? port };
          return outside === undefined
            ? []
            : [{ out: indexOf(out), address: outside, protocol: number, ...range }];
        },
      ),
      ...fixed.map(({ out, inside, outside }): Inbound => {
        const range = { first: 0, last: 0, to: inside, toPort: 0 };
        return { out, address: outside, protocol: undefined, ...range };
      }),
    ];
    this.#outbound = [
      ...fixed.map(({ out, inside, outside }): Outbound => {
        const from = { address: inside, prefixLength: 32 };
        return { out, from, pool: { first: outside, last: outside }, overload: true };
      }),
      ...(nat.source ?? []).flatMap(({ out, from, to, overload }): Outbound[] => {
        const own = ports[indexOf(out)]?.ipv4?.address;
        const pool = to === TO_INTERFACE ? own !== undefined && { first: own, last: own } : parsePool(to)!;
        return pool ? [{ out: indexOf(out), from: parsePrefix4(from)!, pool, overload }] : [];
      }),
    ];
    this.#hairpin = nat.hairpin === true;
    this.#own4 = own4;
  }

  /** Where a connection that begins leads if a rule translates its target. */
  destinationOf(port: RouterPort, tuple: Tuple<number>): Destination | undefined {
    const rule = this.#inbound.find(
      ({ out, address, protocol, first, last }) =>
        tuple.target === address &&
        (out === port.index || this.#hairpin) &&
        (protocol === undefined ||
          (protocol === tuple.protocol && first <= tuple.targetPort && tuple.targetPort <= last)),
    );
    if (rule === undefined) return undefined;
    const { protocol, first, to, toPort, out } = rule;
    const targetPort = protocol === undefined ? tuple.targetPort : tuple.targetPort - first + toPort;
    return { tuple: { ...tuple, target: to, targetPort }, hairpin: out === port.index ? undefined : out };
  }

  /** Whether a rule translates sources that leave by a port. */
  translates(out: number, source: number): boolean {
    return this.#ruleOf(out, source) !== undefined;
  }

  /**
   * Chooses the source of a new connection. @param forth its tuple, with the target that it leads to.
   * @returns the tuple of its responses; undefined if no address or port is free.
   */
  allocate(
    connections: Connections<number>,
    out: number,
    forth: Tuple<number>,
    nowUs: number,
  ): Tuple<number> | undefined {
    const rule = this.#ruleOf(out, forth.source);
    if (rule === undefined) return allocate(connections, forth, [forth.source], nowUs);
    const addresses = rule.overload
      ? spread(rule.pool, forth.source)
      : alone(connections, rule.pool, forth.source, nowUs);
    return allocate(connections, forth, addresses, nowUs);
  }

  /** Whether an address is one of the translation alone: the router answers for it on the link, but it is not the router's. */
  hasOutside(port: number | undefined, address: number): boolean {
    if (this.#own4.has(address)) return false;
    const isOut = ({ out }: { readonly out: number }): boolean => port === undefined || out === port;
    return (
      this.#inbound.some((rule) => isOut(rule) && rule.address === address) ||
      this.#outbound.some((rule) => isOut(rule) && isInPool(rule.pool, address))
    );
  }

  #ruleOf(out: number, source: number): Outbound | undefined {
    return this.#outbound.find((rule) => rule.out === out && contains4(rule.from, source));
  }
}

/** All addresses of a pool. A host begins with the same one each time (RFC 4787, REQ-2: paired). */
function spread(pool: AddressPool, source: number): number[] {
  const size = sizeOf(pool);
  return Array.from({ length: size }, (_, index) => pool.first + ((source + index) % size));
}

/** The address of a pool that the host has already, else one that no other host has. */
function alone(connections: Connections<number>, pool: AddressPool, source: number, nowUs: number): number[] {
  const taken = new Set<number>();
  for (const { original, reply } of connections.list(nowUs)) {
    if (!isInPool(pool, reply.target)) continue;
    if (original.source === source) return [reply.target];
    taken.add(reply.target);
  }
  return spread(pool, source)
    .filter((address) => !taken.has(address))
    .slice(0, 1);
}
