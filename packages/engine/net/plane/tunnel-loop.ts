/** Tunnels in tunnels: one may lead back to itself, so none may. */
import type { Core } from "./core.ts";

/** Whether packets to a remote end take a tunnel themselves. */
export function leadsIntoTunnel({ tables }: Core, remote: number): boolean {
  return tables.routes4.findAll(remote).some(({ port }) => {
    const kind = tables.ports[port]?.kind;
    return kind === "gre" || kind === "vxlan";
  });
}
