import { isLoopback } from "./free-port.ts";

/**
 * Protects a service without authentication against DNS rebinding: a web page whose host name resolves to this machine has
 * the same origin as the service in the browser, but the page cannot change the Host header.
 */
export function namesThisMachine(host: string | undefined): boolean {
  const name = host?.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  return name === undefined || isLoopback(name.toLowerCase());
}
