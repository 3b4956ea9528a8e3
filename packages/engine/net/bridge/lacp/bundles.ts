/**
 * The bundles of one switch (IEEE 802.1AX-2014): several ports that are one port for the rest of the switch, which knows it by the number
 * of the bundle's first port.
 *
 *     carrier, frame, timer -> settle: all state machines, until none changes -> frames, next timer
 *
 * Timers on which a port's way into the bundle depends keep a run going; periodic frames and the age of what was heard do not.
 */

import type { World } from "../../../base/world.ts";
import { ETHERNET_HEADER_BYTES, etherType } from "../../../wire/ethernet.ts";
import { decodeLacp, ETHERTYPE_SLOW, encodeLacp, markerResponse } from "../../../wire/lacp.ts";
import { formatMac } from "../../../wire/mac.ts";
import { WakeTimer } from "../wake-timer.ts";
import { hashOf } from "./hash.ts";
import {
  actorOf,
  isCollecting,
  type Member,
  type MuxState,
  NO_PARTNER,
  type ReceiveState,
} from "./member.ts";
import { moveMuxes } from "./mux.ts";
import { nextTurnUs, takeTurn, updatePeriodic } from "./periodic.ts";
import { hear, updateReceive } from "./receive.ts";
import { restoreMember, type SavedMember, saveMember } from "./saved.ts";
import { isCandidate, selectMembers } from "./select.ts";
import type { BundleMode, BundleSettings } from "./settings.ts";

export interface BundleMemberReport {
  readonly port: number;
  readonly is_up: boolean;
  /** Whether frames of the bundle leave through the port. */
  readonly is_used: boolean;
  /** The states of its machines; absent without LACP. */
  readonly mux?: MuxState;
  readonly receive?: ReceiveState;
  /** The port at the other end, if it has been heard. */
  readonly partner?: { readonly system: string; readonly key: number; readonly port: number };
}

export interface BundleReport {
  /** The port that stands for the bundle. */
  readonly port: number;
  readonly mode: BundleMode;
  readonly is_up: boolean;
  readonly members: readonly BundleMemberReport[];
}

interface Bundle {
  readonly settings: BundleSettings;
  readonly first: number;
  readonly members: readonly Member[];
  /** The members through which frames leave. */
  used: readonly Member[];
}

/** More rounds than machines that disagree could need: a loop among them is a fault of this program. */
const MAX_ROUNDS = 1_000;

export class Bundles {
  readonly #world: World;
  readonly #mac: number;
  readonly #isWired: (port: number) => boolean;
  readonly #bundles: readonly Bundle[];
  readonly #byPort = new Map<number, { readonly bundle: Bundle; readonly member: Member }>();
  readonly #onChange: (first: number, isUp: boolean) => void;
  readonly #soon: WakeTimer;
  readonly #quietly: WakeTimer;

  /**
   * @param mac the address of the switch.
   * @param isWired whether a port has a link.
   * @param onChange is called when the first port of a bundle comes into use, and when none is left.
   */
  constructor(
    settings: readonly BundleSettings[],
    mac: number,
    isWired: (port: number) => boolean,
    world: World,
    onChange: (first: number, isUp: boolean) => void,
    saved: readonly SavedMember[] = [],
  ) {
    this.#world = world;
    this.#soon = new WakeTimer(world, "foreground", () => this.#settle());
    this.#quietly = new WakeTimer(world, "background", () => this.#settle());
    this.#mac = mac;
    this.#isWired = isWired;
    this.#onChange = onChange;
    this.#bundles = settings.map((each, index) => {
      const members = each.ports.map((port) => this.#makeMember(port, each, index + 1, isWired(port), saved));
      const bundle: Bundle = { settings: each, first: each.ports[0]!, members, used: [] };
      bundle.used = usedOf(bundle);
      for (const member of members) this.#byPort.set(member.port, { bundle, member });
      return bundle;
    });
  }

  /** Takes up its work at power-on or at the start of a run. */
  start(): void {
    this.#settle();
  }

  has(port: number): boolean {
    return this.#byPort.has(port);
  }

  /** The port that stands for a port: that of its bundle, or itself. */
  firstOf(port: number): number {
    return this.#byPort.get(port)?.bundle.first ?? port;
  }

  /** Whether frames that arrive at a port belong to its bundle; true for a port in no bundle. */
  collects(port: number): boolean {
    const found = this.#byPort.get(port);
    if (found === undefined) return true;
    const { bundle, member } = found;
    return isCollecting(member) || bundle.used.includes(member);
  }

  /** Whether a bundle has a port through which frames leave; true for a port in no bundle. */
  isUp(first: number): boolean {
    const found = this.#byPort.get(first);
    return found === undefined || found.bundle.used.length > 0;
  }

  /** The port through which a frame leaves; undefined if the bundle has none. */
  pick(first: number, frame: Uint8Array): number | undefined {
    const bundle = this.#byPort.get(first)?.bundle;
    if (bundle === undefined) return first;
    const { used, settings } = bundle;
    return used.length < 2 ? used[0]?.port : used[hashOf(settings.hash, frame) % used.length]!.port;
  }

  /** @param frame a frame to the group address of the slow protocols. */
  receive(port: number, frame: Uint8Array): void {
    const found = this.#byPort.get(port);
    if (found === undefined || found.bundle.settings.mode === "on" || !found.member.isUp) return;
    if (etherType(frame) !== ETHERTYPE_SLOW) return;
    const response = markerResponse(frame, this.#mac + port);
    if (response !== undefined) this.#world.send(port, response);
    const pdu = decodeLacp(frame, ETHERNET_HEADER_BYTES);
    if (pdu === undefined) return;
    hear(found.member, pdu, this.#world.nowUs);
    this.#settle();
  }

  setCarrier(port: number, isUp: boolean): void {
    const member = this.#byPort.get(port)?.member;
    if (member === undefined || member.isUp === isUp) return;
    member.isUp = isUp;
    this.#settle();
  }

  get portsDown(): number[] {
    return [...this.#byPort.values()]
      .map(({ member }) => member)
      .filter(({ port, isUp }) => !isUp && this.#isWired(port))
      .map(({ port }) => port);
  }

  report(): BundleReport[] {
    return this.#bundles.map(({ settings, first, members, used }) => ({
      port: first,
      mode: settings.mode,
      is_up: used.length > 0,
      members: members.map((member) => {
        const { port, isUp, mux, receive, partner } = member;
        const is = { port, is_up: isUp, is_used: used.includes(member) };
        if (settings.mode === "on") return is;
        const isHeard = partner.system !== NO_PARTNER.system;
        const other = { system: formatMac(partner.system), key: partner.key, port: partner.port };
        return { ...is, mux, receive, ...(isHeard && { partner: other }) };
      }),
    }));
  }

  save(): SavedMember[] {
    return [...this.#byPort.values()].map(({ member }) => saveMember(member, this.#world.nowUs));
  }

  freeze() {
    return {
      members: [...this.#byPort.values()].map(({ member: { bundle, ...member } }) => member),
      used: this.#bundles.map(({ used }) => used.map(({ port }) => port)),
      soon: this.#soon.freeze(),
      quietly: this.#quietly.freeze(),
    };
  }

  thaw({ members, used, soon, quietly }: ReturnType<Bundles["freeze"]>): void {
    for (const member of members) Object.assign(this.#byPort.get(member.port)!.member, member);
    for (const [index, bundle] of this.#bundles.entries())
      bundle.used = (used[index] ?? []).map((port) => this.#byPort.get(port)!.member);
    this.#soon.thaw(soon);
    this.#quietly.thaw(quietly);
  }

  #makeMember(
    port: number,
    bundle: BundleSettings,
    key: number,
    isUp: boolean,
    saved: readonly SavedMember[],
  ): Member {
    const member: Member = {
      port,
      bundle,
      key,
      system: this.#mac,
      isUp,
      receive: "disabled",
      mux: "detached",
      selected: false,
      partner: NO_PARTNER,
      periodic: "none",
      // The mux begins as detached; the next LACPDU reports that to the other end.
      needToTransmit: true,
      currentUntilUs: 0,
      periodicUs: 0,
      waitUntilUs: 0,
      sent: 0,
      sentSinceUs: 0,
    };
    const before = saved.find((each) => each[0] === port);
    if (before !== undefined) restoreMember(member, before, this.#world.nowUs);
    return member;
  }

  #settle(): void {
    for (const bundle of this.#bundles) {
      if (bundle.settings.mode !== "on") this.#settleMachines(bundle);
      const wasUp = bundle.used.length > 0;
      bundle.used = usedOf(bundle);
      const isUp = bundle.used.length > 0;
      if (wasUp !== isUp) this.#onChange(bundle.first, isUp);
    }
    this.#setTimers();
  }

  #settleMachines({ members }: Bundle): void {
    const { nowUs } = this.#world;
    for (let round = 0; ; round++) {
      if (round > MAX_ROUNDS) throw new Error("The state machines of a bundle do not settle");
      let hasChanged = false;
      for (const member of members) if (updateReceive(member, nowUs)) hasChanged = true;
      if (selectMembers(members)) hasChanged = true;
      if (moveMuxes(members, nowUs)) hasChanged = true;
      for (const member of members) if (updatePeriodic(member, nowUs)) hasChanged = true;
      if (!hasChanged) break;
    }
    for (const member of members) {
      if (!member.needToTransmit || !takeTurn(member, nowUs)) continue;
      member.needToTransmit = false;
      const pdu = { actor: actorOf(member), partner: member.partner };
      this.#world.send(member.port, encodeLacp(pdu, this.#mac + member.port));
    }
  }

  #setTimers(): void {
    const { nowUs } = this.#world;
    let soonUs = Number.POSITIVE_INFINITY;
    let quietUs = Number.POSITIVE_INFINITY;
    // A port whose wait is over may have to wait for another one.
    const soon = (atUs: number): void => {
      if (atUs > nowUs && atUs < soonUs) soonUs = atUs;
    };
    for (const { settings, members } of this.#bundles) {
      if (settings.mode === "on") continue;
      for (const member of members) {
        if (!member.isUp) continue;
        if (member.receive === "current") quietUs = Math.min(quietUs, member.currentUntilUs);
        if (member.receive === "expired") soon(member.currentUntilUs);
        if (member.mux === "waiting") soon(member.waitUntilUs);
        if (member.periodic === "none") continue;
        quietUs = Math.min(quietUs, member.periodicUs);
        if (member.needToTransmit) soon(nextTurnUs(member));
      }
    }
    this.#soon.wakeAt(soonUs);
    this.#quietly.wakeAt(quietUs);
  }
}

/** The members through which frames leave. */
function usedOf({ settings, members }: Bundle): readonly Member[] {
  if (settings.mode === "on") return members.filter(({ isUp }) => isUp);
  const used = members.filter(({ mux, isUp }) => isUp && mux === "distributing");
  if (used.length > 0 || !settings.fallback || members.some(isCandidate)) return used;
  const alone = members.find(({ receive, isUp }) => isUp && receive === "defaulted");
  return alone === undefined ? [] : [alone];
}

/** A world in which a bundle is one port: that of its first. */
export function bundledWorld(world: World, bundles: Bundles): World {
  const send: World["send"] = (port, frame) => {
    const member = bundles.pick(port, frame);
    if (member !== undefined) world.send(member, frame);
  };
  return Object.create(world, { send: { value: send } }) as World;
}
