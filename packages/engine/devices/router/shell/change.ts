/** Applies edits of the running configuration. The message of the API's parser rejects an invalid one. */

import type { LeaseTable } from "../../../net/dhcp/leases.ts";
import type { Plane } from "../../../net/plane/make-plane.ts";
import type { RouterProperties } from "../services/base/config.ts";
import type { RouterCore } from "../services/base/service.ts";
import { hasLeasable } from "../services/dhcp/pool-index.ts";
import { formatRouterProperties } from "./config.ts";
import { parseRouterProperties } from "./properties.ts";

/** @returns what is wrong; nothing if the edit was valid. */
export function change(
  core: RouterCore,
  { arp, neighbours }: Pick<Plane, "arp" | "neighbours">,
  leases: LeaseTable,
  edit: (properties: RouterProperties) => RouterProperties | string,
): readonly string[] {
  const edited = edit(formatRouterProperties(core.running));
  if (typeof edited === "string") return [edited];
  const parsed = parseRouterProperties(edited);
  if (!parsed.ok) return parsed.problems.map(({ path, message }) => sentence(path, message));
  const before = core.tables.ports;
  core.configure(parsed.config);
  const { ports } = core.tables;
  for (const index of before.keys()) {
    if (before[index]?.name === ports[index]?.name && before[index]?.vrf === ports[index]?.vrf) continue;
    arp.clear(index);
    neighbours.clear(index);
  }
  for (const [index, port] of ports.entries()) {
    if (port.ipv4?.address !== before[index]?.ipv4?.address) arp.clear(index);
    if (port.ipv4?.mask !== before[index]?.ipv4?.mask) arp.clear(index);
    if (port.ipv6?.address !== before[index]?.ipv6?.address) neighbours.clear(index);
  }
  leases.keep((port, address) => hasLeasable(parsed.config, port, address));
  return [];
}

/** Prepends the key, because messages about the shape of a value do not name it. */
function sentence(path: readonly (string | number)[], message: string): string {
  return message.startsWith("must ") ? `${path.at(-1)} ${message}` : message;
}
