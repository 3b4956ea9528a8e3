/** A connection to a network outside the lab, which carries Ethernet frames in real time. */

export interface Wire {
  /** Sends a frame. A frame that the network does not take is lost, as on any Ethernet. */
  send(frame: Uint8Array): void;
  close(): Promise<void>;
}

/** Called for each frame that comes from outside. The buffer is not used again. */
export type Receive = (frame: Uint8Array) => void;

/** A frame has at least an Ethernet header. */
export const MIN_FRAME_BYTES = 14;
