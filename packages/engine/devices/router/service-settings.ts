/** The settings of a router's services, beside its ports and routes: each service has a key in `properties`, and a folder. */
import type { JsonSchema } from "../../settings/kind.ts";
import type { PropertyReader } from "../../settings/property-reader.ts";
import { REMOTE_POOLS } from "./dhcp-pools/settings.ts";
import { DHCP_RELAY } from "./dhcp-relay/settings.ts";
import { DHCPV6 } from "./dhcpv6/settings.ts";
import { DNS } from "./dns/settings.ts";
import { FLOWS } from "./flows/settings.ts";
import type { Ports } from "./port-kind.ts";
import { RIP } from "./rip/settings.ts";
import type { ServiceSettings } from "./service-shape.ts";
import { SYSLOG } from "./syslog/settings.ts";

/** In the order of their commands in a configuration. */
const SERVICES = {
  rip: RIP,
  dns: DNS,
  dhcp_relay: DHCP_RELAY,
  dhcp_pools: REMOTE_POOLS,
  dhcpv6: DHCPV6,
  syslog: SYSLOG,
  flows: FLOWS,
} as const;

type Services = typeof SERVICES;
type Key = keyof Services;

/** Services that are not configured are absent. */
export type ServicesConfig = {
  readonly [K in Key as Services[K]["name"]]?: Parameters<Services[K]["format"]>[0];
};
export type ServicesProperties = { [K in Key]?: ReturnType<Services[K]["format"]> };

export const SERVICE_KEYS = Object.keys(SERVICES);

const ALL = Object.entries(SERVICES) as [Key, ServiceSettings<keyof ServicesConfig, unknown, unknown>][];

/** @param ports null if the list of ports is invalid. */
export const readServices = (
  reader: PropertyReader,
  root: Readonly<Record<string, unknown>>,
  ports: Ports,
): ServicesConfig =>
  Object.fromEntries(
    ALL.flatMap(([key, { name, read }]) => {
      const settings = root[key] === undefined ? null : read(reader, root[key], [key], ports);
      return settings === null ? [] : [[name, settings]];
    }),
  );

export const formatServices = (config: ServicesConfig): ServicesProperties =>
  Object.fromEntries(
    ALL.flatMap(([key, { name, format }]) =>
      config[name] === undefined ? [] : [[key, format(config[name])]],
    ),
  );

/** The commands that configure the services. */
export const serviceLines = (config: ServicesConfig): string[] =>
  ALL.flatMap(([, { name, print }]) => (config[name] === undefined ? [] : print(config[name])));

/** JSON Schema of each service's settings, by its key. */
export const serviceSchemas = (): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(ALL.map(([key, { schema }]) => [key, schema()]));
