/** What the plane takes of a configuration: plain JSON data, addresses as text. Configurations of devices have more. */
import type { StaticRoute } from "./route-spec.ts";
import type { SwitchportSpec } from "./switchport.ts";

export interface PlanePort {
  readonly name: string;
  readonly ipv4?: string;
  readonly ipv6?: string;
  readonly mtuBytes: number;
  /** Whether the port answers router solicitations. */
  readonly ra: boolean;
  readonly vrf?: string;
  readonly shutdown?: boolean;
  /** The map of policy routing. */
  readonly pbr?: string;
  readonly switchport?: SwitchportSpec;
  readonly vrrp?: readonly { readonly ipv6?: readonly string[] }[];
}

/** A subinterface. */
export interface VlanSpec {
  readonly vlan: number;
  readonly outerVlan?: number;
}

export interface VxlanSpec {
  readonly vni: number;
  readonly local: string;
  readonly remotes: readonly string[];
  readonly udpPort: number;
  readonly ttl: number;
  readonly ageingSeconds: number;
  readonly members?: readonly string[];
}

export type InterfaceKind =
  | ({ readonly type: "vlan" } & VlanSpec)
  | { readonly type: "loopback" }
  | {
      readonly type: "gre";
      readonly local: string;
      readonly remote: string;
      readonly key?: number;
      readonly ttl: number;
    }
  | { readonly type: "svi" }
  | ({ readonly type: "vxlan" } & VxlanSpec);

export type InterfaceType = InterfaceKind["type"];

export interface PlaneConfig {
  readonly ports: readonly PlanePort[];
  readonly interfaces?: readonly (PlanePort & InterfaceKind)[];
  readonly routes: readonly StaticRoute[];
}

/** The ports, then the other interfaces: an interface's place in this list is its index. */
export const interfacesOf = <P, I extends P>({
  ports,
  interfaces = [],
}: {
  readonly ports: readonly P[];
  readonly interfaces?: readonly I[];
}): P[] => [...ports, ...interfaces];
