/** Reads the properties of a router. */

import { interfacesOf } from "../../net/plane/config.ts";
import { macOf } from "../node-kind.ts";
import { type NodeReader, withoutLengths } from "../node-reader.ts";
import { routerKind } from "./kind.ts";
import type { RouterConfig } from "./services/base/config.ts";
import type { RouterSpec } from "./shell/config.ts";
import { parseRouterProperties } from "./shell/properties.ts";

export const readRouter: NodeReader<RouterSpec> = (properties, { name, index }) => {
  const parsed = parseRouterProperties(properties);
  if (!parsed.ok) return parsed;
  return {
    ok: true,
    spec: {
      type: "router",
      name,
      mac: macOf(routerKind.macs, index),
      ...parsed.config,
      ...(parsed.leftOut && { leftOut: parsed.leftOut }),
    },
    ports: parsed.config.ports.map((port) => port.name),
    addresses: addressesOf(parsed.config),
    ...(parsed.leftOut && { leftOut: parsed.leftOut }),
  };
};

/** Addresses of ports and interfaces, without prefix length. */
export const addressesOf = (config: Pick<RouterConfig, "ports" | "interfaces">): string[] =>
  withoutLengths(interfacesOf(config).flatMap(({ ipv4, ipv6 }) => [ipv4, ipv6]));
