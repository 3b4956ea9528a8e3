/** Identifiers and priority vectors of spanning trees (IEEE 802.1D-2004, 9.2.5, 17.5 and 17.6): of two, the lower is better. */

export interface BridgeId {
  /** 0 to 61,440 in steps of 4,096. */
  readonly priority: number;
  readonly mac: number;
}

export interface PriorityVector {
  readonly root: BridgeId;
  readonly cost: number;
  readonly bridge: BridgeId;
  /** A port's priority and number, in 16 bits. */
  readonly port: number;
}

/** Seconds, in steps of 1/256, as in a BPDU (17.13). */
export interface Times {
  readonly messageAge: number;
  readonly maxAge: number;
  readonly helloTime: number;
  readonly forwardDelay: number;
}

export const compareBridges = (a: BridgeId, b: BridgeId): number => a.priority - b.priority || a.mac - b.mac;

/** Negative if `a` is better. */
export const compareVectors = (a: PriorityVector, b: PriorityVector): number =>
  compareBridges(a.root, b.root) || a.cost - b.cost || compareBridges(a.bridge, b.bridge) || a.port - b.port;

/**
 * Whether a received vector replaces that of a port: it is better, or the same port of the same bridge has sent both (17.6).
 */
export const isSuperior = (received: PriorityVector, current: PriorityVector): boolean => {
  const order = compareVectors(received, current);
  return (
    order < 0 ||
    (order > 0 &&
      received.bridge.mac === current.bridge.mac &&
      (received.port & 0xfff) === (current.port & 0xfff))
  );
};

export const sameTimes = (a: Times, b: Times): boolean =>
  a.messageAge === b.messageAge &&
  a.maxAge === b.maxAge &&
  a.helloTime === b.helloTime &&
  a.forwardDelay === b.forwardDelay;

/** The identifier of a port: its priority, a multiple of 16, above its number, which begins at 1 (9.2.7). */
export const portIdOf = (priority: number, port: number): number => (priority << 8) | (port + 1);
