import { type DeviceType, KINDS } from "./kinds.ts";

/** Time that each type of device takes to process an arrived frame, in nanoseconds. */
export const PROCESSING_NS = Object.fromEntries(
  KINDS.map(({ type, processingNs }) => [type, processingNs]),
) as Readonly<Record<DeviceType, number>>;
