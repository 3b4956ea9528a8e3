/** Local addresses and free ports. */
import type { AddressInfo } from "node:net";
import { createServer, isIPv4, isIPv6 } from "node:net";

/** Reports whether a host is an address of the loopback interface, or `localhost`. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));

/** Reports whether a host stands for all addresses of this machine: `0.0.0.0`, or `::` in any spelling. */
export const isUnspecified = (host: string): boolean =>
  host === "0.0.0.0" || (isIPv6(host) && /^[0:]+$/.test(host));

/** @returns the host for the URL of a server that listens on `host`; the loopback address if that is unspecified. */
export function urlHost(host: string): string {
  if (isUnspecified(host)) return isIPv6(host) ? "[::1]" : "127.0.0.1";
  return isIPv6(host) ? `[${host}]` : host;
}

/**
 * @param port the port to check, or 0 for any free port.
 * @returns the port; another process can take it before the caller does.
 * @throws NodeJS.ErrnoException `EADDRINUSE` when the port is taken.
 */
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
