/** The settings of snooping; times are those of RFC 3376, section 8, and RFC 3810, section 9. */
import { flag, type Kind, seconds } from "../../../settings/kind.ts";
import { optional, type SpecOf, setting } from "../../../settings/shape.ts";
import { portList, protocol, type SwitchShape } from "../settings/kinds.ts";

const SNOOPING = {
  /** A query of IGMP version 3 or MLD version 2 states up to 127 without an exponent (RFC 3376, 4.1.7; RFC 3810, 5.1.9). */
  interval: setting(seconds(10, 127), 125, {
    about:
      "seconds between two queries in the network; a member that is silent for two of them and ten seconds is forgotten",
  }),
  fast_leave: setting(flag, false, {
    about: "whether a port leaves a group with the first leave: for ports with one host",
  }),
  flood_unknown: setting(flag, false, { about: "whether frames to groups without a member go to all ports" }),
  router_ports: setting(portList, [], { about: "ports that always lead to a router" }),
} as const;

/** @typeParam Q the settings of the querier. */
export type SnoopingSettings<Q> = SpecOf<typeof SNOOPING> & { readonly querier?: Q };

export const snooping = <Q>(
  querier: Kind<Q, SwitchShape>,
): Kind<SnoopingSettings<Q> | undefined, SwitchShape> =>
  protocol({ ...SNOOPING, querier: optional(querier) });
