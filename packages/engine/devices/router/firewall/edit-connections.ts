/** `connections KEY NUMBER`: limits and timeouts of connection tracking. */
import type { RouterProperties } from "../config.ts";
import { CONNECTION_BOUNDS, CONNECTION_KEYS } from "./connection-limits.ts";

const USAGE = `connections ${CONNECTION_KEYS.join("|")} NUMBER`;

export function setConnections(
  properties: RouterProperties,
  [word = "", value = "", ...rest]: readonly string[],
): RouterProperties | string {
  const key = CONNECTION_KEYS.find((each) => each === word.toLowerCase());
  if (key === undefined || !/^\d{1,9}$/.test(value) || rest.length > 0) return `Usage: ${USAGE}`;
  const connections = { ...properties.connections, [key]: Number(value) };
  return { ...properties, connections };
}

/** `no connections KEY`: back to the default. */
export function resetConnections(
  properties: RouterProperties,
  [word = "", ...rest]: readonly string[],
): RouterProperties | string {
  const key = CONNECTION_KEYS.find((each) => each === word.toLowerCase());
  if (key === undefined || rest.length > 0) return `Usage: no connections ${CONNECTION_KEYS.join("|")}`;
  return { ...properties, connections: { ...properties.connections, [key]: CONNECTION_BOUNDS[key][2] } };
}
