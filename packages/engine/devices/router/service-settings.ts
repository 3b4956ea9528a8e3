/** The settings of a router's services, beside its ports and routes. Each service has a key, and a folder. */
import type { PropertyReader } from "../property-reader.ts";
import { type DnsProperties, type DnsSpec, dnsLines, formatDns, readDns } from "./dns/settings.ts";
import type { PortDraft } from "./property-drafts.ts";
import { formatRip, type RipProperties, type RipSpec, readRip, ripLines } from "./rip/settings.ts";

/** Services that are not configured are absent. */
export interface ServicesConfig {
  readonly rip?: RipSpec;
  readonly dns?: DnsSpec;
}

export interface ServicesProperties {
  rip?: RipProperties;
  dns?: DnsProperties;
}

export const SERVICE_KEYS = ["rip", "dns"] as const satisfies readonly (keyof ServicesProperties)[];

/** @param ports null if the list of ports is invalid. */
export function readServices(
  reader: PropertyReader,
  root: Readonly<Record<string, unknown>>,
  ports: readonly PortDraft[] | null,
): ServicesConfig {
  const rip = root.rip === undefined ? undefined : readRip(reader, root.rip, ports);
  const dns = root.dns === undefined ? undefined : readDns(reader, root.dns, ports);
  return { ...(rip && { rip }), ...(dns && { dns }) };
}

export const formatServices = ({ rip, dns }: ServicesConfig): ServicesProperties => ({
  ...(rip && { rip: formatRip(rip) }),
  ...(dns && { dns: formatDns(dns) }),
});

/** The commands that configure the services. */
export const serviceLines = ({ rip, dns }: ServicesConfig): string[] => [
  ...(rip ? ripLines(rip) : []),
  ...(dns ? dnsLines(dns) : []),
];
