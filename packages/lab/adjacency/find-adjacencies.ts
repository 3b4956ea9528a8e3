/** Which neighbours the configurations of both ends name, and so promise. */
import {
  contains4,
  contains6,
  formatAnyAddress,
  isPrefix4,
  parseAnyAddress,
  parseAnyPrefix,
} from "@wirelab/engine/net/address/prefix";
import type { IpPort } from "../guest-state/ip.ts";
import type { Daemon } from "./questions.ts";
import type { BgpRule, ConfigLine, IsisRule, OspfRule, RouterConfig } from "./router-config.ts";
import type { GuestPort, Segment } from "./segments.ts";
import { shareNetwork } from "./share-network.ts";
import { portsIn, vrfsOf } from "./vrfs.ts";

/** A node with a routing daemon, its configuration, and the ports that it has now. */
export interface Router {
  readonly node: string;
  readonly daemon: Daemon;
  readonly config: RouterConfig;
  readonly ports: readonly IpPort[];
  /** The router ID in OSPFv3, whose neighbours FRR shows without addresses. */
  readonly routerId6: string | undefined;
}

export interface PortEnd<R> {
  readonly router: Router;
  readonly port: IpPort;
  readonly rule: R;
}

export interface SessionEnd {
  readonly router: Router;
  readonly rule: BgpRule;
}

type Pair<T> = readonly [T, T];

export type Adjacency =
  | {
      readonly protocol: "ospf" | "ospf6";
      readonly isDirect: boolean;
      readonly ends: Pair<PortEnd<OspfRule>>;
    }
  | { readonly protocol: "isis"; readonly ends: Pair<PortEnd<IsisRule>> }
  | { readonly protocol: "bgp" | "bfd"; readonly ends: Pair<SessionEnd> };

type Session = Extract<Adjacency, { protocol: "bgp" | "bfd" }>;

export interface Found {
  readonly adjacencies: readonly Adjacency[];
  /** In words, each with its place. */
  readonly unchecked: readonly string[];
}

const describeLine = (node: string, { file, line, text }: ConfigLine, why: string): string =>
  `${node} ${file}:${line}: ${text}: ${why}`;

/** @param isWhole whether no link and no node is down, and no link is disturbed: else only sessions over one link are promised. */
export function findAdjacencies(
  routers: readonly Router[],
  segments: readonly Segment[],
  isWhole = true,
): Found {
  const unchecked = routers.flatMap(({ node, config }) =>
    config.unread.map(({ at, why }) => describeLine(node, at, why)),
  );
  const byName = new Map(routers.map((router) => [router.node, router]));
  const adjacencies = segments.flatMap((segment) => [
    ...ospfOn(segment, 2, byName, unchecked),
    ...ospfOn(segment, 3, byName, unchecked),
    ...isisOn(segment, byName, unchecked),
    ...sessionsOn(segment, byName, unchecked),
  ]);
  const sessions = sessionsByAddress(routers, segments, unchecked).filter((adjacency) => {
    if (isWhole || isOnOneLink(adjacency, segments)) return true;
    const [{ router, rule }] = adjacency.ends;
    unchecked.push(
      describeLine(
        router.node,
        rule.at,
        "a link or a node is down or may lose packets, and the session may need it",
      ),
    );
    return false;
  });
  return { adjacencies: [...adjacencies, ...sessions], unchecked };
}

function isOnOneLink({ ends: [one, other] }: Session, segments: readonly Segment[]): boolean {
  const portsOn = ({ router, rule }: SessionEnd, { ports }: Segment) =>
    portsIn(router, rule.vrf).filter(({ name }) =>
      ports.some(({ node, port }) => node === router.node && port === name),
    );
  return segments.some(
    (segment) =>
      portsOn(one, segment).some((port) => isBeside(port, one.rule.name)) &&
      portsOn(other, segment).some((port) => has(port, one.rule.name)),
  );
}

const pairsOf = <T>(list: readonly T[]): readonly Pair<T>[] =>
  list.flatMap((one, index) => list.slice(index + 1).map((other): Pair<T> => [one, other]));

/** @returns undefined for a port without a router, or one that is switched off or part of a bond, bridge or VRF. */
function endOf({ node, port: name }: GuestPort, routers: ReadonlyMap<string, Router>) {
  const router = routers.get(node);
  const port = router?.ports.find((each) => each.name === name);
  return router === undefined || port === undefined ? undefined : { router, port };
}

const isUsable = ({ isOn, master }: IpPort, vrf?: string): boolean => isOn && master === vrf;

function ospfOn(
  { ports, isDirect }: Segment,
  version: 2 | 3,
  routers: ReadonlyMap<string, Router>,
  unchecked: string[],
): Adjacency[] {
  const ends = ports.flatMap((each): PortEnd<OspfRule>[] => {
    const end = endOf(each, routers);
    const rule = end?.router.config.ospf.find(
      (candidate) => candidate.version === version && candidate.matches(end.port),
    );
    if (end === undefined || rule === undefined || rule.isPassive(each.port)) return [];
    if (isUsable(end.port, rule.vrf)) return [{ ...end, rule }];
    const why = `${each.port} is off, or part of a bond, a bridge or another VRF`;
    unchecked.push(describeLine(each.node, rule.at, why));
    return [];
  });
  if (isDirect && ends.length === 1 && ends[0] !== undefined) {
    const [{ router, port, rule }] = [ends[0]];
    const other = ports.find(({ node, port: name }) => node !== router.node || name !== port.name);
    const why = `on ${port.name}, but ${other?.node} has none on ${other?.port}, or does not look for neighbours there`;
    if (other !== undefined && routers.get(other.node)?.config.ospf.some((each) => each.version === version))
      unchecked.push(describeLine(router.node, rule.at, why));
  }
  const protocol = version === 2 ? "ospf" : "ospf6";
  return pairsOf(ends).flatMap((pair): Adjacency[] => {
    const [one, other] = pair;
    if (one.router === other.router) return [];
    if (version === 3 && !isDirect && (one.rule.vrf ?? other.rule.vrf) !== undefined) {
      const why = "the reader does not know which neighbour behind a switch is which in a VRF";
      unchecked.push(describeLine(one.router.node, one.rule.at, why));
      return [];
    }
    if (version === 3 || isDirect || sharesNetwork(one.port, other.port))
      return [{ protocol, isDirect, ends: pair }];
    const why = `${one.port.name} and ${other.port.name} of ${other.router.node} are in different networks behind a switch`;
    unchecked.push(describeLine(one.router.node, one.rule.at, why));
    return [];
  });
}

/** Whether two ports have IPv4 addresses of one network. */
const sharesNetwork = (one: IpPort, other: IpPort): boolean => shareNetwork(one.addresses, other.addresses);

function isisOn(
  { ports, isDirect }: Segment,
  routers: ReadonlyMap<string, Router>,
  unchecked: string[],
): Adjacency[] {
  const ends = ports.flatMap((each): PortEnd<IsisRule>[] => {
    const end = endOf(each, routers);
    const rule = end?.router.config.isis.find(({ port }) => port === each.port);
    if (end === undefined || rule === undefined || !isUsable(end.port)) return [];
    if (isDirect) return [{ ...end, rule }];
    unchecked.push(
      describeLine(each.node, rule.at, "the reader does not know which neighbour behind a switch is which"),
    );
    return [];
  });
  const [one, other] = ends;
  return one === undefined || other === undefined || one.router === other.router
    ? []
    : [{ protocol: "isis", ends: [one, other] }];
}

/** Sessions of neighbours that are named by interfaces. */
function sessionsOn(
  { ports, isDirect }: Segment,
  routers: ReadonlyMap<string, Router>,
  unchecked: string[],
): Adjacency[] {
  const ends = ports.flatMap((each): SessionEnd[] => {
    const router = routers.get(each.node);
    const rule = router?.config.bgp.find(
      ({ name, isByPort, vrf }) =>
        isByPort && name === each.port && portsIn(router, vrf).some((port) => port.name === name),
    );
    return router === undefined || rule === undefined ? [] : [{ router, rule }];
  });
  const [one, other] = ends;
  if (isDirect && one !== undefined && other !== undefined && one.router !== other.router)
    return [{ protocol: "bgp", ends: [one, other] }];
  for (const { router, rule } of ends)
    unchecked.push(describeLine(router.node, rule.at, "the other end names no neighbour by its interface"));
  return [];
}

/** One spelling for each address. */
export function canonical(address: string): string {
  const parsed = parseAnyAddress(address);
  return parsed === null ? address : formatAnyAddress(parsed);
}

export const addressesOf = (ports: readonly IpPort[]): readonly string[] =>
  ports.flatMap(({ addresses }) => addresses.map((address) => canonical(address.split("/")[0] ?? "")));

/** A router, and one of its tables of routes. */
interface Table {
  readonly router: Router;
  readonly vrf: string | undefined;
}

const portsOf = ({ router, vrf }: Table): readonly IpPort[] => portsIn(router, vrf);

function sessionsByAddress(
  routers: readonly Router[],
  segments: readonly Segment[],
  unchecked: string[],
): Session[] {
  const found = new Map<string, Session>();
  const tables = routers.flatMap((router): Table[] =>
    [undefined, ...vrfsOf(router.config)].map((vrf) => ({ router, vrf })),
  );
  for (const router of routers) {
    for (const rule of router.config.bgp.filter(({ isByPort }) => !isByPort)) {
      const own = { router, vrf: rule.vrf };
      const owner = ownerOf(rule.name, own, tables, segments);
      const back = typeof owner === "string" ? owner : answerOf(own, rule, owner);
      if (typeof owner === "string" || typeof back === "string") {
        unchecked.push(describeLine(router.node, rule.at, String(typeof owner === "string" ? owner : back)));
        continue;
      }
      const ends = [
        { router, rule },
        { router: owner.router, rule: back },
      ].toSorted((a, b) => routers.indexOf(a.router) - routers.indexOf(b.router));
      const [one, other] = ends;
      if (one === undefined || other === undefined) continue;
      const key = ends.map((end) => `${end.router.node} ${end.rule.vrf ?? ""} ${end.rule.name}`).join(" -- ");
      found.set(key, { protocol: "bgp", ends: [one, other] });
      if (rule.hasBfd && back.hasBfd) found.set(`${key} bfd`, { protocol: "bfd", ends: [one, other] });
    }
  }
  return [...found.values()];
}

/** @returns the table that has the address, or why none is taken. Of several in VRFs, the table on a link of the session counts. */
function ownerOf(
  address: string,
  own: Table,
  tables: readonly Table[],
  segments: readonly Segment[],
): Table | string {
  const all = tables.filter((table) => addressesOf(portsOf(table)).includes(canonical(address)));
  const near = all.filter((table) => all.length > 1 && sharesLink(own, table, address, segments));
  const [owner, second] = near.length > 0 ? near : all;
  if (owner === undefined) return `no router here has the address ${address}`;
  if (second !== undefined)
    return `${owner.router.node} and ${second.router.node} have the address ${address}`;
  return owner.router === own.router ? `${address} is an address of ${own.router.node} itself` : owner;
}

const sharesLink = (own: Table, owner: Table, address: string, segments: readonly Segment[]): boolean =>
  segments.some(({ ports }) => {
    const on = (table: Table) =>
      portsOf(table).filter(({ name }) =>
        ports.some(({ node, port }) => node === table.router.node && port === name),
      );
    return (
      own.router !== owner.router &&
      on(own).some((port) => isBeside(port, address)) &&
      on(owner).some((port) => has(port, address))
    );
  });

/** @returns the line of the neighbour that names this end of the session, or why none is taken. */
function answerOf(table: Table, { name }: BgpRule, owner: Table): BgpRule | string {
  const { node } = table.router;
  const ports = portsOf(table);
  const own = addressesOf(ports);
  const isV6 = name.includes(":");
  const all = owner.router.config.bgp.filter(
    (each) =>
      !each.isByPort &&
      each.vrf === owner.vrf &&
      each.name.includes(":") === isV6 &&
      own.includes(canonical(each.name)),
  );
  if (all.length === 0) return `${owner.router.node} does not name an address of ${node} as its neighbour`;
  // Among several sessions, the session on the same link counts.
  const near = all.filter((each) => ports.some((port) => has(port, each.name) && isBeside(port, name)));
  const [only, second] = near.length > 0 ? near : all;
  return only !== undefined && second === undefined
    ? only
    : `${owner.router.node} names several addresses of ${node}, and it is not known which belongs to this session`;
}

const has = (port: IpPort, address: string): boolean => addressesOf([port]).includes(canonical(address));

/** Whether an address is in the network of a port. */
export function isBeside({ addresses }: IpPort, address: string): boolean {
  const wanted = parseAnyAddress(address);
  return addresses.some((text) => {
    const prefix = parseAnyPrefix(text);
    if (prefix === null || wanted === null) return false;
    if (isPrefix4(prefix)) return typeof wanted === "number" && contains4(prefix, wanted);
    return typeof wanted === "bigint" && contains6(prefix, wanted);
  });
}
