import { ERRORS } from "./errors.ts";
import {
  GUEST_ERRORS,
  LINK_ERRORS,
  NAMESPACE_ERRORS,
  PORT_ERRORS,
  REPLAY_ERRORS,
  SWEEP_ERRORS,
  SYMBOL_ERRORS,
  TEMPLATE_ERRORS,
  TOKEN_ERRORS,
} from "./own-errors.ts";

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
} as const;
