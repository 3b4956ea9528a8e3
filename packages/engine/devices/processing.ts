/**
 * How long each kind of device takes from a frame's arrival until it has seen it, in nanoseconds: the order of what the
 * real ones were measured to take (PC: 50 to 200 us), and never nothing, so that a round trip takes time.
 */
export const PROCESSING_NS = {
  vpcs: 100_000,
  router: 50_000,
  ethernet_switch: 10_000,
  ethernet_hub: 1_000,
} as const;
