/** How many connections a router tracks, and how long without a packet: `connections` of its `properties`. */
import type { PropertyReader } from "../../../settings/property-reader.ts";

export interface ConnectionLimits {
  /** Connections of IPv4 and IPv6 together. */
  readonly limit: number;
  readonly tcp_established_seconds: number;
  /** Connections that are being opened or closed. */
  readonly tcp_transitory_seconds: number;
  readonly udp_seconds: number;
  readonly icmp_seconds: number;
  /** Connections of all other protocols. */
  readonly other_seconds: number;
}

type Key = keyof ConnectionLimits;

const DAY_SECONDS = 86_400;

/**
 * The least and the most, and the default. The least times are those that the RFCs demand: TCP RFC 5382 (REQ-5), UDP RFC 4787
 * (REQ-5: two minutes, five by default), ICMP RFC 5508 (REQ-1). The connections are part of the router's stored state, which sets
 * their number.
 */
export const CONNECTION_BOUNDS: Readonly<
  Record<Key, readonly [min: number, max: number, byDefault: number]>
> = {
  limit: [1, 1_024, 1_024],
  tcp_established_seconds: [7_440, 7 * DAY_SECONDS, 7_440],
  tcp_transitory_seconds: [240, DAY_SECONDS, 240],
  udp_seconds: [120, DAY_SECONDS, 300],
  icmp_seconds: [60, DAY_SECONDS, 60],
  other_seconds: [60, DAY_SECONDS, 600],
};

export const CONNECTION_KEYS = Object.keys(CONNECTION_BOUNDS) as Key[];

export const limitsOf = (given: Partial<ConnectionLimits> | undefined): ConnectionLimits => ({
  ...(Object.fromEntries(
    CONNECTION_KEYS.map((key) => [key, CONNECTION_BOUNDS[key][2]]),
  ) as unknown as ConnectionLimits),
  ...given,
});

/** Only the values that differ from the defaults; undefined if there are none. */
export function readConnections(
  reader: PropertyReader,
  value: unknown,
): Partial<ConnectionLimits> | undefined {
  if (value === undefined) return undefined;
  const given = reader.object(value, ["connections"], CONNECTION_KEYS);
  if (given === null) return undefined;
  const limits: Partial<Record<Key, number>> = {};
  for (const key of CONNECTION_KEYS) {
    const [min, max, byDefault] = CONNECTION_BOUNDS[key];
    const number = reader.optional(given[key], (each) =>
      reader.integer(each, ["connections", key], min, max),
    );
    if (typeof number === "number" && number !== byDefault) limits[key] = number;
  }
  return Object.keys(limits).length === 0 ? undefined : limits;
}
