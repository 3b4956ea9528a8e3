/** Parses a server's `properties` from the API: `settings.ts`. */

import { DEFAULT_MTU_BYTES } from "../../net/address/mtus.ts";
import { type HostConfig, type Network, PORT_NAME } from "../../net/host/config.ts";
import { checkPorts, NETWORK, SERVICES } from "../../net/host/settings.ts";
import { parseNetwork } from "../../net/plane/addressed.ts";
import { type Problem, PropertyReader } from "../../settings/property-reader.ts";
import { readShape } from "../../settings/shape.ts";

type ParsedServer =
  | { readonly ok: true; readonly config: HostConfig }
  | { readonly ok: false; readonly problems: Problem[] };

type Given = Readonly<Record<string, unknown>>;

/** @param input JSON data; undefined and `{}` give a server without addresses. */
export function parseServerProperties(input: unknown): ParsedServer {
  const reader = new PropertyReader();
  const root = reader.object(input ?? {}, [], [...Object.keys(NETWORK), ...Object.keys(SERVICES)]);
  if (root === null) return { ok: false, problems: reader.problems };
  const network = readNetwork(reader, root);
  const own = Object.fromEntries(Object.keys(SERVICES).map((key) => [key, root[key]]));
  const services = readShape<unknown, typeof SERVICES>(reader, own, [], SERVICES, undefined, checkPorts);
  if (services === null || reader.problems.length > 0) return { ok: false, problems: reader.problems };
  return { ok: true, config: { ...network, ...services } };
}

/** Checks the addresses as the port of a router, and the gateways as its default routes. */
function readNetwork(reader: PropertyReader, root: Given): Network {
  const { ipv4, ipv6, gateway, gateway6, mtu = DEFAULT_MTU_BYTES } = root;
  const gateways = [
    ["gateway", "0.0.0.0/0", gateway],
    ["gateway6", "::/0", gateway6],
  ].filter(([, , via]) => via !== undefined);
  const port = {
    name: PORT_NAME,
    mtu,
    ...(ipv4 !== undefined && { ipv4 }),
    ...(ipv6 !== undefined && { ipv6 }),
  };
  const parsed = parseNetwork(
    [port],
    [],
    gateways.map(([, to, via]) => ({ to, via })),
  );
  if (!parsed.ok) {
    for (const { path, message } of parsed.problems)
      reader.add(path[0] === "routes" ? [gateways[Number(path[1])]![0] as string] : path.slice(2), message);
    return { mtuBytes: DEFAULT_MTU_BYTES };
  }
  const [own] = parsed.ports;
  return {
    ...(own!.ipv4 !== undefined && { ipv4: own!.ipv4 }),
    ...(own!.ipv6 !== undefined && { ipv6: own!.ipv6 }),
    ...Object.fromEntries(gateways.map(([key], index) => [key, parsed.routes[index]!.via])),
    mtuBytes: own!.mtuBytes,
  };
}
