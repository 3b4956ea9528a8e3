/** Our router in the place of the kernel's: frames go in, and what leaves is returned. */

import { makeStream } from "@wirelab/engine/base/random";
import type { World } from "@wirelab/engine/devices/device";
import { parseRouterProperties, Router, type RouterState } from "@wirelab/engine/devices/router/index";
import { FrameSlab } from "../../../packages/engine/base/frame-slab.ts";
import { initialRouterState } from "../../../packages/engine/devices/router/shell/state.ts";
import type { Sent } from "./kernel-router.ts";
import { macOfSide, NETWORKS, ROUTER_MACS } from "./network.ts";

const START_US = 1_767_225_600_000_000;
const STEP_US = 10;

export class OurRouter {
  readonly router: Router;
  #nowUs = START_US;
  #sent: Sent[] = [];

  /** @param macOf the MAC address of a host; by default that of its side. */
  constructor(
    properties: object,
    hosts: readonly number[],
    macOf: (host: number, side: number) => number = macOfSide,
    neighbours: RouterState["neighbours"] = [],
  ) {
    const parsed = parseRouterProperties({
      ports: [{ ipv4: "10.0.1.1/24" }, { ipv4: "10.0.2.1/24" }],
      ...properties,
    });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    const spec = { type: "router", name: "R", mac: ROUTER_MACS[0]!, ...parsed.config } as const;
    const arp = hosts.map((host) => {
      const side = host >>> 8 === NETWORKS[0]! >>> 8 ? 0 : 1;
      return [side, host, macOf(host, side), Number.MAX_SAFE_INTEGER] as const;
    });
    const state: RouterState = { ...initialRouterState(parsed.config), arp, neighbours };
    const sent = (each: Sent): void => {
      this.#sent.push(each);
    };
    const now = (): number => this.#nowUs;
    const world: World = {
      get nowUs() {
        return now();
      },
      random: makeStream("nftables", "R"),
      frames: new FrameSlab(),
      send: (side, frame) => sent({ side, frame }),
      after: () => ({ cancel() {} }),
      print() {},
    };
    this.router = new Router(spec, world, state);
  }

  exchange(side: number, frame: Uint8Array): Sent[] {
    this.#nowUs += STEP_US;
    this.#sent = [];
    this.router.receive(side, frame);
    return this.#sent;
  }
}
