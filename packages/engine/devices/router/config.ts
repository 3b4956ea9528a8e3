/** A router's configuration: plain JSON data, addresses as text. `properties.ts` parses and checks it from the API's `properties`. */
import { formatShape, type Shape } from "../../settings/shape.ts";
import { type InterfaceKind, KINDS, type KindProperties, TYPE } from "./interfaces/spec.ts";
import { PHYSICAL, PORT, type PortProperties, type RouterPortSpec } from "./port-shape.ts";
import { formatServices, type ServicesConfig, type ServicesProperties } from "./service-settings.ts";

export {
  DEFAULT_MTU_BYTES,
  MIN_IPV6_MTU_BYTES,
  type PortProperties,
  type RouterPortSpec,
} from "./port-shape.ts";

export interface RouterConfig extends ServicesConfig {
  /** 1 to 64. */
  readonly ports: readonly RouterPortSpec[];
  /** Absent if there are none. */
  readonly interfaces?: readonly RouterInterfaceSpec[];
}

export type RouterInterfaceSpec = RouterPortSpec & InterfaceKind;

export interface RouterSpec extends RouterConfig {
  readonly type: "router";
  readonly name: string;
  /** The MAC of port 0; the other ports have the following ones. */
  readonly mac: number;
}

/** The configuration with the names of the API's `properties`; omitted values have their defaults. */
export interface RouterProperties extends ServicesProperties {
  ports?: PortProperties[];
  interfaces?: InterfaceProperties[];
}

export type InterfaceProperties = PortProperties & KindProperties;

export const DEFAULT_PORTS = 4;
export const MAX_PORTS = 64;
export const defaultPortName = (index: number): string => `Ethernet${index}`;

/** Returns only the configuration of a value that has it: all of a specification but the type, the name and the MAC. */
export function configOf(of: RouterConfig): RouterConfig {
  const { type: _type, name: _name, mac: _mac, ...config } = of as RouterSpec;
  return config;
}

/** The ports, then the other interfaces: an interface's place in this list is its index. */
export const interfacesOf = ({
  ports,
  interfaces = [],
}: Pick<RouterConfig, "ports" | "interfaces">): RouterPortSpec[] => [...ports, ...interfaces];

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
