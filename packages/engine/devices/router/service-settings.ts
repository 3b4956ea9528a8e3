/** The settings of a router, beside its ports and interfaces: each service has a key in `properties`, and a folder. */
import type { JsonSchema } from "../../settings/kind.ts";
import type { PropertyReader } from "../../settings/property-reader.ts";
import { REMOTE_POOLS } from "./dhcp-pools/settings.ts";
import { DHCP_RELAY } from "./dhcp-relay/settings.ts";
import { DHCPV6 } from "./dhcpv6/settings.ts";
import { DNS } from "./dns/settings.ts";
import { ACLS } from "./firewall/acl-settings.ts";
import { CONNECTIONS } from "./firewall/connection-limits.ts";
import { FLOWS } from "./flows/settings.ts";
import { NAT } from "./nat/settings.ts";
import { PBR_MAPS } from "./policy/settings.ts";
import type { Ports } from "./port-kind.ts";
import { RIP } from "./rip/settings.ts";
import { ROUTES } from "./routes/settings.ts";
import type { ServiceSettings } from "./service-shape.ts";
import { SYSLOG } from "./syslog/settings.ts";

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
} as const;

type Services = typeof SERVICES;
type Key = keyof Services;

type Settings<K extends Key> = Parameters<Services[K]["format"]>[0];

/** Services that are not configured are absent. */
export type ServicesConfig = { readonly routes: Settings<"routes"> } & {
  readonly [K in Exclude<Key, "routes"> as Services[K]["name"]]?: Settings<K>;
};
export type ServicesProperties = { [K in Key]?: ReturnType<Services[K]["format"]> };

export const SERVICE_KEYS = Object.keys(SERVICES);

type Any = ServiceSettings<keyof ServicesConfig, unknown, unknown>;
const ALL = Object.entries(SERVICES) as [Key, Any][];

/** @param ports null if the list of ports is invalid. */
export const readServices = (
  reader: PropertyReader,
  root: Readonly<Record<string, unknown>>,
  ports: Ports,
): ServicesConfig =>
  Object.fromEntries(
    ALL.flatMap(([key, { name, otherwise, omitsEmpty, read }]) => {
      const { [key]: value = otherwise } = root;
      const settings = value === undefined ? null : read(reader, value, [key], ports);
      const isAbsent = settings === null || (omitsEmpty && Object.keys(settings as object).length === 0);
      return isAbsent ? [] : [[name, settings]];
    }),
  ) as ServicesConfig;

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
