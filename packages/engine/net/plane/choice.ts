/** What policy routing decides for the forwarding of packets. */

import type { Ipv4Header } from "../../wire/ipv4.ts";
import type { Ipv6Header } from "../../wire/ipv6.ts";
import type { NextHop } from "../fib/route.ts";
import type { RouterPort } from "./tables.ts";

export interface Choice<A> {
  /** Undefined: the table of routes decides. */
  readonly route?: NextHop<A>;
  readonly isDropped?: true;
  /** The packet is for the router in another VRF, which does not take it here. */
  readonly isForeign?: true;
  /** The code point that the packet gets. */
  readonly mark?: number;
}

export interface WayChooser {
  /** @param port one with a policy. @returns undefined if no rule decides. */
  choose4(port: RouterPort, frame: Uint8Array, header: Ipv4Header): Choice<number> | undefined;
  choose6(port: RouterPort, frame: Uint8Array, header: Ipv6Header): Choice<bigint> | undefined;
}
