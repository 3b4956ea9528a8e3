/** The variables of one port of a spanning tree; names are those of IEEE 802.1D-2004, 17.19. */
import type { Bpdu } from "./bpdu.ts";
import type { RstpPortSettings } from "./settings.ts";
import type { PriorityVector, Times } from "./vector.ts";

export type Role = "disabled" | "root" | "designated" | "alternate" | "backup";
export type InfoIs = "disabled" | "aged" | "mine" | "received";

/** When each timer expires, in lab microseconds; a time that is not after now has expired (17.17). */
export interface Timers {
  edgeDelay: number;
  /** For `fdWhile`, the delay before the port learns or forwards. */
  forward: number;
  hello: number;
  migration: number;
  recentBackup: number;
  receivedInfo: number;
  recentRoot: number;
  topologyChange: number;
  /** When one more BPDU may be sent; meaningful while `txCount` is above 0. */
  hold: number;
}

export interface RstpPort {
  readonly number: number;
  readonly id: number;
  readonly settings: RstpPortSettings;
  readonly timers: Timers;
  /** Whether the port has a link with a carrier. */
  hasCarrier: boolean;
  /** A BPDU has arrived at a port with a guard against them. */
  isShut: boolean;
  infoIs: InfoIs;
  role: Role;
  selectedRole: Role;
  portPriority: PriorityVector;
  portTimes: Times;
  designatedPriority: PriorityVector;
  designatedTimes: Times;
  /** The BPDU that is being handled. */
  message: Bpdu | undefined;
  agree: boolean;
  agreed: boolean;
  disputed: boolean;
  /** The state of the port is the pair of these: discarding, learning, forwarding. */
  learning: boolean;
  forwarding: boolean;
  newInfo: boolean;
  operEdge: boolean;
  proposed: boolean;
  proposing: boolean;
  rcvdRstp: boolean;
  rcvdStp: boolean;
  rcvdTc: boolean;
  rcvdTcAck: boolean;
  rcvdTcn: boolean;
  reRoot: boolean;
  reselect: boolean;
  selected: boolean;
  sendRstp: boolean;
  sync: boolean;
  synced: boolean;
  tcAck: boolean;
  tcProp: boolean;
  /** Whether the topology change machine takes part: the port forwards, or has just begun to learn (17.31). */
  changeState: "inactive" | "learning" | "active";
  txCount: number;
  updtInfo: boolean;
}

/** Whether the port takes part (portEnabled). */
export const isEnabled = (port: RstpPort): boolean => port.hasCarrier && !port.isShut;
