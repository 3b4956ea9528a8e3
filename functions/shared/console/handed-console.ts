/** A console that the function `sockets` has handed to the function `guests`: the body of a stored run. */
import type { EnteredText } from "./held-console.ts";

export interface HandedConsole {
  readonly run_id: string;
  readonly connection_id: string;
  /** The request that held the console. */
  readonly holder: string;
  readonly entered: EnteredText;
}
