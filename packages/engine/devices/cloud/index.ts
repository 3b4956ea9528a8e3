/**
 * A cloud: the edge of a lab, with a network that the lab does not simulate behind it. Frames that arrive leave the lab: the caller of the
 * simulation observes them, and injects those that come from outside.
 */
import type { Device, Frozen } from "../device.ts";
import { PROCESSING_NS } from "../processing.ts";

export interface CloudSpec {
  readonly type: "cloud";
  readonly name: string;
}

export class Cloud implements Device {
  readonly processingNs = PROCESSING_NS.cloud;
  readonly forwards = false;
  readonly console = undefined;

  start(): void {}

  resume(): void {}

  receive(): void {}

  saveState(): null {
    return null;
  }

  freeze(): Frozen {
    return { state: null };
  }
}
