/** What the router's switching does for its other parts. */
import type { Sorted } from "./sort-by-tag.ts";
import type { RouterPort } from "./tables.ts";

export interface FrameBridge {
  /** Takes a frame that has arrived at a switched port. */
  receive(ingress: RouterPort, frame: Uint8Array): void;
  /** Sends a frame of an SVI to its VLAN. */
  send(svi: RouterPort, frame: Uint8Array): void;
  /** The SVI that has sent a frame from a switched port, and the frame without a tag; undefined if another station has sent it. */
  senderOf(egress: RouterPort, frame: Uint8Array): Sorted | undefined;
}
