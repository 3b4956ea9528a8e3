/** The settings of a switch beside its ports; each is absent when it is off. */
import type { IgmpQuerierSettings } from "../igmp/settings.ts";
import type { BundleSettings } from "../lacp/settings.ts";
import type { LldpSettings } from "../lldp/settings.ts";
import type { Mirror } from "../mirror.ts";
import type { MldQuerierSettings } from "../mld/settings.ts";
import type { SnoopingSettings } from "../multicast/settings.ts";
import type { RstpSpec } from "../rstp/bridge.ts";
import type { StormControl } from "../storm-control.ts";

export interface StaticMac {
  readonly mac: number;
  readonly vlan: number;
  readonly port: number;
}

export interface SwitchSettings {
  /** Absent: no spanning tree. */
  readonly rstp?: RstpSpec | undefined;
  /** Seconds after which a learned address is forgotten; default 300. */
  readonly ageing_time?: number;
  /** Addresses that are neither learned nor forgotten. */
  readonly static_macs?: readonly StaticMac[];
  /** Ports that exchange frames with the other ports only. */
  readonly isolated_ports?: readonly number[];
  readonly storm_control?: StormControl;
  readonly mirror?: Mirror;
  /** Bytes of the largest packet that the switch forwards, without the Ethernet header and VLAN tags. */
  readonly mtu?: number;
  /** Absent: the switch neither announces itself nor learns its neighbours. */
  readonly lldp?: LldpSettings;
  /** Ports that are one port together. */
  readonly bundles?: readonly BundleSettings[];
  /** Absent: frames to groups of IPv4 go to all ports. */
  readonly igmp_snooping?: SnoopingSettings<IgmpQuerierSettings>;
  /** The same for IPv6. */
  readonly mld_snooping?: SnoopingSettings<MldQuerierSettings>;
}
