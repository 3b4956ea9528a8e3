/** How many connections a router tracks, and how long without a packet: `connections` of its `properties`. */
import { integer, seconds } from "../../../../settings/kind.ts";
import {
  formatShape,
  readShape,
  type SpecOf,
  schemaOfShape,
  unlessUsual,
} from "../../../../settings/shape.ts";
import { wordsOf } from "../../../../settings/words.ts";
import type { ServiceSettings } from "../base/service-shape.ts";

const DAY_SECONDS = 86_400;

/**
 * The least times are those that the RFCs demand: TCP RFC 5382 (REQ-5), UDP RFC 4787 (REQ-5: two minutes, five by default), ICMP RFC 5508
 * (REQ-1). The connections are part of the router's stored state, which sets their number.
 */
export const CONNECTION_LIMITS = {
  limit: unlessUsual(integer(1, 1_024), 1_024, { about: "connections of IPv4 and IPv6 together" }),
  tcp_established_seconds: unlessUsual(seconds(7_440, 7 * DAY_SECONDS), 7_440),
  tcp_transitory_seconds: unlessUsual(seconds(240, DAY_SECONDS), 240, {
    about: "of connections that are being opened or closed",
  }),
  udp_seconds: unlessUsual(seconds(120, DAY_SECONDS), 300),
  icmp_seconds: unlessUsual(seconds(60, DAY_SECONDS), 60),
  other_seconds: unlessUsual(seconds(60, DAY_SECONDS), 600, { about: "of all other protocols" }),
} as const;

/** What differs from the defaults. */
type Limits = SpecOf<typeof CONNECTION_LIMITS>;
export type ConnectionLimits = Required<Limits>;

export const CONNECTION_KEYS = Object.keys(CONNECTION_LIMITS) as (keyof Limits)[];

const DEFAULTS = Object.fromEntries(
  Object.entries(CONNECTION_LIMITS).map(([key, { usual }]) => [key, usual]),
) as ConnectionLimits;

export const limitsOf = (given: Limits | undefined): ConnectionLimits => ({ ...DEFAULTS, ...given });

export const CONNECTIONS: ServiceSettings<"connections", Limits, Limits> = {
  name: "connections",
  omitsEmpty: true,
  read: (reader, value, path) => readShape(reader, value, path, CONNECTION_LIMITS, undefined),
  format: (limits) => formatShape(CONNECTION_LIMITS, limits),
  print: (limits) => wordsOf(CONNECTION_LIMITS, limits).map((words) => `connections ${words}`),
  schema: () => ({
    description: "limits and timeouts of tracked connections",
    ...schemaOfShape(CONNECTION_LIMITS),
  }),
};

declare module "../base/config.ts" {
  interface ServicesConfig {
    readonly connections?: Limits;
  }
  interface ServicesProperties {
    connections?: Limits;
  }
}
