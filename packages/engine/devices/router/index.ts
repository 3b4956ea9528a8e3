/**
 * A router: IPv4 and IPv6 between its ports (net/plane), with services and a console.
 *
 * Services (services/base/service.ts) take their UDP datagrams, and may add routes: RIP.
 *
 * Sources: RFC 1812 (requirements for IPv4 routers), RFC 826, 2131, 4443, 4861, 8200. Not implemented: redirects,
 * proxy ARP, multicast, IPv6 extension headers addressed to itself, unsolicited advertisements.
 *
 * Console commands change the running configuration, which is part of the state. It lasts until the router is
 * stopped, unless `write` saves it (shell/startup-config.ts).
 */
import type { World } from "../../base/world.ts";
import { PlaneNode } from "../../net/plane/node.ts";
import type { CommandConsole } from "../console/command-console.ts";
import type { Device, Frozen } from "../device.ts";
import { PROCESSING_NS } from "../processing.ts";
import type { Parts } from "./services/base/parts.ts";
import type { RouterSpec } from "./shell/config.ts";
import { makeRouterConsole } from "./shell/console.ts";
import { freezeParts, makeParts, type RouterParts, saveParts, thawParts } from "./shell/parts.ts";
import { initialRouterState, type RouterState } from "./shell/state.ts";

export type { StaticRoute } from "../../net/plane/route-spec.ts";
export type { Problem } from "../../settings/property-reader.ts";
export type {
  PortProperties,
  RouterConfig,
  RouterPortSpec,
  RouterProperties,
} from "./services/base/config.ts";
export { formatRouterProperties, type RouterSpec } from "./shell/config.ts";
export type { ParsedProperties } from "./shell/properties.ts";
export { parseRouterProperties } from "./shell/properties.ts";
export { routerStateWhenOff } from "./shell/startup-config.ts";
export type { RouterState } from "./shell/state.ts";

/** What a router holds in the middle of a run. */
interface FrozenRouter {
  readonly parts: ReturnType<typeof freezeParts>;
  readonly console: ReturnType<CommandConsole<Parts>["freeze"]>;
}

export class Router implements Device {
  readonly processingNs = PROCESSING_NS.router;
  readonly forwards = false;
  readonly console: CommandConsole<Parts>;
  readonly #node: PlaneNode;
  readonly #parts: RouterParts;

  constructor(spec: RouterSpec, world: World, state: RouterState = initialRouterState(spec)) {
    this.#parts = makeParts(spec, world, state);
    this.#node = new PlaneNode(this.#parts);
    this.console = makeRouterConsole(spec.name, this.#parts);
  }

  start(): void {
    this.#parts.services.start();
  }

  resume(): void {
    this.#parts.services.resume();
  }

  receive(index: number, frame: Uint8Array): void {
    this.#node.receive(index, frame);
  }

  refused(index: number, frame: Uint8Array, mtuBytes: number): void {
    this.#node.refused(index, frame, mtuBytes);
  }

  linkChanged(port: number, isUp: boolean): void {
    this.#node.linkChanged(port, isUp);
  }

  get portsDown(): readonly number[] {
    return this.#node.portsDown;
  }

  saveState(): RouterState {
    return saveParts(this.#parts);
  }

  freeze(): Frozen {
    return {
      state: this.saveState(),
      held: { parts: freezeParts(this.#parts), console: this.console.freeze() },
    };
  }

  thaw(held: unknown): void {
    const { parts, console } = held as FrozenRouter;
    thawParts(this.#parts, parts);
    this.console.thaw(console);
    this.#parts.core.continueIds(parts.ids);
  }
}
