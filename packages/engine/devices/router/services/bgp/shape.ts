/** All settings of BGP. */
import { MAX_NEIGHBOURS } from "../../../../routing/bgp/limits.ts";
import { ipv4 } from "../../../../settings/addresses.ts";
import { map } from "../../../../settings/collections.ts";
import type { Kind } from "../../../../settings/kind.ts";
import { type PropertiesOf, required, type SpecOf, setting } from "../../../../settings/shape.ts";
import type { Ports } from "../base/port-kind.ts";
import { asNumber } from "./kinds.ts";
import { neighbour } from "./neighbour-settings.ts";
import { IPV4_UNICAST, PROCESS } from "./process-settings.ts";

export const SHAPE = {
  as: required(asNumber, { about: "the number of the autonomous system" }),
  ...PROCESS,
  ...IPV4_UNICAST,
  neighbors: setting(
    map(ipv4 as Kind<string, Ports>, neighbour, { max: MAX_NEIGHBOURS, keys: "neighbors" }),
    {},
    { about: "the neighbours by their addresses" },
  ),
} as const;

export type BgpSpec = SpecOf<typeof SHAPE>;
export type BgpProperties = PropertiesOf<typeof SHAPE>;
