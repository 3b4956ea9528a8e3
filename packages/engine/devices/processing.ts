/**
 * Time that each kind of device takes to process an arrived frame, in nanoseconds: the order of magnitude measured on real
 * devices (PC: 50 to 200 us). Never 0, so that a round trip takes time.
 */
export const PROCESSING_NS = {
  vpcs: 100_000,
  router: 50_000,
  server: 50_000,
  nat: 50_000,
  ethernet_switch: 10_000,
  ethernet_hub: 1_000,
  /** The guest takes its own time. */
  linux: 1_000,
  /** A cloud is no device: the frame has left the lab when it arrives. */
  cloud: 0,
} as const;
