/** What FRR's configuration says about OSPF, by its version: `router ospf`, `router ospf6` and the lines of interfaces. */
import { contains4, type Prefix4, parsePrefix4 } from "@wirelab/engine/net/address/prefix";
import type { IpPort } from "../guest-state/ip.ts";
import type { Block } from "./frr-blocks.ts";
import { type ConfigLine, type OspfRule, toArea, type Unread } from "./router-config.ts";

export interface OspfOfFrr {
  readonly rules: readonly OspfRule[];
  readonly unread: readonly Unread[];
}

/** Lines of `router ospf` and `router ospf6` that do not decide whether there are neighbours. */
const HARMLESS =
  /^(no )?((ospf6? )?router-id|log-adjacency-changes|redistribute|default-information|default-metric|distance|maximum-paths|timers|max-metric|auto-cost|refresh|compatible|ospf (abr-type|rfc1583compatibility|opaque-lsa|write-multiplier|maximum-retransmissions)|capability|mpls-te|segment-routing|router-info|graceful-restart|aggregation|summary-address|distribute-list|stub-router|write-multiplier|socket|fast-reroute|area \S+ (range|filter-list|export-list|import-list|default-cost|shortcut))\b/;
const HARMLESS_ON_PORT =
  /^(hello-interval|dead-interval|cost|priority|retransmit-interval|transmit-delay|mtu-ignore|bfd|ifmtu|advertise|graceful-restart|prefix-suppression|capability)\b/;
const NETWORKS = /^network (broadcast|point-to-point|point-to-multipoint)$/;

interface PortLines {
  area?: { readonly area: string; readonly at: ConfigLine };
  isPassive?: boolean;
  authentication?: string | undefined;
  readonly keys: string[];
  isUnread: boolean;
}

class PortTable {
  readonly #ports = new Map<string, PortLines>();

  of(name: string): PortLines {
    const known = this.#ports.get(name) ?? { keys: [], isUnread: false };
    this.#ports.set(name, known);
    return known;
  }

  get entries(): IterableIterator<[string, PortLines]> {
    return this.#ports.entries();
  }
}

const PREFIXES = { 2: "ip ospf ", 3: "ipv6 ospf6 " } as const;
const ROUTERS = { 2: "router ospf", 3: "router ospf6" } as const;
const PROCESS = /^router ospf6?(?: vrf (\S+))?$/;
const UNKNOWN = "the reader does not know what it does to neighbours";

export function readFrrOspf(blocks: readonly Block[], version: 2 | 3): OspfOfFrr {
  const unread: Unread[] = [];
  const ports = new PortTable();
  for (const { head, lines } of blocks) {
    const [, name] = /^interface (\S+)(?: vrf \S+)?$/.exec(head) ?? [];
    if (name === undefined) continue;
    for (const at of lines) readPortLine(at, version, ports.of(name), unread);
  }
  const routers = blocks.filter(({ head }) => head.split(" ").slice(0, 2).join(" ") === ROUTERS[version]);
  const others = routers.filter(({ head }) => !PROCESS.test(head));
  for (const { at } of others) unread.push({ at, why: "an instance of its own" });
  if (routers.length === 0)
    for (const [, { area }] of ports.entries)
      if (area) unread.push({ at: area.at, why: `there is no \`${ROUTERS[version]}\`` });
  // It is not known which interface belongs to which of several instances.
  if (others.length > 0) return { rules: [], unread };
  const byVrf = Map.groupBy(routers, ({ head }) => PROCESS.exec(head)?.[1]);
  const rules = [...byVrf].flatMap(([vrf, own]) => {
    const process = readProcess(own, ports, unread);
    return process.isUnread ? [] : rulesOf(version, vrf, ports, process);
  });
  // The default process has rules for interfaces of VRFs, too, which have a process of their own.
  return {
    rules: rules.toSorted((a, b) => Number(a.vrf === undefined) - Number(b.vrf === undefined)),
    unread,
  };
}

function readPortLine(at: ConfigLine, version: 2 | 3, port: PortLines, unread: Unread[]): void {
  const isNo = at.text.startsWith("no ");
  const text = isNo ? at.text.slice(3) : at.text;
  if (text === "shutdown" && !isNo) {
    port.isUnread = true;
    return;
  }
  const prefix = PREFIXES[version];
  if (!text.startsWith(prefix)) return;
  const rest = text.slice(prefix.length);
  const area = toArea(/^area (\S+)$/.exec(rest)?.[1] ?? "");
  if (area !== undefined && !isNo) port.area = { area, at };
  else if (rest === "passive") port.isPassive = !isNo;
  else if (/^authentication( message-digest| null)?$/.test(rest) && !isNo) {
    port.authentication = AUTHENTICATION[rest.split(" ")[1] ?? ""];
  } else if (/^(authentication-key \S+|message-digest-key [0-9]+ md5 \S+)$/.test(rest) && !isNo)
    port.keys.push(rest);
  else if (!(HARMLESS_ON_PORT.test(rest) || (NETWORKS.test(rest) && !isNo))) {
    port.isUnread = true;
    unread.push({ at, why: UNKNOWN });
  }
}

const AUTHENTICATION: Readonly<Record<string, string>> = {
  "": "simple",
  "message-digest": "message digest",
  null: "none",
};

interface Process {
  readonly networks: { readonly prefix: Prefix4; readonly area: string; readonly at: ConfigLine }[];
  readonly areaKinds: Map<string, string>;
  readonly areaAuthentication: Map<string, string>;
  isPassive: boolean;
  isUnread: boolean;
}

function readProcess(routers: readonly Block[], ports: PortTable, unread: Unread[]): Process {
  const process: Process = {
    networks: [],
    areaKinds: new Map(),
    areaAuthentication: new Map(),
    isPassive: false,
    isUnread: false,
  };
  for (const at of routers.flatMap(({ lines }) => lines)) {
    if (readProcessLine(at, process, ports) || HARMLESS.test(at.text)) continue;
    process.isUnread = true;
    unread.push({ at, why: UNKNOWN });
  }
  return process;
}

function readProcessLine(at: ConfigLine, process: Process, ports: PortTable): boolean {
  const { text } = at;
  const [, network, of] = /^network (\S+) area (\S+)$/.exec(text) ?? [];
  if (network !== undefined) {
    const [prefix, area] = [parsePrefix4(network), toArea(of ?? "")];
    if (prefix === null || area === undefined) return false;
    process.networks.push({ prefix, area, at });
    return true;
  }
  const [, no, name] = /^(no )?passive-interface (\S+)$/.exec(text) ?? [];
  if (name !== undefined) {
    if (name === "default") process.isPassive = no === undefined;
    else ports.of(name).isPassive = no === undefined;
    return true;
  }
  // The spelling of OSPFv3 before FRR 8.
  const [, port, ofPort] = /^interface (\S+) area (\S+)$/.exec(text) ?? [];
  const area = toArea(ofPort ?? "");
  if (port !== undefined && area !== undefined) {
    ports.of(port).area = { area, at };
    return true;
  }
  const [, ofKind, kind] = /^area (\S+) (stub|nssa)( .*)?$/.exec(text) ?? [];
  const kindArea = toArea(ofKind ?? "");
  if (kind !== undefined && kindArea !== undefined) {
    process.areaKinds.set(kindArea, kind);
    return true;
  }
  const [, ofAuthentication, digest] = /^area (\S+) authentication( message-digest)?$/.exec(text) ?? [];
  const authenticationArea = toArea(ofAuthentication ?? "");
  if (authenticationArea === undefined) return false;
  process.areaAuthentication.set(authenticationArea, digest ? "message digest" : "simple");
  return true;
}

function rulesOf(version: 2 | 3, vrf: string | undefined, ports: PortTable, process: Process): OspfRule[] {
  const isHere = ({ master }: IpPort): boolean => vrf === undefined || master === vrf;
  const common = (area: string) => ({
    version,
    vrf,
    area,
    areaKind: process.areaKinds.get(area) ?? "ordinary",
    isPassive: (name: string) => ports.of(name).isPassive ?? process.isPassive,
    authentication: (name: string) => {
      const port = ports.of(name);
      const kind = port.authentication ?? process.areaAuthentication.get(area) ?? "none";
      return kind === "none" ? kind : [kind, ...port.keys.toSorted()].join(", ");
    },
  });
  const ofPorts = [...ports.entries].flatMap(([name, { area, isUnread }]) =>
    area === undefined || isUnread
      ? []
      : [
          {
            ...common(area.area),
            at: area.at,
            matches: (port: IpPort) => port.name === name && isHere(port),
          },
        ],
  );
  const ofNetworks = process.networks.map(({ prefix, area, at }) => ({
    ...common(area),
    at,
    matches: (port: IpPort) =>
      isHere(port) &&
      !ports.of(port.name).isUnread &&
      port.addresses.some((address) => isInside(address, prefix)),
  }));
  return [...ofPorts, ...ofNetworks];
}

/** A network holds for the interfaces whose own network is a part of it. */
function isInside(address: string, network: Prefix4): boolean {
  const own = parsePrefix4(address);
  return own !== null && own.prefixLength >= network.prefixLength && contains4(network, own.address);
}
