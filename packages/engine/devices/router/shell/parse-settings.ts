/**
 * Parses the settings of a router: ports and other interfaces by port-shape.ts and interfaces/spec.ts, the rest by service-settings.ts.
 * The rules between values follow; they ignore values that are invalid. Every problem is reported.
 */
import { type Problem, PropertyReader } from "../../../settings/property-reader.ts";
import type { RouterConfig, RouterInterfaceSpec } from "../services/base/config.ts";
import type { PortDraft } from "../services/base/property-drafts.ts";
import { checkSwitchedPorts } from "../services/switching/rules.ts";
import { checkVrrpTracks } from "../services/vrrp/settings.ts";
import { DEFAULT_PORTS, defaultPortName, MAX_PORTS } from "./config.ts";
import { readInterfaces } from "./interfaces/read.ts";
import { checkInterfaces } from "./interfaces/rules.ts";
import { PHYSICAL } from "./port-shape.ts";
import { checkRules } from "./property-rules.ts";
import { readPort } from "./read-port.ts";
import { readServices, SERVICE_KEYS } from "./service-settings.ts";

export type ParsedSettings =
  | { readonly ok: true; readonly config: RouterConfig }
  | { readonly ok: false; readonly problems: Problem[] };

export const SETTING_KEYS = ["ports", "interfaces", ...SERVICE_KEYS];

/** @param root without ports, the router has four without addresses. */
export function parseSettings(root: Readonly<Record<string, unknown>>): ParsedSettings {
  const reader = new PropertyReader();
  const ports = readPorts(reader, root.ports);
  const interfaces = readInterfaces(reader, root.interfaces);
  checkRules([...(ports ?? []), ...interfaces], reader);
  checkSwitchedPorts(ports ?? [], reader);
  checkInterfaces(interfaces, ports, reader);
  checkVrrpTracks(ports ?? [], interfaces, reader);
  const services = readServices(reader, root, ports && [...ports, ...interfaces]);
  if (reader.problems.length > 0) return { ok: false, problems: reader.problems };
  return {
    ok: true,
    config: {
      ports: (ports ?? []).map(({ spec }) => spec!),
      ...(interfaces.length > 0 && { interfaces: interfaces.map(({ spec }) => spec as RouterInterfaceSpec) }),
      ...services,
    },
  };
}

/** Null if the list itself is invalid: the rules then skip the check that a gateway is on a subnet. */
function readPorts(reader: PropertyReader, value: unknown): PortDraft[] | null {
  const given = value === undefined ? new Array<object>(DEFAULT_PORTS).fill({}) : value;
  const ports = reader.array(given, ["ports"], 1, MAX_PORTS);
  return (
    ports &&
    Array.from(ports, (port, index) => readPort(reader, named(port, index), ["ports", index], PHYSICAL))
  );
}

const named = (port: unknown, index: number): unknown =>
  typeof port === "object" && port !== null && !Array.isArray(port)
    ? { name: defaultPortName(index), ...port }
    : port;
