/**
 * The state of a router between runs: plain JSON data. Times are lab microseconds since 1970, IPv4 addresses
 * are numbers, IPv6 ones text. All of it except `startup` is volatile: a router that was stopped starts without it.
 */

import type { DhcpState } from "../../../net/dhcp/leases.ts";
import { initialPlaneState, type PlaneState } from "../../../net/plane/state.ts";
import type { RouterConfig } from "../services/base/config.ts";
import type { SavedServices } from "../services/base/service.ts";
import type { FirewallState } from "../services/firewall/firewall-state.ts";
import { configOf } from "./config.ts";
import type { ConsoleMode } from "./console-mode.ts";

export interface RouterState extends PlaneState<RouterConfig>, DhcpState {
  /** Absent if no configuration is saved. */
  readonly startup?: StartupConfig;
  /** Absent if no service is configured. */
  readonly services?: SavedServices;
  /** The console's mode; absent at the first prompt. */
  readonly consoleMode?: ConsoleMode;
  /** Absent if the router neither filters nor translates. */
  readonly firewall?: FirewallState;
}

export interface StartupConfig {
  readonly config: RouterConfig;
  /** Fingerprint of the node's properties at the time of the save. */
  readonly over: string;
}

/** The state of a router that has just been switched on. */
export const initialRouterState = (config: RouterConfig): RouterState => ({
  ...initialPlaneState(configOf(config)),
  leases: [],
  declined: [],
});
