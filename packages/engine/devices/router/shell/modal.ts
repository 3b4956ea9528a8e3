/** The commands of configuration mode and of the modes inside of it. */
import type { ConfigureCommands, Configuring } from "../services/base/configuring.ts";
import type { ConsoleMode } from "./console-mode.ts";

/** What commands that lead to another mode need. */
export interface Modal extends Configuring {
  readonly session: { mode: ConsoleMode | undefined };
}

export type ModalCommands = ConfigureCommands<Modal>;
