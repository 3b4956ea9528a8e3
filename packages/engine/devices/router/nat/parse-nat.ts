/** Parses `nat` of a router's `properties`. */

import type { Path, PropertyReader } from "../../../settings/property-reader.ts";
import { formatIpv4, parseIpv4 } from "../../../wire/ipv4-address.ts";
import { isHostAddress } from "../ipv4-address-kinds.ts";
import { formatPrefix4, network4, parsePrefix4 } from "../prefix.ts";
import type { PortDraft } from "../property-drafts.ts";
import {
  type ForwardRule,
  MAX_FORWARD_RULES,
  MAX_POOL_ADDRESSES,
  MAX_PORT,
  MAX_SOURCE_RULES,
  MAX_STATIC_RULES,
  NAT_KEYS,
  type NatSpec,
  type SourceRule,
  type StaticRule,
  TO_INTERFACE,
} from "./nat-spec.ts";
import { formatPool, parsePool, sizeOf } from "./pool.ts";

type Values = Readonly<Record<string, unknown>>;

/** Reads values with the ports that they may name. */
class NatReader {
  readonly reader: PropertyReader;
  readonly #ports: readonly PortDraft[];

  constructor(reader: PropertyReader, ports: readonly PortDraft[]) {
    this.reader = reader;
    this.#ports = ports;
  }

  list<T>(value: unknown, key: string, max: number, read: (value: unknown, path: Path) => T | null): T[] {
    const given = value === undefined ? [] : this.reader.array(value, ["nat", key], 0, max);
    return Array.from(given ?? [], (each, index) => read(each, ["nat", key, index])).filter(
      (each) => each !== null,
    );
  }

  /** Reads one rule; null if a value in it is invalid. */
  rule<T>(
    value: unknown,
    path: Path,
    keys: readonly string[],
    read: (rule: Values, at: (key: string) => Path) => T,
  ): T | null {
    const before = this.reader.problems.length;
    const rule = this.reader.object(value, path, keys);
    if (rule === null) return null;
    const made = read(rule, (key) => [...path, key]);
    return this.reader.problems.length > before ? null : made;
  }

  /** The name of a port or another interface, as it is spelled there. */
  port(value: unknown, path: Path): string {
    const name = this.reader.text(value, path);
    if (name === null) return "";
    const port = this.#ports.find((each) => each.name?.toLowerCase() === name.toLowerCase());
    if (port?.name) return port.name;
    // The port may be one whose own name is invalid.
    if (!this.#ports.some((each) => each.name === null)) this.reader.add(path, `there is no port ${name}`);
    return name;
  }

  host(value: unknown, path: Path): string {
    const address = this.reader.parsed(value, path, parseIpv4, "an IPv4 address");
    if (address === null) return "";
    const text = formatIpv4(address);
    if (!isHostAddress(address)) this.reader.add(path, `${text} is not the address of a host`);
    return text;
  }

  outsideHost(value: unknown, path: Path): string {
    const text = this.host(value, path);
    const own = this.#ports.some(({ ipv4 }) => ipv4 && formatIpv4(ipv4.address) === text);
    if (own) this.reader.add(path, `${text} is the router's own address`);
    return text;
  }
}

/** Undefined if nothing is translated. */
export function readNat(
  reader: PropertyReader,
  value: unknown,
  ports: readonly PortDraft[],
): NatSpec | undefined {
  if (value === undefined) return undefined;
  const nat = reader.object(value, ["nat"], NAT_KEYS);
  if (nat === null) return undefined;
  const from = new NatReader(reader, ports);
  const source = from.list(nat.source, "source", MAX_SOURCE_RULES, (each, path) =>
    readSource(from, each, path),
  );
  const fixed = from.list(nat.static, "static", MAX_STATIC_RULES, (each, path) =>
    readStatic(from, each, path),
  );
  const forward = from.list(nat.forward, "forward", MAX_FORWARD_RULES, (each, path) =>
    readForward(from, each, path),
  );
  const hairpin = reader.boolean(nat.hairpin ?? false, ["nat", "hairpin"]);
  checkStatic(fixed, reader);
  checkForward(forward, reader);
  const spec: NatSpec = {
    ...(source.length > 0 && { source }),
    ...(fixed.length > 0 && { static: fixed }),
    ...(forward.length > 0 && { forward }),
    ...(hairpin && { hairpin }),
  };
  return Object.keys(spec).length === 0 ? undefined : spec;
}

const readSource = (from: NatReader, value: unknown, path: Path): SourceRule | null =>
  from.rule(value, path, ["out", "from", "to", "overload"], (rule, at) => {
    const { reader } = from;
    const out = from.port(rule.out, at("out"));
    const prefix = reader.parsed(
      rule.from ?? "0.0.0.0/0",
      at("from"),
      parsePrefix4,
      "an IPv4 prefix (10.0.0.0/8)",
    );
    if (prefix && network4(prefix.address, prefix.prefixLength) !== prefix.address)
      reader.add(at("from"), `${formatPrefix4(prefix)} has bits set after its prefix`);
    const overload = reader.boolean(rule.overload ?? true, at("overload"));
    const to = readPool(from, rule.to ?? TO_INTERFACE, at("to"));
    if (to === TO_INTERFACE && overload === false)
      reader.add(at("overload"), "hosts share the address of a port: overload must be true");
    return { out, from: prefix ? formatPrefix4(prefix) : "", to, overload: overload ?? true };
  });

function readPool({ reader }: NatReader, value: unknown, path: Path): string {
  if (value === TO_INTERFACE) return TO_INTERFACE;
  const pool = reader.parsed(
    value,
    path,
    parsePool,
    "interface, an address or a pool (203.0.113.5-203.0.113.9)",
  );
  if (pool === null) return "";
  if (sizeOf(pool) > MAX_POOL_ADDRESSES)
    reader.add(path, `the pool has ${sizeOf(pool)} addresses; ${MAX_POOL_ADDRESSES} are allowed`);
  if (!isHostAddress(pool.first) || !isHostAddress(pool.last))
    reader.add(path, `${formatPool(pool)} has addresses that no host can have`);
  return formatPool(pool);
}

const readStatic = (from: NatReader, value: unknown, path: Path): StaticRule | null =>
  from.rule(value, path, ["out", "inside", "outside"], (rule, at) => ({
    out: from.port(rule.out, at("out")),
    inside: from.host(rule.inside, at("inside")),
    outside: from.outsideHost(rule.outside, at("outside")),
  }));

const readForward = (from: NatReader, value: unknown, path: Path): ForwardRule | null =>
  from.rule(value, path, ["out", "protocol", "address", "port", "last_port", "to", "to_port"], (rule, at) => {
    const { reader } = from;
    const out = from.port(rule.out, at("out"));
    const protocol = reader.parsed(
      rule.protocol,
      at("protocol"),
      (text) => (text === "tcp" || text === "udp" ? text : null),
      "tcp or udp",
    );
    const address = rule.address === undefined ? undefined : from.outsideHost(rule.address, at("address"));
    const port = reader.integer(rule.port, at("port"), 1, MAX_PORT) ?? 1;
    const last = reader.integer(rule.last_port ?? port, at("last_port"), port, MAX_PORT) ?? port;
    const to = from.host(rule.to, at("to"));
    const toPort = reader.integer(rule.to_port ?? port, at("to_port"), 1, MAX_PORT - (last - port)) ?? port;
    return {
      out,
      protocol: protocol ?? "tcp",
      ...(address !== undefined && { address }),
      port,
      ...(last !== port && { last_port: last }),
      to,
      ...(toPort !== port && { to_port: toPort }),
    };
  });

function checkStatic(rules: readonly StaticRule[], reader: PropertyReader): void {
  for (const [index, rule] of rules.entries()) {
    for (const key of ["inside", "outside"] as const) {
      const before = rules.findIndex((other) => other.out === rule.out && other[key] === rule[key]);
      if (before < index) reader.add(["nat", "static", index, key], `${rule[key]} has a translation already`);
    }
  }
}

function checkForward(rules: readonly ForwardRule[], reader: PropertyReader): void {
  for (const [index, rule] of rules.entries()) {
    const before = rules.findIndex((other) => shares(rule, other));
    if (before < index) reader.add(["nat", "forward", index, "port"], `forward ${before} has the same port`);
  }
}

const shares = (one: ForwardRule, other: ForwardRule): boolean =>
  one.out === other.out &&
  one.protocol === other.protocol &&
  one.address === other.address &&
  one.port <= (other.last_port ?? other.port) &&
  other.port <= (one.last_port ?? one.port);
