/** The facts of a lab after its timeline, as texts by name: `diff` compares these. */

import { kindOf } from "@wirelab/engine/devices/find-kind";
import type { PcState } from "@wirelab/engine/devices/pc/index";
import type { RouterSpec, RouterState } from "@wirelab/engine/devices/router/index";
import { tablesOf } from "@wirelab/engine/devices/router/shell/tables-of";
import type { SwitchState } from "@wirelab/engine/devices/switch/index";
import { formatAnyAddress, formatAnyPrefix } from "@wirelab/engine/net/address/prefix";
import { formatIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { formatMac } from "@wirelab/engine/wire/mac";
import type { Probe } from "../model/expectation.ts";
import type { LabModel, LinkModel, NodeModel } from "../model/lab-model.ts";
import { followPacket } from "../play/follow.ts";
import { FrameLog, type LoggedFrame } from "../play/frame-log.ts";
import { type Played, play } from "../play/play.ts";
import { ping } from "../play/probe.ts";
import { isFor } from "../play/probe-packet.ts";
import { addressesNow } from "../topology/addresses.ts";
import type { LabState } from "../topology/lab-state.ts";

export const SECTIONS = [
  "nodes",
  "links",
  "addresses",
  "routes",
  "mac tables",
  "arp tables",
  "reachability",
  "paths",
  "packets",
] as const;
export type Section = (typeof SECTIONS)[number];

export type Facts = Readonly<Record<Section, ReadonlyMap<string, string>>>;

export function factsOf(model: LabModel): Facts {
  const played = play(model, { probed: [undefined] });
  const state = played.stateAt(undefined);
  const { reachability, paths } = probeAll(played);
  return {
    nodes: new Map(model.nodes.flatMap(settingsOf)),
    links: new Map(model.links.map((link) => [nameOf(link), describeLink(link)])),
    addresses: new Map(model.nodes.map((node) => [node.name, addressesNow(node, state).join(", ")])),
    routes: routesOf(model, state),
    "mac tables": macsOf(model, state),
    "arp tables": arpOf(model, state),
    reachability,
    paths,
    packets: packetsOf(played),
  };
}

/** Links are compared by their ends: their names are often made from them. */
const nameOf = ({ ends }: LinkModel): string => ends.map(({ node, port }) => `${node}:${port}`).join(" -- ");

/** The type of a node, and each of its settings: `r1 ports[0]`. Numbers that follow from the order of the nodes are left out. */
function settingsOf({ name, spec, isStarted }: NodeModel): (readonly [string, string])[] {
  const { type, name: _name, ...settings } = spec;
  const { index: _index, mac: _mac, ...own } = settings as Record<string, unknown>;
  const values = Object.entries(own).flatMap(([key, value]) =>
    Array.isArray(value)
      ? value.map((each, at) => [`${name} ${key}[${at}]`, JSON.stringify(each)] as const)
      : [[`${name} ${key}`, JSON.stringify(value)] as const],
  );
  return [[name, `${kindOf(type).word}${isStarted ? "" : ", off"}`], ...values];
}

const describeLink = ({ filters, impairments, isDown }: LinkModel): string =>
  `${isDown ? "down" : "up"}${impairments ? `, impairments ${JSON.stringify(impairments.settings)}` : ""}${Object.entries(
    filters.settings,
  )
    .map(([type, values]) => `, ${type} ${values.join(" ")}`)
    .join("")}`;

const deviceOf = (state: LabState, name: string): unknown => state.nodes.get(name)?.state?.device;

function routesOf({ nodes }: LabModel, state: LabState): Map<string, string> {
  const routes = new Map<string, string>();
  for (const { name, spec } of nodes) {
    if (spec.type !== "router") continue;
    const device = deviceOf(state, name) as RouterState | undefined;
    const { routes4, routes6, ports } = tablesOf(spec as RouterSpec, device);
    for (const { network, prefixLength, via, port, reject } of [...routes4.list(), ...routes6.list()]) {
      const to = formatAnyPrefix({ address: network, prefixLength } as Parameters<typeof formatAnyPrefix>[0]);
      const how = via === undefined ? "connected" : `via ${formatAnyAddress(via)}`;
      const at = ports[port]?.name;
      const way = at === undefined ? String(reject) : `${how} at ${at}`;
      const others = routes.get(`${name} ${to}`);
      routes.set(`${name} ${to}`, others === undefined ? way : `${others}, ${way}`);
    }
  }
  return routes;
}

function macsOf({ nodes }: LabModel, state: LabState): Map<string, string> {
  const entries = new Map<string, string>();
  for (const { name, spec, ports } of nodes) {
    if (spec.type !== "ethernet_switch") continue;
    for (const [vlan, mac, port] of (deviceOf(state, name) as SwitchState | undefined)?.macs ?? []) {
      entries.set(`${name} VLAN ${vlan} ${formatMac(mac)}`, ports[port] ?? String(port));
    }
  }
  return entries;
}

function arpOf({ nodes }: LabModel, state: LabState): Map<string, string> {
  const entries = new Map<string, string>();
  for (const { name, spec } of nodes) {
    const device = deviceOf(state, name);
    if (device === undefined) continue;
    if (spec.type === "router") {
      for (const [, address, mac] of (device as RouterState).arp)
        entries.set(`${name} ${formatIpv4(address)}`, formatMac(mac));
    } else if (spec.type === "vpcs") {
      for (const { ip, mac } of (device as PcState).arp)
        entries.set(`${name} ${formatIpv4(ip)}`, formatMac(mac));
    }
  }
  return entries;
}

/** One ping for each pair of PCs, from the end of the timeline. */
function probeAll(played: Played): { reachability: Map<string, string>; paths: Map<string, string> } {
  const reachability = new Map<string, string>();
  const paths = new Map<string, string>();
  const pcs = played.model.nodes.filter(({ spec }) => spec.type === "vpcs").map(({ name }) => name);
  for (const from of pcs) {
    for (const to of pcs) {
      if (from === to) continue;
      const probe: Probe = { from, to, protocol: "icmp", port: 7 };
      const log = new FrameLog();
      const { replies, obstacle, target } = ping(played, probe, {
        atNs: undefined,
        tries: 1,
        observer: log,
      });
      reachability.set(`${from} -> ${to}`, replies.length > 0 ? "reaches" : (obstacle ?? "does not reach"));
      const sent = log.frames.find((each) => each.from === from && isFor(target, each.frame));
      const way = sent === undefined ? [] : followPacket(log, sent, to);
      paths.set(`${from} -> ${to}`, describeWay(from, way, played.model));
    }
  }
  return { reachability, paths };
}

/** Names the link only where several join the same two nodes. */
function describeWay(from: string, way: readonly LoggedFrame[], { links }: LabModel): string {
  const last = way.at(-1);
  if (last === undefined) return `${from}, not sent`;
  const steps = way
    .filter(({ arrivedNs }) => arrivedNs !== undefined)
    .map((hop) => {
      const joining = links.filter(({ ends }) =>
        ends.every(({ node }) => node === hop.from || node === hop.to),
      );
      return joining.length > 1 ? `${hop.to} (${hop.link})` : hop.to;
    });
  return [from, ...steps].join(" -> ") + (last.arrivedNs === undefined ? `, lost on ${last.link}` : "");
}

function packetsOf({ timeline }: Played): Map<string, string> {
  const counts = new Map<string, string>();
  for (const { aToB, bToA } of timeline.links.values()) {
    for (const line of [aToB, bToA]) {
      const { entered, delivered, dropped, corrupted } = line.report();
      const from = line.link.ends.find((end) => end !== line.peer)!.nodeId;
      counts.set(
        `${from} -> ${line.peer?.nodeId ?? ""} on ${line.link.id}`,
        `${entered.packets} entered, ${delivered.packets} delivered, ${dropped.packets} dropped, ${corrupted.packets} corrupted`,
      );
    }
  }
  return counts;
}
