/** The settings of TCP without any given. */
import { DEFAULT_RECEIVE_BUFFER_BYTES } from "../config.ts";
import type { TcpSettings } from "./tcb.ts";

export const DEFAULT_TCP: TcpSettings = {
  congestion: "cubic",
  receiveBufferBytes: DEFAULT_RECEIVE_BUFFER_BYTES,
  windowScaling: true,
  timestamps: true,
  sack: true,
};
