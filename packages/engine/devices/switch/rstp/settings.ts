/** The settings of a switch's spanning tree, with the defaults of IEEE 802.1D-2004, tables 17-1 to 17-3. */

export interface RstpPortSettings {
  /** 1 to 200,000,000; the default is that of a link of 1 Gb/s. */
  readonly cost: number;
  /** 0 to 240 in steps of 16. */
  readonly priority: number;
  /**
   * Whether hosts alone are at the port. `auto`: the port is taken for one when no BPDU has arrived 3 s after its link came up
   * (AutoEdge); true: at once (AdminEdge); false: never.
   */
  readonly edge: boolean | "auto";
  /** A BPDU that arrives turns the port off until its link or the switch has been down. */
  readonly bpdu_guard: boolean;
  /** The port never leads to the root: better information makes it an alternate port (restrictedRole, IEEE 802.1Q, 13.25). */
  readonly root_guard: boolean;
}

export interface RstpSettings {
  /** `stp` sends the messages of the protocol before RSTP only, and waits as that does (ForceProtocolVersion 0). */
  readonly mode: "rstp" | "stp";
  /** 0 to 61,440 in steps of 4,096. */
  readonly priority: number;
  /** Seconds. */
  readonly hello_time: number;
  readonly max_age: number;
  readonly forward_delay: number;
  /** By port number; absent ports have the defaults. */
  readonly ports: Readonly<Record<string, RstpPortSettings>>;
}

export const RSTP_PORT_DEFAULTS: RstpPortSettings = {
  cost: 20_000,
  priority: 128,
  edge: "auto",
  bpdu_guard: false,
  root_guard: false,
};

export const RSTP_DEFAULTS: RstpSettings = {
  mode: "rstp",
  priority: 32_768,
  hello_time: 2,
  max_age: 20,
  forward_delay: 15,
  ports: {},
};
