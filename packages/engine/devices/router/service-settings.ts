/** The settings of a router's services, beside its ports and routes. Each service has a key, and a folder. */
import type { PropertyReader } from "../property-reader.ts";
import type { PortDraft } from "./property-drafts.ts";
import { formatRip, type RipProperties, type RipSpec, readRip, ripLines } from "./rip/settings.ts";

/** Services that are not configured are absent. */
export interface ServicesConfig {
  readonly rip?: RipSpec;
}

export interface ServicesProperties {
  rip?: RipProperties;
}

export const SERVICE_KEYS = ["rip"] as const satisfies readonly (keyof ServicesProperties)[];

/** @param ports null if the list of ports is invalid. */
export function readServices(
  reader: PropertyReader,
  root: Readonly<Record<string, unknown>>,
  ports: readonly PortDraft[] | null,
): ServicesConfig {
  const rip = root.rip === undefined ? undefined : readRip(reader, root.rip, ports);
  return { ...(rip && { rip }) };
}

export const formatServices = ({ rip }: ServicesConfig): ServicesProperties => ({
  ...(rip && { rip: formatRip(rip) }),
});

/** The commands that configure the services. */
export const serviceLines = ({ rip }: ServicesConfig): string[] => [...(rip ? ripLines(rip) : [])];
