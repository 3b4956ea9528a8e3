/** Makes the ports of a router and its other interfaces: which are up, and what each is beside its addresses. */
import { maskOf, parseIpv4 } from "../../wire/ipv4-address.ts";
import { linkLocalOf } from "../../wire/ipv6-address.ts";
import { broadcast4, hasBroadcast, type Prefix4, parsePrefix4, parsePrefix6 } from "../address/prefix.ts";
import type { PlaneConfig, PlanePort, VlanSpec } from "./config.ts";
import { makeSegment, type Segment } from "./segment.ts";
import { vlanOfSvi } from "./svi.ts";
import { carriesVlan, makeSwitchport } from "./switchport.ts";
import type { Interface4, RouterPort } from "./tables.ts";
import { makeTrunk, portOfSubinterface } from "./tags.ts";
import type { Tunnel } from "./tunnel.ts";
import { stationAt, type VirtualAddresses } from "./virtual-addresses.ts";

/** @param virtual addresses of virtual routers whose master the router is. @returns the ports, then the other interfaces, by index. */
export function makePorts(
  config: PlaneConfig,
  baseMac: number,
  portsDown: ReadonlySet<number>,
  virtual: readonly VirtualAddresses[],
): readonly RouterPort[] {
  const physical = config.ports.map((port, index) =>
    makePort(port, index, baseMac + index, !portsDown.has(index)),
  );
  const others = (config.interfaces ?? []).map((each, index) =>
    each.type === "vlan"
      ? makeSubinterface(each, physical.length + index, physical)
      : each.type === "svi"
        ? makeSvi(each, physical.length + index, physical)
        : { ...makePort(each, physical.length + index, baseMac, true), kind: each.type },
  );
  const tunnels = makeTunnels(config, [...physical, ...others]);
  return withSegments(
    config,
    [...physical, ...others].map((port) => tunnels.get(port.index) ?? withVirtual(port, virtual)),
  );
}

function makePort(spec: PlanePort, index: number, mac: number, hasCarrier: boolean): RouterPort {
  const isUp = !spec.shutdown && hasCarrier;
  const ipv4 = isUp && spec.ipv4 !== undefined ? parsePrefix4(spec.ipv4) : null;
  const ipv6 = isUp && spec.ipv6 !== undefined ? parsePrefix6(spec.ipv6) : null;
  return {
    index,
    kind: "port",
    name: spec.name,
    mac,
    mtuBytes: spec.mtuBytes,
    isUp,
    ipv4: ipv4 ? makeInterface4(ipv4) : undefined,
    ipv6: ipv6 ? { ...ipv6, linkLocal: linkLocalOf(mac) } : undefined,
    advertises: spec.ra,
    ...(spec.vrf !== undefined && { vrf: spec.vrf }),
    ...(spec.pbr !== undefined && { pbr: spec.pbr }),
    ...(spec.switchport && { switchport: makeSwitchport(spec.switchport) }),
    ...(spec.vrrp?.some(({ ipv6: virtual6 }) => virtual6) && { hasVirtual6: true }),
  };
}

/** A tunnel is up while the interface with its local address is. @returns the tunnels by index. */
function makeTunnels(
  { ports, interfaces = [] }: PlaneConfig,
  all: readonly RouterPort[],
): ReadonlyMap<number, RouterPort> {
  const tunnels = new Map<number, RouterPort>();
  for (const [at, spec] of interfaces.entries()) {
    if (spec.type !== "gre") continue;
    const index = ports.length + at;
    const { key, ttl } = spec;
    const tunnel: Tunnel = { local: parseIpv4(spec.local)!, remote: parseIpv4(spec.remote)!, key, ttl };
    const hasLocal = all.some(
      ({ kind, vrf, ipv4 }) =>
        vrf === undefined && kind !== "gre" && kind !== "vxlan" && ipv4?.address === tunnel.local,
    );
    tunnels.set(index, { ...makePort(spec, index, all[0]!.mac, hasLocal), kind: "gre", tunnel });
  }
  return tunnels;
}

/** Adds to VXLAN interfaces their segments, and to the bridged ones where they belong. */
function withSegments(
  { ports, interfaces = [] }: PlaneConfig,
  all: readonly RouterPort[],
): readonly RouterPort[] {
  if (!interfaces.some(({ type }) => type === "vxlan")) return all;
  const names = all.map(({ name }) => name);
  const segments = new Map<number, Segment>();
  const owners = new Map<number, number>();
  for (const [at, spec] of interfaces.entries()) {
    if (spec.type !== "vxlan") continue;
    const segment = makeSegment(spec, names);
    segments.set(ports.length + at, segment);
    for (const member of segment.members) owners.set(member, ports.length + at);
  }
  return all.map((port) => {
    const segment = segments.get(port.index);
    const memberOf = owners.get(port.index);
    return { ...port, ...(segment && { segment }), ...(memberOf !== undefined && { memberOf }) };
  });
}

function withVirtual(port: RouterPort, all: readonly VirtualAddresses[]): RouterPort {
  const virtual = stationAt(port.index, all);
  return virtual === undefined ? port : { ...port, virtual };
}

/** A subinterface is up while its port is, has the port's MAC, and sends no larger packets than the port. */
function makeSubinterface(
  spec: PlanePort & VlanSpec & { readonly type: "vlan" },
  index: number,
  ports: readonly RouterPort[],
): RouterPort {
  const port = ports[portOfSubinterface(spec.name, ports)!]!;
  return {
    ...makePort(spec, index, port.mac, port.isUp),
    kind: spec.type,
    mtuBytes: Math.min(spec.mtuBytes, port.mtuBytes),
    trunk: makeTrunk(port.index, spec),
  };
}

/** An SVI is up while a port that carries its VLAN is. As in Linux, it has the lowest MAC of the switched ports. */
function makeSvi(spec: PlanePort, index: number, ports: readonly RouterPort[]): RouterPort {
  const vlan = vlanOfSvi(spec.name)!;
  const switched = ports.filter(({ switchport }) => switchport !== undefined);
  const hasCarrier = switched.some(({ isUp, switchport }) => isUp && carriesVlan(switchport!, vlan));
  return { ...makePort(spec, index, (switched[0] ?? ports[0]!).mac, hasCarrier), kind: "svi", vlan };
}

const makeInterface4 = (ipv4: Prefix4): Interface4 => ({
  ...ipv4,
  mask: maskOf(ipv4.prefixLength),
  broadcast: hasBroadcast(ipv4) ? broadcast4(ipv4) : undefined,
});
