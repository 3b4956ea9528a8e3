/**
 * The Rapid Spanning Tree Protocol of one switch (IEEE 802.1D-2004, clause 17), with the Spanning Tree Protocol towards bridges that
 * know no other. One tree serves all VLANs.
 *
 *     carrier, BPDU, timer -> settle: all state machines, until none changes -> BPDUs, next timer
 *
 * Timers on which a port's way to forwarding depends keep a run going; hello times and the age of what was heard do not.
 */

import type { World } from "../../../base/world.ts";
import { formatMac } from "../../../wire/mac.ts";
import { WakeTimer } from "../wake-timer.ts";
import { type Bpdu, decodeBpdu, encodeBpdu } from "./bpdu.ts";
import { updateInformation } from "./information.ts";
import { chooseProtocol, detectEdge } from "./neighbour.ts";
import { isEnabled, type Role, type RstpPort } from "./port.ts";
import { selectRoles } from "./roles.ts";
import { restorePort, type SavedRstpPort, savePort } from "./saved.ts";
import { RSTP_PORT_DEFAULTS, type RstpSettings } from "./settings.ts";
import { noteTopologyChange } from "./topology-change.ts";
import { followRole } from "./transitions.ts";
import { transmit } from "./transmit.ts";
import { MIGRATE_SECONDS, type Tree, TX_HOLD_COUNT, usOf } from "./tree.ts";
import { type BridgeId, type PriorityVector, portIdOf, type Times } from "./vector.ts";

export interface RstpSpec extends RstpSettings {
  /** The address of the bridge; its ports have the addresses from here on. */
  readonly mac: number;
}

export interface RstpPortReport {
  readonly port: number;
  readonly role: Role;
  readonly state: "discarding" | "learning" | "forwarding";
  readonly is_edge: boolean;
  /** A BPDU has arrived at a port with `bpdu_guard`. */
  readonly is_shut: boolean;
  /** The protocol that the port sends. */
  readonly protocol: "rstp" | "stp";
  readonly cost: number;
  /** The bridge and the port that connect the port's link to the root. */
  readonly designated_bridge: string;
  readonly designated_port: number;
}

/** Bridges are texts: `32768.02:00:00:00:00:00`, the priority and the address. */
export interface RstpReport {
  readonly bridge: string;
  readonly root: string;
  readonly root_path_cost: number;
  /** Undefined at the root. */
  readonly root_port: number | undefined;
  /** Ports with a link. */
  readonly ports: readonly RstpPortReport[];
}

const formatBridge = ({ priority, mac }: BridgeId): string => `${priority}.${formatMac(mac)}`;

/** More rounds than machines that disagree could need: a loop among them is a fault of this program. */
const MAX_ROUNDS = 10_000;

export class RstpBridge implements Tree {
  readonly settings: RstpSettings;
  readonly bridgeId: BridgeId;
  readonly bridgeTimes: Times;
  readonly ports: readonly RstpPort[];
  rootPriority: PriorityVector;
  rootTimes: Times;
  rootPort: number | undefined;
  readonly #mac: number;
  readonly #wired: readonly boolean[];
  readonly #world: World;
  readonly #flush: (port: number) => void;
  readonly #soon: WakeTimer;
  readonly #quietly: WakeTimer;

  /**
   * @param wired whether each port has a link.
   * @param carriers whether each port begins with a carrier.
   * @param flush removes the addresses that the switch has learned at a port.
   */
  constructor(
    spec: RstpSpec,
    wired: readonly boolean[],
    world: World,
    flush: (port: number) => void,
    saved?: readonly SavedRstpPort[],
    carriers = wired,
  ) {
    const { mac, priority, max_age, hello_time, forward_delay } = spec;
    this.settings = spec;
    this.#mac = mac;
    this.#wired = wired;
    this.#world = world;
    this.#soon = new WakeTimer(world, "foreground", () => this.#settle());
    this.#quietly = new WakeTimer(world, "background", () => this.#settle());
    this.#flush = flush;
    this.bridgeId = { priority, mac };
    this.bridgeTimes = {
      messageAge: 0,
      maxAge: max_age,
      helloTime: hello_time,
      forwardDelay: forward_delay,
    };
    this.rootPriority = { root: this.bridgeId, cost: 0, bridge: this.bridgeId, port: 0 };
    this.rootTimes = this.bridgeTimes;
    this.ports = carriers.map((hasCarrier, number) => this.#makePort(number, hasCarrier));
    for (const each of saved ?? []) {
      const port = this.ports[each[0]];
      if (port) restorePort(port, each, world.nowUs);
    }
    if (saved) selectRoles(this);
  }

  get nowUs(): number {
    return this.#world.nowUs;
  }

  /** Takes up its work at power-on or at the start of a run. */
  start(): void {
    this.#settle();
  }

  learns(port: number): boolean {
    return this.ports[port]?.learning === true;
  }

  forwards(port: number): boolean {
    return this.ports[port]?.forwarding === true;
  }

  /** @param frame a frame to the group address of bridges. */
  receive(number: number, frame: Uint8Array): void {
    const port = this.ports[number];
    const bpdu = port && isEnabled(port) ? decodeBpdu(frame) : undefined;
    if (port === undefined || bpdu === undefined) return;
    if (port.settings.bpdu_guard) {
      port.isShut = true;
    } else {
      if (bpdu.kind === "rst") port.rcvdRstp = true;
      else port.rcvdStp = true;
      port.operEdge = false;
      port.timers.edgeDelay = this.nowUs + usOf(MIGRATE_SECONDS);
      port.message = bpdu;
    }
    this.#settle();
  }

  setCarrier(number: number, hasCarrier: boolean): void {
    const port = this.ports[number];
    if (port === undefined || port.hasCarrier === hasCarrier) return;
    port.hasCarrier = hasCarrier;
    if (!hasCarrier) port.isShut = false;
    this.#settle();
  }

  flush(port: RstpPort): void {
    this.#flush(port.number);
  }

  transmit(port: RstpPort, bpdu: Bpdu): void {
    this.#world.send(port.number, encodeBpdu(bpdu, this.#mac + port.number));
  }

  report(): RstpReport {
    const { root, cost } = this.rootPriority;
    return {
      bridge: formatBridge(this.bridgeId),
      root: formatBridge(root),
      root_path_cost: cost,
      root_port: this.rootPort,
      ports: this.ports
        .filter(({ number }) => this.#wired[number])
        .map((port) => ({
          port: port.number,
          role: port.role,
          state: port.forwarding ? "forwarding" : port.learning ? "learning" : "discarding",
          is_edge: port.operEdge,
          is_shut: port.isShut,
          protocol: port.sendRstp ? "rstp" : "stp",
          cost: port.settings.cost,
          designated_bridge: formatBridge(port.portPriority.bridge),
          designated_port: port.portPriority.port,
        })),
    };
  }

  save(): SavedRstpPort[] {
    return this.ports.filter(({ number }) => this.#wired[number]).map((port) => savePort(port, this.nowUs));
  }

  freeze() {
    const { rootPriority, rootTimes, rootPort } = this;
    return {
      ports: this.ports.map(({ settings, ...port }) => port),
      rootPriority,
      rootTimes,
      rootPort,
      soon: this.#soon.freeze(),
      quietly: this.#quietly.freeze(),
    };
  }

  thaw({ ports, rootPriority, rootTimes, rootPort, soon, quietly }: ReturnType<RstpBridge["freeze"]>): void {
    for (const [index, port] of this.ports.entries()) Object.assign(port, ports[index]);
    this.rootPriority = rootPriority;
    this.rootTimes = rootTimes;
    this.rootPort = rootPort;
    this.#soon.thaw(soon);
    this.#quietly.thaw(quietly);
  }

  get portsDown(): number[] {
    return this.ports
      .filter(({ number, hasCarrier }) => this.#wired[number] && !hasCarrier)
      .map(({ number }) => number);
  }

  #makePort(number: number, hasCarrier: boolean): RstpPort {
    const settings = this.settings.ports[number] ?? RSTP_PORT_DEFAULTS;
    const id = portIdOf(settings.priority, number);
    const none: PriorityVector = { root: this.bridgeId, cost: 0, bridge: this.bridgeId, port: id };
    return {
      number,
      id,
      settings,
      hasCarrier,
      isShut: false,
      infoIs: "disabled",
      role: "disabled",
      selectedRole: "disabled",
      portPriority: none,
      portTimes: this.bridgeTimes,
      designatedPriority: none,
      designatedTimes: this.bridgeTimes,
      message: undefined,
      agree: false,
      agreed: false,
      disputed: false,
      learning: false,
      forwarding: false,
      newInfo: false,
      operEdge: settings.edge === true,
      proposed: false,
      proposing: false,
      rcvdRstp: false,
      rcvdStp: false,
      rcvdTc: false,
      rcvdTcAck: false,
      rcvdTcn: false,
      reRoot: false,
      reselect: true,
      selected: false,
      sendRstp: this.settings.mode === "rstp",
      sync: false,
      synced: false,
      tcAck: false,
      tcProp: false,
      changeState: "inactive",
      txCount: 0,
      updtInfo: false,
      timers: {
        edgeDelay: 0,
        forward: 0,
        hello: 0,
        migration: 0,
        recentBackup: 0,
        receivedInfo: 0,
        recentRoot: 0,
        topologyChange: 0,
        hold: 0,
      },
    };
  }

  #settle(): void {
    let rounds = 0;
    do {
      while (this.#step()) {
        rounds += 1;
        if (rounds > MAX_ROUNDS) throw new Error("The state machines of a spanning tree do not settle");
      }
    } while (this.#eachPort(transmit));
    this.#setTimers();
  }

  #step(): boolean {
    const hasChanged = this.#eachPort(chooseProtocol, detectEdge, updateInformation);
    const selected = selectRoles(this);
    return this.#eachPort(followRole, noteTopologyChange) || selected || hasChanged;
  }

  #eachPort(...machines: readonly ((tree: Tree, port: RstpPort) => boolean)[]): boolean {
    let hasChanged = false;
    for (const port of this.ports) {
      for (const machine of machines) if (machine(this, port)) hasChanged = true;
    }
    return hasChanged;
  }

  #setTimers(): void {
    const isSettled = this.ports.every(({ role, forwarding }) => role !== "root" || forwarding);
    let soonUs = Number.POSITIVE_INFINITY;
    let quietUs = Number.POSITIVE_INFINITY;
    const soon = (atUs: number): void => {
      if (atUs > this.nowUs && atUs < soonUs) soonUs = atUs;
    };
    const quietly = (atUs: number): void => {
      if (atUs > this.nowUs && atUs < quietUs) quietUs = atUs;
    };
    for (const port of this.ports) {
      const { timers, role } = port;
      if (!isEnabled(port)) continue;
      if (port.newInfo && port.txCount >= TX_HOLD_COUNT) soon(timers.hold);
      if (port.infoIs === "received") quietly(timers.receivedInfo);
      const hasChange = timers.topologyChange > this.nowUs;
      if (role === "designated" || (role === "root" && hasChange)) quietly(timers.hello);
      if (!isSettled || port.reRoot) {
        soon(timers.recentRoot);
        if (role === "root") soon(timers.recentBackup);
      }
      if (port.forwarding || (role !== "root" && role !== "designated")) continue;
      soon(timers.forward);
      if (role === "designated" && port.proposing && port.settings.edge !== false) soon(timers.edgeDelay);
    }
    this.#soon.wakeAt(soonUs);
    this.#quietly.wakeAt(quietUs);
  }
}
