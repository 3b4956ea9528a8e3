/** The id of a router in routing protocols, unless it is configured. */
import { parsePrefix4 } from "../../../../net/address/prefix.ts";
import { interfacesOf } from "../../../../net/plane/config.ts";
import type { RouterConfig } from "./config.ts";

/** The highest address of the loopback interfaces, else of all interfaces; also of those that are down, so that the id stays. */
export function highestAddress(running: RouterConfig): number {
  const loopbacks = (running.interfaces ?? []).filter(({ type }) => type === "loopback");
  const addresses = (
    of: readonly { readonly ipv4?: string | undefined; readonly vrf?: string | undefined }[],
  ): number[] =>
    of.flatMap(({ ipv4, vrf }) =>
      ipv4 === undefined || vrf !== undefined ? [] : [parsePrefix4(ipv4)!.address],
    );
  const own = addresses(loopbacks);
  return Math.max(0, ...(own.length > 0 ? own : addresses(interfacesOf(running))));
}
