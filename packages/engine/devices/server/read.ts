/** Reads the properties of a server. */

import { PORT_NAME } from "../../net/host/config.ts";
import { macOf } from "../node-kind.ts";
import { type NodeReader, withoutLengths } from "../node-reader.ts";
import type { ServerSpec } from "./config.ts";
import { serverKind } from "./kind.ts";
import { parseServerProperties } from "./properties.ts";

export const readServer: NodeReader<ServerSpec> = (properties, { name, index }) => {
  const parsed = parseServerProperties(properties);
  if (!parsed.ok) return parsed;
  const { ipv4, ipv6 } = parsed.config;
  return {
    ok: true,
    spec: { type: "server", name, mac: macOf(serverKind.macs, index), ...parsed.config },
    ports: [PORT_NAME],
    addresses: withoutLengths([ipv4, ipv6]),
  };
};
