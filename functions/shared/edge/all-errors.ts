import { ERRORS } from "./errors.ts";
import { CALL_ERRORS } from "./own-errors/call.ts";
import { DELETION_ERRORS } from "./own-errors/deletion.ts";
import { DRAWING_ERRORS } from "./own-errors/drawing.ts";
import { EMULATOR_ERRORS } from "./own-errors/emulator.ts";
import { GUEST_ERRORS } from "./own-errors/guest.ts";
import { IMPORT_ERRORS } from "./own-errors/import.ts";
import { LINK_ERRORS } from "./own-errors/link.ts";
import { MOVE_ERRORS } from "./own-errors/move.ts";
import { NAMESPACE_ERRORS } from "./own-errors/namespace.ts";
import { NODE_ERRORS } from "./own-errors/node.ts";
import { PORT_ERRORS } from "./own-errors/port.ts";
import { REAL_LINK_ERRORS } from "./own-errors/real-link.ts";
import { REPLAY_ERRORS } from "./own-errors/replay.ts";
import { SERVER_ERRORS } from "./own-errors/server.ts";
import { SIMVM_ERRORS } from "./own-errors/simvm.ts";
import { SNAPSHOT_ERRORS } from "./own-errors/snapshot.ts";
import { STREAM_ERRORS } from "./own-errors/stream.ts";
import { SWEEP_ERRORS } from "./own-errors/sweep.ts";
import { SYMBOL_ERRORS } from "./own-errors/symbol.ts";
import { TEMPLATE_ERRORS } from "./own-errors/template.ts";
import { TOKEN_ERRORS } from "./own-errors/token.ts";

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
  ...MOVE_ERRORS,
  ...SNAPSHOT_ERRORS,
  ...DELETION_ERRORS,
  ...DRAWING_ERRORS,
  ...STREAM_ERRORS,
  ...SERVER_ERRORS,
  ...SIMVM_ERRORS,
  ...CALL_ERRORS,
  ...EMULATOR_ERRORS,
} as const;
