/** The settings of a router's services, beside its ports and routes. Each service has a key, and a folder. */
import type { PropertyReader } from "../property-reader.ts";
import {
  formatRemotePool,
  type RemotePoolProperties,
  type RemotePoolSpec,
  readRemotePools,
  remotePoolLine,
} from "./dhcp-pools/settings.ts";
import {
  type DhcpRelayProperties,
  type DhcpRelaySpec,
  dhcpRelayLines,
  formatDhcpRelay,
  readDhcpRelay,
} from "./dhcp-relay/settings.ts";
import {
  type Dhcpv6Properties,
  type Dhcpv6Spec,
  dhcpv6Lines,
  formatDhcpv6,
  readDhcpv6,
} from "./dhcpv6/settings.ts";
import { type DnsProperties, type DnsSpec, dnsLines, formatDns, readDns } from "./dns/settings.ts";
import {
  type FlowsProperties,
  type FlowsSpec,
  flowsLines,
  formatFlows,
  readFlows,
} from "./flows/settings.ts";
import type { PortDraft } from "./property-drafts.ts";
import { formatRip, type RipProperties, type RipSpec, readRip, ripLines } from "./rip/settings.ts";
import {
  formatSyslog,
  readSyslog,
  type SyslogProperties,
  type SyslogSpec,
  syslogLines,
} from "./syslog/settings.ts";

/** Services that are not configured are absent. */
export interface ServicesConfig {
  readonly rip?: RipSpec;
  readonly dns?: DnsSpec;
  readonly dhcpRelay?: DhcpRelaySpec;
  readonly dhcpv6?: Dhcpv6Spec;
  readonly syslog?: SyslogSpec;
  readonly flows?: FlowsSpec;
  readonly dhcpPools?: readonly RemotePoolSpec[];
}

export interface ServicesProperties {
  rip?: RipProperties;
  dns?: DnsProperties;
  dhcp_relay?: DhcpRelayProperties;
  dhcp_pools?: RemotePoolProperties[];
  dhcpv6?: Dhcpv6Properties;
  syslog?: SyslogProperties;
  flows?: FlowsProperties;
}

export const SERVICE_KEYS = [
  "rip",
  "dns",
  "dhcp_relay",
  "dhcp_pools",
  "dhcpv6",
  "syslog",
  "flows",
] as const satisfies readonly (keyof ServicesProperties)[];

/** @param ports null if the list of ports is invalid. */
export function readServices(
  reader: PropertyReader,
  root: Readonly<Record<string, unknown>>,
  ports: readonly PortDraft[] | null,
): ServicesConfig {
  const rip = root.rip === undefined ? undefined : readRip(reader, root.rip, ports);
  const dns = root.dns === undefined ? undefined : readDns(reader, root.dns, ports);
  const dhcpRelay = root.dhcp_relay === undefined ? undefined : readDhcpRelay(reader, root.dhcp_relay, ports);
  const dhcpPools =
    root.dhcp_pools === undefined ? undefined : readRemotePools(reader, root.dhcp_pools, ports);
  const dhcpv6 = root.dhcpv6 === undefined ? undefined : readDhcpv6(reader, root.dhcpv6, ports);
  const syslog = root.syslog === undefined ? undefined : readSyslog(reader, root.syslog);
  const flows = root.flows === undefined ? undefined : readFlows(reader, root.flows);
  return {
    ...(rip && { rip }),
    ...(dns && { dns }),
    ...(dhcpRelay && { dhcpRelay }),
    ...(dhcpPools && dhcpPools.length > 0 && { dhcpPools }),
    ...(dhcpv6 && { dhcpv6 }),
    ...(syslog && { syslog }),
    ...(flows && { flows }),
  };
}

export const formatServices = ({
  rip,
  dns,
  dhcpRelay,
  dhcpPools,
  dhcpv6,
  syslog,
  flows,
}: ServicesConfig): ServicesProperties => ({
  ...(rip && { rip: formatRip(rip) }),
  ...(dns && { dns: formatDns(dns) }),
  ...(dhcpRelay && { dhcp_relay: formatDhcpRelay(dhcpRelay) }),
  ...(dhcpPools && { dhcp_pools: dhcpPools.map(formatRemotePool) }),
  ...(dhcpv6 && { dhcpv6: formatDhcpv6(dhcpv6) }),
  ...(syslog && { syslog: formatSyslog(syslog) }),
  ...(flows && { flows: formatFlows(flows) }),
});

/** The commands that configure the services. */
export const serviceLines = ({
  rip,
  dns,
  dhcpRelay,
  dhcpPools = [],
  dhcpv6 = {},
  syslog,
  flows,
}: ServicesConfig): string[] => [
  ...(rip ? ripLines(rip) : []),
  ...(dns ? dnsLines(dns) : []),
  ...(dhcpRelay ? dhcpRelayLines(dhcpRelay) : []),
  ...dhcpPools.map(remotePoolLine),
  ...dhcpv6Lines(dhcpv6),
  ...(syslog ? syslogLines(syslog) : []),
  ...(flows ? flowsLines(flows) : []),
];
