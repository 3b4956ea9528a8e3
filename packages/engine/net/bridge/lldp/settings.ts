/** The settings of LLDP; names, defaults and bounds are those of IEEE 802.1AB-2009, 9.2.5 and 11.5.1. */
import { anyOf, integer, seconds, type ValueOf } from "../../../settings/kind.ts";
import { setting } from "../../../settings/shape.ts";
import { byPort, protocol } from "../settings/kinds.ts";

/** Whether a port sends, and whether it learns its neighbours (adminStatus). */
const mode = anyOf("both", "tx", "rx", "off");

export const lldp = protocol(
  {
    interval: setting(seconds(1, 3_600), 30, {
      about: "seconds between two frames of a port (msgTxInterval)",
    }),
    hold: setting(integer(1, 100), 4, {
      about: "a neighbour keeps what it heard for this many intervals, and a second (msgTxHold)",
    }),
    fast_count: setting(integer(1, 8), 4, {
      about: "frames that a port sends, one in a second, when it hears a new neighbour (txFastInit)",
    }),
    ports: setting(byPort(mode), {}, { about: "by port number; absent ports have both" }),
  },
  /** The names that the switch announces, by port number. */
  { more: ({ portNames }) => ({ port_names: portNames }) },
);
export type LldpSettings = NonNullable<ValueOf<typeof lldp>>;
