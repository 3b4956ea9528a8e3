/** The state of a host between runs: plain JSON data. Nothing of it outlives a power-off. */

import type { DhcpState } from "../dhcp/leases.ts";
import type { PathMtu } from "../packet/path-mtus.ts";
import type { PlaneState } from "../plane/state.ts";
import type { SavedConnection } from "../tcp/tcp-host.ts";
import type { App } from "./applications.ts";
import type { HostNetwork } from "./config.ts";

export interface HostState {
  readonly network: PlaneState<HostNetwork> & DhcpState;
  readonly connections: readonly SavedConnection<App>[];
  readonly nextPort: number;
  /** The last transfers of bulk data that are over. */
  readonly transfers: readonly Transfer[];
  /** Orders of the properties that have not begun, and when they do. */
  readonly waiting: readonly WaitingOrder[];
  /** Absent while none is known. */
  readonly pathMtus?: readonly PathMtu[];
}

export interface WaitingOrder {
  readonly index: number;
  readonly atUs: number;
}

/** Bulk data from or to this server. */
export interface Transfer {
  readonly direction: "sent" | "received";
  readonly peer: string;
  readonly port: number;
  readonly bytes: number;
  readonly startUs: number;
  readonly endUs: number;
  readonly retransmissions: number;
  readonly timeouts: number;
  /** Present if the connection used ECN: how often an echo reduced the window. */
  readonly ecnReductions?: number;
  /** Absent after a regular end. */
  readonly failure?: string;
}

export const MAX_TRANSFERS = 32;
