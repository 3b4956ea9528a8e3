/** A simulated PC with one port and a console: a compatible VPCS (what it does is in its parts, see stack/ and commands/). */

import type { Device, World } from "../device.ts";
import { PROCESSING_NS } from "../processing.ts";
import { PcConsole } from "./console.ts";
import { resumeLease } from "./dhcp/renewal.ts";
import { sendRouterSolicitations } from "./ipv6/solicit.ts";
import { Scripts } from "./scripts.ts";
import { liveArp } from "./stack/arp-table.ts";
import { PcHost } from "./stack/pc-host.ts";
import { Receiver } from "./stack/receive.ts";
import { forgetIdle } from "./stack/tcp-server.ts";
import { initialPcState, macOfPc, type PcSpec, type PcState } from "./state.ts";

const STARTUP_FILE = "startup.vpc";
const NODE_NAME_PLACEHOLDER = "%h";

export class Pc implements Device {
  readonly processingNs = PROCESSING_NS.vpcs;
  readonly forwards = false;
  readonly console: PcConsole;
  readonly #spec: PcSpec;
  readonly #host: PcHost;
  readonly #receiver: Receiver;

  /** @param state what `saveState` gave; it is copied. */
  constructor(spec: PcSpec, world: World, state: PcState = initialPcState(spec)) {
    const scripts = new Scripts(world);
    this.#spec = spec;
    this.#host = new PcHost(world, structuredClone(state), macOfPc(spec.index), scripts);
    this.#receiver = new Receiver(this.#host, scripts);
    this.console = new PcConsole(this.#host);
  }

  start(): void {
    sendRouterSolicitations(this.#host);
    const text = this.#startupText();
    if (text !== "") this.console.runStartup(text);
    resumeLease(this.#host);
  }

  resume(): void {
    resumeLease(this.#host);
  }

  receive(_port: number, frame: Uint8Array): void {
    this.#receiver.receive(frame);
  }

  /** Without what has aged meanwhile. */
  saveState(): PcState {
    const { state, world } = this.#host;
    state.arp = liveArp(state, world.nowUs);
    forgetIdle(state, world.nowUs);
    return structuredClone(state);
  }

  /** What was saved on the PC, else what its node was given; the node's name stands for `%h` there. */
  #startupText(): string {
    const saved = this.#host.state.files[STARTUP_FILE];
    return saved ?? this.#spec.startupScript.replaceAll(NODE_NAME_PLACEHOLDER, () => this.#spec.name);
  }
}
