/**
 * Takes the steps of the helper machine: called by EventBridge when the state of an instance changes, and once a minute, which finishes what
 * a dead function left and stops a machine that idles (infra/helper.ts).
 */

import { advance } from "../shared/machine/advance.ts";
import { helperConfig } from "../shared/machine/config.ts";

/** @throws Error when the stack did not set the variables. */
export async function handler(): Promise<void> {
  const config = helperConfig();
  if (config === undefined)
    throw new Error("The environment variables HELPER_STACK and HELPER_TYPE are not set");
  await advance(config);
}
