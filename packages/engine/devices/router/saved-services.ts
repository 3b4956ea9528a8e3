/** What the services of a router keep between runs. Services without anything to keep are absent. */
import type { SavedMac } from "../switch/mac-table.ts";
import type { SavedDhcpv6 } from "./dhcpv6/leases.ts";
import type { SavedDns } from "./dns/cache.ts";
import type { SavedFlows } from "./flows/flow-table.ts";
import type { SavedPolicies } from "./policy/policy-spec.ts";
import type { SavedRip } from "./rip/saved.ts";
import type { SavedVirtualRouter } from "./vrrp/state-machine.ts";
import type { SavedVxlan } from "./vxlan/saved.ts";

export interface SavedServices {
  /** The addresses that switched ports have learned. */
  readonly bridge?: readonly SavedMac[];
  readonly dhcpv6?: SavedDhcpv6;
  readonly dns?: SavedDns;
  readonly flows?: SavedFlows;
  /** How many packets each rule of policy routing decided. */
  readonly pbr?: SavedPolicies;
  readonly rip?: SavedRip;
  /** The virtual routers by interface, number and family. */
  readonly vrrp?: Readonly<Record<string, SavedVirtualRouter>>;
  /** What segments of VXLAN have learned. */
  readonly vxlan?: SavedVxlan;
  /** What routes track and does not answer. */
  readonly track?: readonly string[];
}
