/** The settings of a router, beside its ports and interfaces: each service has a key in `properties`, and a folder. */
import type { JsonSchema } from "../../../settings/kind.ts";
import type { PropertyReader } from "../../../settings/property-reader.ts";
import type { ServicesConfig, ServicesProperties } from "../services/base/config.ts";
import type { Ports } from "../services/base/port-kind.ts";
import type { ServiceSettings } from "../services/base/service-shape.ts";
import { BFD } from "../services/bfd/settings.ts";
import { BGP } from "../services/bgp/settings.ts";
import { REMOTE_POOLS } from "../services/dhcp/settings.ts";
import { DHCP_RELAY } from "../services/dhcp-relay/settings.ts";
import { DHCPV6 } from "../services/dhcpv6/settings.ts";
import { DNS } from "../services/dns/settings.ts";
import { ACLS } from "../services/firewall/acl-settings.ts";
import { CONNECTIONS } from "../services/firewall/connection-limits.ts";
import { FLOWS } from "../services/flows/settings.ts";
import { NAT } from "../services/nat/settings.ts";
import { OSPF } from "../services/ospf/settings.ts";
import { PBR_MAPS } from "../services/policy/settings.ts";
import { RIP } from "../services/rip/settings.ts";
import { ROUTE_LISTS, ROUTE_MAPS } from "../services/route-policy/settings.ts";
import { ROUTES } from "../services/routes/settings.ts";
import { SYSLOG } from "../services/syslog/settings.ts";

/** In the order of a stored configuration, whose fingerprint depends on it. */
const SERVICES = {
  routes: ROUTES,
  rip: RIP,
  dns: DNS,
  dhcp_relay: DHCP_RELAY,
  dhcp_pools: REMOTE_POOLS,
  dhcpv6: DHCPV6,
  syslog: SYSLOG,
  flows: FLOWS,
  acls: ACLS,
  connections: CONNECTIONS,
  nat: NAT,
  pbr_maps: PBR_MAPS,
  ospf: OSPF,
  route_lists: ROUTE_LISTS,
  route_maps: ROUTE_MAPS,
  bgp: BGP,
  bfd: BFD,
} as const satisfies Record<keyof ServicesProperties, { readonly name: keyof ServicesConfig }>;

type Key = keyof typeof SERVICES;

export const SERVICE_KEYS = Object.keys(SERVICES);

type Any = ServiceSettings<keyof ServicesConfig, unknown, unknown>;
const ALL = Object.entries(SERVICES) as [Key, Any][];

/** @param ports null if the list of ports is invalid. */
export const readServices = (
  reader: PropertyReader,
  root: Readonly<Record<string, unknown>>,
  ports: Ports,
): ServicesConfig => ({
  routes: [],
  ...(Object.fromEntries(
    ALL.flatMap(([key, { name, otherwise, omitsEmpty, read }]) => {
      const { [key]: value = otherwise } = root;
      const settings = value === undefined ? null : read(reader, value, [key], ports);
      const isAbsent = settings === null || (omitsEmpty && Object.keys(settings as object).length === 0);
      return isAbsent ? [] : [[name, settings]];
    }),
  ) as Partial<ServicesConfig>),
});

export const formatServices = (config: ServicesConfig): ServicesProperties =>
  Object.fromEntries(
    ALL.flatMap(([key, { name, format }]) =>
      config[name] === undefined ? [] : [[key, format(config[name])]],
    ),
  );

/** The commands that configure some of the services, in the order of their keys. */
export const serviceLines = (config: ServicesConfig, keys: readonly Key[]): string[] =>
  keys.flatMap((key) => {
    const { name, print } = SERVICES[key] as Any;
    return config[name] === undefined ? [] : print(config[name]);
  });

/** JSON Schema of each service's settings, by its key. */
export const serviceSchemas = (): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(ALL.map(([key, { schema }]) => [key, schema()]));
