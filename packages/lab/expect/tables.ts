/** `mac`, `arp`, `route` and `lease`: what devices know at a moment. */
import type { PcState } from "@wirelab/engine/devices/pc/index";
import { macOfPc } from "@wirelab/engine/devices/pc/state";
import type { RouterSpec, RouterState } from "@wirelab/engine/devices/router/index";
import { tablesOf } from "@wirelab/engine/devices/router/shell/tables-of";
import type { SwitchState } from "@wirelab/engine/devices/switch/index";
import {
  contains4,
  formatAnyAddress,
  network4,
  network6,
  parseAnyAddress,
  parseAnyPrefix,
  parsePrefix4,
} from "@wirelab/engine/net/address/prefix";
import type { Route } from "@wirelab/engine/net/fib/route";
import type { Tables } from "@wirelab/engine/net/plane/tables";
import { formatIpv4, parseIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { formatMac, parseMac } from "@wirelab/engine/wire/mac";
import type { LabModel, NodeModel } from "../model/lab-model.ts";
import { addressesNow } from "../topology/addresses.ts";
import type { LabState } from "../topology/lab-state.ts";
import { type MakeCheck, type Outcome, passes } from "./check.ts";

const nodeNamed = (model: LabModel, name: string): NodeModel =>
  model.nodes.find((node) => node.name === name)!;

const deviceOf = (state: LabState, name: string): unknown => {
  const now = state.nodes.get(name);
  return now?.status === "stopped" ? undefined : now?.state?.device;
};

/** The MAC addresses of a node's ports. */
function macsOf({ spec, ports }: NodeModel): number[] {
  if (spec.type === "vpcs") return [macOfPc(spec.index)];
  return "mac" in spec ? ports.map((_, port) => spec.mac + port) : [];
}

const none = (items: readonly string[], what: string): string =>
  items.length === 0 ? `no ${what}` : items.join("; ");

/** What a switch has learned, or a router with switched ports. */
function learnedBy(device: unknown): SwitchState["macs"] {
  const { macs, services } = (device ?? {}) as Partial<SwitchState & RouterState>;
  return macs ?? [...(services?.bridge ?? [])];
}

export const mac: MakeCheck<"mac"> = ({ node, has, port, vlan }, { atNs }, model) => ({
  momentNs: atNs,
  judge({ stateAt }) {
    const macs = learnedBy(deviceOf(stateAt(atNs), node));
    const parsed = parseMac(has);
    const wanted = new Set(parsed === null ? macsOf(nodeNamed(model, has)) : [parsed]);
    const own = macs.filter(([, address]) => wanted.has(address));
    const found = own.filter(
      ([ofVlan, , at]) => (port === undefined || at === port) && (vlan === undefined || ofVlan === vlan),
    );
    const names = nodeNamed(model, node).ports;
    const text = own.map(
      ([ofVlan, address, at]) => `${formatMac(address)} on ${names[at] ?? at} (port ${at}), VLAN ${ofVlan}`,
    );
    return {
      status: passes(found.length > 0),
      expected: `an entry for ${has}${port === undefined ? "" : ` on port ${port}`}${vlan === undefined ? "" : ` in VLAN ${vlan}`}`,
      got: none(text, `entry among ${macs.length}`),
    };
  },
});

export const arp: MakeCheck<"arp"> = ({ node, has, mac: wantedMac }, { atNs }, model) => ({
  momentNs: atNs,
  judge({ stateAt }) {
    const state = stateAt(atNs);
    const entries = arpEntries(nodeNamed(model, node), deviceOf(state, node));
    const target = model.nodes.find(({ name }) => name === has);
    const wanted = new Set((target ? addressesNow(target, state) : [has]).map(parseIpv4));
    const own = entries.filter(({ address }) => wanted.has(address));
    const found = own.filter((entry) => wantedMac === undefined || formatMac(entry.mac) === wantedMac);
    return {
      status: passes(found.length > 0),
      expected: `an ARP entry for ${has}${wantedMac === undefined ? "" : ` with ${wantedMac}`}`,
      got: none(
        own.map((entry) => `${formatIpv4(entry.address)} is ${formatMac(entry.mac)}`),
        `entry among ${entries.length}`,
      ),
    };
  },
});

function arpEntries({ spec }: NodeModel, device: unknown): { address: number; mac: number }[] {
  if (device === undefined) return [];
  if (spec.type === "router")
    return (device as RouterState).arp.map(([, address, mac]) => ({ address, mac }));
  return (device as PcState).arp.map(({ ip, mac }) => ({ address: ip, mac }));
}

export const route: MakeCheck<"route"> = ({ node, to, via }, { atNs }, model) => ({
  momentNs: atNs,
  judge({ stateAt }) {
    const { spec } = nodeNamed(model, node) as NodeModel & { spec: RouterSpec };
    const tables = tablesOf(spec, deviceOf(stateAt(atNs), node) as RouterState | undefined);
    const found = findRoutes(tables, to);
    const got = found.map((each) => describeRoute(tables, each)).join(", ");
    const isTrue = found.some((each) => via === undefined || via === howOf(each));
    return {
      status: passes(isTrue),
      expected: `a route to ${to}${via === undefined ? "" : via === "connected" ? ", connected" : ` via ${via}`}`,
      got: got || "no route",
    };
  },
});

/** As a lab file names it: `connected`, a gateway, or what becomes of packets without one. */
const howOf = ({ via, port, reject }: Route<number | bigint>): string =>
  via === undefined ? (port < 0 ? String(reject) : "connected") : formatAnyAddress(via);

function describeRoute({ ports }: Tables, route: Route<number | bigint>): string {
  const at = ports[route.port]?.name;
  const how = howOf(route);
  return at === undefined ? how : `${how.replace(/^(?!connected)/, "via ")} at ${at}`;
}

/** A prefix finds the routes to exactly this network; an address, those that its packets take. Several share the packets. */
function findRoutes({ routes4, routes6 }: Tables, to: string): readonly Route<number | bigint>[] {
  const prefix = parseAnyPrefix(to);
  if (prefix !== null) {
    const { address, prefixLength } = prefix;
    return typeof address === "number"
      ? routes4.exact(network4(address, prefixLength), prefixLength)
      : routes6.exact(network6(address, prefixLength), prefixLength);
  }
  const address = parseAnyAddress(to);
  if (address === null) return [];
  return typeof address === "number" ? routes4.findAll(address) : routes6.findAll(address);
}

export const lease: MakeCheck<"lease"> = ({ node, address, gateway }, { atNs }) => ({
  momentNs: atNs,
  judge({ stateAt }): Outcome {
    const state = deviceOf(stateAt(atNs), node) as PcState | undefined;
    const expected = `a DHCP lease${address === undefined ? "" : ` of ${address}`}${gateway === undefined ? "" : ` with gateway ${gateway}`}`;
    if (state?.lease === undefined || state.ipv4.address === 0)
      return { status: "failed", expected, got: "no lease" };
    const { ipv4 } = state;
    const prefix = address === undefined ? null : parsePrefix4(address);
    const isAddress =
      address === undefined ||
      (prefix === null ? formatIpv4(ipv4.address) === address : contains4(prefix, ipv4.address));
    const isGateway = gateway === undefined || formatIpv4(ipv4.gateway) === gateway;
    return {
      status: passes(isAddress && isGateway),
      expected,
      got: `${formatIpv4(ipv4.address)}/${ipv4.prefixLength}, gateway ${formatIpv4(ipv4.gateway)}, from ${formatIpv4(state.lease.server)}`,
    };
  },
});
