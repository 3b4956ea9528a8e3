/** Tunnels in tunnels: one may lead back to itself, so none may. */
import type { Core } from "./core.ts";

/** Whether packets to a remote end take a tunnel themselves. */
export function leadsIntoTunnel({ tables }: Core, remote: number): boolean {
  const route = tables.routes4.find(remote);
  const kind = route && tables.ports[route.port]?.kind;
  return kind === "gre" || kind === "vxlan";
}
