import { ERRORS } from "./errors.ts";
import { CALL_ERRORS, EMULATOR_ERRORS, REAL_LINK_ERRORS, SIMVM_ERRORS } from "./own-compute-errors.ts";
import {
  DRAWING_ERRORS,
  GUEST_ERRORS,
  IMPORT_ERRORS,
  LINK_ERRORS,
  NAMESPACE_ERRORS,
  PORT_ERRORS,
  REPLAY_ERRORS,
  SERVER_ERRORS,
  SNAPSHOT_ERRORS,
  STREAM_ERRORS,
  SWEEP_ERRORS,
  SYMBOL_ERRORS,
  TEMPLATE_ERRORS,
  TOKEN_ERRORS,
} from "./own-errors.ts";
import { NODE_ERRORS } from "./own-node-errors.ts";

/** Every error of the interface, for its documentation. */
export const ALL_ERRORS = {
  ...ERRORS,
  ...SYMBOL_ERRORS,
  ...TEMPLATE_ERRORS,
  ...SWEEP_ERRORS,
  ...REPLAY_ERRORS,
  ...GUEST_ERRORS,
  ...LINK_ERRORS,
  ...PORT_ERRORS,
  ...TOKEN_ERRORS,
  ...NAMESPACE_ERRORS,
  ...NODE_ERRORS,
  ...IMPORT_ERRORS,
  ...REAL_LINK_ERRORS,
  ...SNAPSHOT_ERRORS,
  ...DRAWING_ERRORS,
  ...STREAM_ERRORS,
  ...SERVER_ERRORS,
  ...SIMVM_ERRORS,
  ...CALL_ERRORS,
  ...EMULATOR_ERRORS,
} as const;
