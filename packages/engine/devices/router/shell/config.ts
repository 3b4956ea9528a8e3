/** A router's configuration as a whole: `properties.ts` parses and checks it from the API's `properties`. */
import { formatShape, type Shape } from "../../../settings/shape.ts";
import type {
  InterfaceProperties,
  PortProperties,
  RouterConfig,
  RouterInterfaceSpec,
  RouterPortSpec,
  RouterProperties,
} from "../services/base/config.ts";
import { KINDS, TYPE } from "./interfaces/spec.ts";
import { PHYSICAL, PORT } from "./port-shape.ts";
import { formatServices } from "./service-settings.ts";

export interface RouterSpec extends RouterConfig {
  readonly type: "router";
  readonly name: string;
  /** The MAC of port 0; the other ports have the following ones. */
  readonly mac: number;
  /** Lines of its configuration as a text that have no effect, with the reasons; absent if there are none. */
  readonly leftOut?: readonly string[];
}

export const DEFAULT_PORTS = 4;
export const MAX_PORTS = 64;
export const defaultPortName = (index: number): string => `Ethernet${index}`;

/** Returns only the configuration of a value that has it: all of a specification but what a node has beside it. */
export function configOf(of: RouterConfig): RouterConfig {
  const { type: _type, name: _name, mac: _mac, leftOut: _leftOut, ...config } = of as RouterSpec;
  return config;
}

/** Formats the configuration as the API's `properties`, with every default; parsing the result gives the same configuration. */
export const formatRouterProperties = ({ ports, interfaces, ...others }: RouterConfig): RouterProperties => ({
  ports: ports.map(formatPort),
  ...(interfaces && { interfaces: interfaces.map(formatInterface) }),
  ...formatServices(others),
});

const formatPort = ({ acls, ...port }: RouterPortSpec): PortProperties =>
  formatShape(PHYSICAL, { ...port, ...acls });

const formatInterface = ({ acls, ...each }: RouterInterfaceSpec): InterfaceProperties =>
  formatShape<Shape>({ ...PORT, type: TYPE, ...KINDS[each.type] }, { ...each, ...acls });
