/** Ports of the loopback interface. */

import type { AddressInfo } from "node:net";
import { createServer, isIPv4 } from "node:net";

/** Of this machine alone: an address, or a name for one. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));

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
