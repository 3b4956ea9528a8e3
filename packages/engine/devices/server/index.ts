/** A server: a host with one port, whose properties set its services, and a console. */
import type { World } from "../../base/world.ts";
import { networkOf } from "../../net/host/config.ts";
import type { Host } from "../../net/host/host.ts";
import { HostNode } from "../../net/host/host-node.ts";
import type { HostState } from "../../net/host/state.ts";
import type { CommandConsole } from "../console/command-console.ts";
import type { Device, Frozen } from "../device.ts";
import { PROCESSING_NS } from "../processing.ts";
import type { ServerSpec } from "./config.ts";
import { makeServerConsole } from "./console.ts";

export type { HostState } from "../../net/host/state.ts";
export type { ServerSpec } from "./config.ts";

/** What a server holds in the middle of a run. */
interface Held {
  readonly own: unknown;
  readonly console: ReturnType<CommandConsole<Host>["freeze"]>;
}

export class Server extends HostNode implements Device {
  readonly processingNs = PROCESSING_NS.server;
  readonly console: CommandConsole<Host>;

  constructor(spec: ServerSpec, world: World, state?: HostState) {
    super(spec, networkOf(spec), world, state);
    this.console = makeServerConsole(spec.name, this.host);
  }

  override freeze(): Frozen {
    const { state, held: own } = super.freeze();
    return { state, held: { own, console: this.console.freeze() } };
  }

  override thaw(held: unknown): void {
    const { own, console } = held as Held;
    super.thaw(own, () => this.console.thaw(console));
  }
}
