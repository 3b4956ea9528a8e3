/** A router's configuration: plain JSON data, addresses as text. `properties.ts` parses and checks it from the API's `properties`. */
import { formatShape, type PropertiesOf } from "../../settings/shape.ts";
import { POOL, type PoolSpec } from "./dhcp-pool-shape.ts";
import type { PortAcls } from "./firewall/acl-spec.ts";
import { formatKind, type InterfaceKind, type KindProperties } from "./interfaces/spec.ts";
import { formatServices, type ServicesConfig, type ServicesProperties } from "./service-settings.ts";
import { formatSwitchport, type SwitchportProperties, type SwitchportSpec } from "./switching/switchport.ts";
import { formatVrrp, type VrrpProperties, type VrrpSpec } from "./vrrp/settings.ts";

export interface RouterConfig extends ServicesConfig {
  /** 1 to 64. */
  readonly ports: readonly RouterPortSpec[];
  /** Absent if there are none. */
  readonly interfaces?: readonly RouterInterfaceSpec[];
}

export interface RouterPortSpec {
  readonly name: string;
  /** `10.0.1.1/24` */
  readonly ipv4?: string;
  /** `2001:db8:1::1/64`; the link-local address follows from the MAC. */
  readonly ipv6?: string;
  /** Maximum size of an IP packet, without the Ethernet header, in bytes. */
  readonly mtuBytes: number;
  readonly dhcp?: PoolSpec;
  /** Whether the port answers router solicitations; only if it has IPv6. */
  readonly ra: boolean;
  /** Absent if there are none. */
  readonly vrrp?: readonly VrrpSpec[];
  /** The table of routes that the interface belongs to; absent for the default one. */
  readonly vrf?: string;
  /** Present on a port that neither sends nor receives. */
  readonly shutdown?: true;
  /** Access lists; absent if the port has none. */
  readonly acls?: PortAcls;
  /** The map of policy routing that decides the way of packets; absent if none does. */
  readonly pbr?: string;
  /** Present on a port that is switched with others. */
  readonly switchport?: SwitchportSpec;
}

export type RouterInterfaceSpec = RouterPortSpec & InterfaceKind;

export interface RouterSpec extends RouterConfig {
  readonly type: "router";
  readonly name: string;
  /** The MAC of port 0; the other ports have the following ones. */
  readonly mac: number;
}

/** The configuration with the names of the API's `properties`; omitted values have their defaults. */
export interface RouterProperties extends ServicesProperties {
  ports?: PortProperties[];
  interfaces?: InterfaceProperties[];
}

export interface PortProperties extends PortAcls {
  name?: string;
  ipv4?: string;
  ipv6?: string;
  mtu?: number;
  dhcp?: PropertiesOf<typeof POOL>;
  ra?: boolean;
  vrrp?: VrrpProperties[];
  vrf?: string;
  shutdown?: boolean;
  switchport?: SwitchportProperties;
  pbr_policy?: string;
}

export type InterfaceProperties = PortProperties & KindProperties;

export const DEFAULT_PORTS = 4;
export const MAX_PORTS = 64;
export const DEFAULT_MTU_BYTES = 1_500;
/** RFC 791: the packet size that every link must carry unfragmented. */
export const MIN_MTU_BYTES = 68;
/** RFC 8200, section 5. */
export const MIN_IPV6_MTU_BYTES = 1_280;
export const MAX_MTU_BYTES = 9_216;

export const defaultPortName = (index: number): string => `Ethernet${index}`;

/** Returns only the configuration of a value that has it: all of a specification but the type, the name and the MAC. */
export function configOf(of: RouterConfig): RouterConfig {
  const { type: _type, name: _name, mac: _mac, ...config } = of as RouterSpec;
  return config;
}

/** The ports, then the other interfaces: an interface's place in this list is its index. */
export const interfacesOf = ({
  ports,
  interfaces = [],
}: Pick<RouterConfig, "ports" | "interfaces">): RouterPortSpec[] => [...ports, ...interfaces];

/** Formats the configuration as the API's `properties`, with every default; parsing the result gives the same configuration. */
export const formatRouterProperties = ({ ports, interfaces, ...others }: RouterConfig): RouterProperties => ({
  ports: ports.map(formatPort),
  ...(interfaces && { interfaces: interfaces.map((each) => ({ ...formatPort(each), ...formatKind(each) })) }),
  ...formatServices(others),
});

function formatPort({
  name,
  ipv4,
  ipv6,
  mtuBytes,
  dhcp,
  ra,
  vrrp,
  vrf,
  shutdown,
  acls,
  switchport,
  pbr,
}: RouterPortSpec): PortProperties {
  return {
    name,
    ...(ipv4 !== undefined && { ipv4 }),
    ...(ipv6 !== undefined && { ipv6 }),
    mtu: mtuBytes,
    ...(dhcp !== undefined && { dhcp: formatShape(POOL, dhcp) }),
    ra,
    ...(vrrp && { vrrp: vrrp.map(formatVrrp) }),
    ...(vrf !== undefined && { vrf }),
    ...(shutdown && { shutdown }),
    ...acls,
    ...(switchport && { switchport: formatSwitchport(switchport) }),
    ...(pbr !== undefined && { pbr_policy: pbr }),
  };
}
