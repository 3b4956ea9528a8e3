/** Ports of the loopback interface. */

import type { AddressInfo } from "node:net";
import { createServer, isIPv4, isIPv6 } from "node:net";

/** Of this machine alone: an address, or a name for one. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));

/** `0.0.0.0`, or `::` in any spelling: all addresses of this machine. */
export const isUnspecified = (host: string): boolean =>
  host === "0.0.0.0" || (isIPv6(host) && /^[0:]+$/.test(host));

/** @returns the host for a URL of a server that listens there: for all addresses, that of the loopback interface. */
export function urlHost(host: string): string {
  if (isUnspecified(host)) return isIPv6(host) ? "[::1]" : "127.0.0.1";
  return isIPv6(host) ? `[${host}]` : host;
}

/** @param port 0 for any. @returns a port that was free a moment ago. @throws NodeJS.ErrnoException when it is taken. */
export function findFreePort(host: string, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(port, host, () => {
      const { port: found } = probe.address() as AddressInfo;
      probe.close(() => resolve(found));
    });
  });
}
