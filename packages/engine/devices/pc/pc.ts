/** A simulated PC with one port and a VPCS-compatible console. Its behaviour is in stack/ and commands/. */

import { livePathMtus } from "../../net/packet/path-mtus.ts";
import type { Device, Frozen, World } from "../device.ts";
import { PROCESSING_NS } from "../processing.ts";
import { PcConsole } from "./console.ts";
import { resumeLease, verifyLease } from "./dhcp/renewal.ts";
import { restoreAnswers6, waitingAnswers6 } from "./ipv6/answer.ts";
import { sendRouterSolicitations } from "./ipv6/solicit.ts";
import { PcWorld } from "./pc-world.ts";
import { STARTUP_FILE, savedStartup, scriptFingerprint, scriptText } from "./saved-files.ts";
import { type FrozenScript, Scripts } from "./scripts.ts";
import { liveArp } from "./stack/arp-table.ts";
import { PcHost } from "./stack/pc-host.ts";
import { Receiver } from "./stack/receive.ts";
import { refit } from "./stack/refit.ts";
import { forgetIdle } from "./stack/tcp-server.ts";
import { suspendStartup } from "./startup.ts";
import { initialPcState, macOfPc, type PcSpec, type PcState } from "./state.ts";

/** What a PC holds in the middle of a run. */
interface Held {
  readonly state: PcState;
  readonly scripts: readonly FrozenScript[];
  readonly console: ReturnType<PcConsole["freeze"]>;
  readonly receiver: ReturnType<Receiver["freeze"]>;
  readonly answers6: ReturnType<typeof waitingAnswers6>;
}

export class Pc implements Device {
  readonly processingNs = PROCESSING_NS.vpcs;
  readonly forwards = false;
  readonly console: PcConsole;
  readonly #spec: PcSpec;
  readonly #host: PcHost;
  readonly #receiver: Receiver;
  readonly #scripts: Scripts;
  readonly #world: PcWorld;

  /** @param state a result of `saveState`; the constructor copies it. */
  constructor(spec: PcSpec, outside: World, state: PcState = initialPcState(spec)) {
    const world = new PcWorld(outside);
    const scripts = new Scripts(world);
    this.#spec = spec;
    this.#host = new PcHost(world, structuredClone(state), macOfPc(spec.index), scripts);
    this.#receiver = new Receiver(this.#host, scripts, spec.ignoresChecksums);
    this.console = new PcConsole(this.#host, world, scripts);
    this.#scripts = scripts;
    this.#world = world;
  }

  freeze(): Frozen {
    const { state } = this.#host;
    const held: Held = {
      state,
      scripts: this.#scripts.freeze(),
      console: this.console.freeze(),
      receiver: this.#receiver.freeze(),
      answers6: waitingAnswers6(this.#host),
    };
    return { state, held };
  }

  thaw(frozen: unknown): void {
    const { state, scripts, console, receiver, answers6 } = frozen as Held;
    // Scripts know parts of the state by their identity.
    Object.assign(this.#host.state, state);
    restoreAnswers6(this.#host, answers6);
    this.#receiver.thaw(receiver);
    this.console.thaw(console);
    this.#world.isRestoring = true;
    this.#scripts.thaw(scripts);
    this.#world.isRestoring = false;
  }

  start(): void {
    sendRouterSolicitations(this.#host);
    const text = this.#startupText();
    if (text !== "") this.console.runStartup(text);
    resumeLease(this.#host);
  }

  resume(): void {
    resumeLease(this.#host);
    this.console.resumeStartup();
  }

  receive(_port: number, frame: Uint8Array): void {
    this.#receiver.receive(frame);
  }

  refused(_port: number, frame: Uint8Array, mtuBytes: number): void {
    const error = refit(this.#host, frame, mtuBytes);
    if (error) this.#receiver.receive(error);
  }

  /** As a real host: neighbours go with the carrier; when it is back, the lease is verified and routers are asked for. */
  linkChanged(_port: number, isUp: boolean): void {
    const { state } = this.#host;
    if (isUp !== (state.isLinkDown === true)) return;
    if (isUp) {
      state.isLinkDown = undefined;
      sendRouterSolicitations(this.#host);
      verifyLease(this.#host);
    } else {
      state.isLinkDown = true;
      state.arp = [];
      state.ipv6.neighbours = [];
    }
  }

  get portsDown(): readonly number[] {
    return this.#host.state.isLinkDown ? [0] : [];
  }

  /** Returns the state without expired entries and without an address that is still being checked. */
  saveState(): PcState {
    const { state, world } = this.#host;
    state.arp = liveArp(state, world.nowUs);
    if (state.pathMtus) state.pathMtus = livePathMtus(state, world.nowUs);
    forgetIdle(state, world.nowUs);
    if (state.files[STARTUP_FILE] !== undefined) state.savedOver ??= scriptFingerprint(this.#spec);
    const { ipv4Before, ...saved } = structuredClone(state);
    if (saved.startup) saved.startup = suspendStartup(saved.startup, world.nowUs);
    return ipv4Before === undefined ? saved : { ...saved, ipv4: ipv4Before };
  }

  /**
   * Returns the file saved on the PC or the node's script, the later one. The node's name replaces `%h` in the script. Drops a
   * file that was saved before the node's script changed.
   */
  #startupText(): string {
    const { state } = this.#host;
    const saved = savedStartup(this.#spec, state);
    if (saved !== undefined) return saved;
    const { [STARTUP_FILE]: _earlier, ...others } = state.files;
    state.files = others;
    state.savedOver = undefined;
    return scriptText(this.#spec);
  }
}
