/** What a switch knows between two runs, read from its state. */
import { FrameSlab } from "../../base/frame-slab.ts";
import { makeStream } from "../../base/random.ts";
import type { BundleReport } from "../../net/bridge/lacp/bundles.ts";
import type { LldpNeighbourReport } from "../../net/bridge/lldp/neighbours.ts";
import type { Mirror, MirrorDirection } from "../../net/bridge/mirror.ts";
import type { SnoopingReport } from "../../net/bridge/multicast/snooping.ts";
import type { RstpReport } from "../../net/bridge/rstp/bridge.ts";
import type { StormReport } from "../../net/bridge/storm-control.ts";
import { formatMac } from "../../wire/mac.ts";
import type { World } from "../device.ts";
import { EthernetSwitch, type SwitchSpec, type SwitchState } from "./index.ts";

/** null, or an empty list: the switch does not have the feature. */
export interface SwitchReport {
  readonly rstp: RstpReport | null;
  readonly bundles: readonly BundleReport[];
  readonly lldp_neighbours: readonly LldpNeighbourReport[];
  readonly igmp_snooping: SnoopingReport | null;
  readonly mld_snooping: SnoopingReport | null;
  readonly mirror: {
    readonly destination: number;
    readonly sources: readonly { readonly port: number; readonly direction: MirrorDirection }[];
  } | null;
  readonly storm_control: readonly StormReport[];
  readonly static_macs: readonly { readonly vlan: number; readonly mac: string; readonly port: number }[];
}

/** @param state undefined for a switch that is off. @param nowUs the lab's clock. */
export function reportSwitch(spec: SwitchSpec, state: SwitchState | undefined, nowUs: number): SwitchReport {
  const device = new EthernetSwitch(spec, stillWorld(nowUs), state);
  return {
    rstp: device.rstp ?? null,
    bundles: device.bundles ?? [],
    lldp_neighbours: device.neighbours ?? [],
    igmp_snooping: device.igmp ?? null,
    mld_snooping: device.mld ?? null,
    mirror: spec.mirror ? reportMirror(spec.mirror) : null,
    storm_control: device.storm ?? [],
    static_macs: (spec.static_macs ?? []).map(({ vlan, mac, port }) => ({ vlan, mac: formatMac(mac), port })),
  };
}

const reportMirror = ({ destination, sources }: Mirror): SwitchReport["mirror"] => ({
  destination,
  sources: Object.entries(sources).map(([port, direction]) => ({ port: Number(port), direction })),
});

/** A world in which nothing happens: the switch is only read. */
const stillWorld = (nowUs: number): World => ({
  nowUs,
  random: makeStream("report", "switch"),
  frames: new FrameSlab(),
  send() {},
  after: () => ({ cancel() {} }),
  print() {},
});
