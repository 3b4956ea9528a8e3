/** `connections KEY NUMBER`: limits and timeouts of connection tracking. */
import type { RouterProperties } from "../base/config.ts";
import { CONNECTION_KEYS, CONNECTION_LIMITS } from "./connection-limits.ts";

const KEYS = CONNECTION_KEYS.join("|");
const keyOf = (word: string) => CONNECTION_KEYS.find((each) => each === word.toLowerCase());

export function setConnections(
  properties: RouterProperties,
  [word = "", ...words]: readonly string[],
): RouterProperties | string {
  const key = keyOf(word);
  const value = key && CONNECTION_LIMITS[key].kind.parse(words);
  if (key === undefined || value === undefined) return `Usage: connections ${KEYS} NUMBER`;
  return { ...properties, connections: { ...properties.connections, [key]: value } };
}

/** `no connections KEY`: back to the default. */
export function resetConnections(
  properties: RouterProperties,
  [word = "", ...rest]: readonly string[],
): RouterProperties | string {
  const key = keyOf(word);
  if (key === undefined || rest.length > 0) return `Usage: no connections ${KEYS}`;
  const { [key]: _, ...connections } = properties.connections ?? {};
  return { ...properties, connections };
}
