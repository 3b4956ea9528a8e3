/**
 * Registers the helper machine when its server answers. This function is in the machine's network, and calls no service but the table and the
 * secret; handler.ts is outside, and calls EC2. The schedule calls it every minute, so it ends with its time.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { VM } from "../shared/machine/config.ts";
import { STORE } from "../shared/machine/helper-store.ts";
import { readComputePassword } from "../shared/store/base/compute-password.ts";
import { awaitServer } from "./await-server.ts";

const PAUSE_MS = 3_000;

export async function handler(
  _event: unknown,
  { getRemainingTimeInMillis }: { getRemainingTimeInMillis(): number },
): Promise<void> {
  await awaitServer({
    store: STORE,
    password: () => readComputePassword(VM),
    remainingTimeMs: () => getRemainingTimeInMillis(),
    pause: () => sleep(PAUSE_MS),
  });
}
