/** Waits for the GNS3 server of the helper machine and registers it as compute `vm`. */
import { callCompute } from "../shared/compute/call.ts";
import type { Peer } from "../shared/compute/peer.ts";
import { ApiError } from "../shared/edge/errors.ts";
import { HELPER_USER } from "../shared/machine/config.ts";
import type { HelperStore } from "../shared/machine/helper-store.ts";
import { nowUs } from "../shared/store/base/table.ts";

export interface Probing {
  readonly store: HelperStore;
  readonly password: () => Promise<string | undefined>;
  readonly remainingTimeMs: () => number;
  readonly pause: () => Promise<unknown>;
}

const CALL_MS = 3_000;
/** One more attempt and the write after it take less. */
const RESERVE_MS = 10_000;

/** Asks the server until it answers, the machine is no longer waited for, or the time is over. @returns whether it answered. */
export async function awaitServer({ store, password, remainingTimeMs, pause }: Probing): Promise<boolean> {
  let secret: string | undefined;
  do {
    const helper = await store.read();
    const { address } = helper;
    if (helper.state !== "booting" || address === undefined) return false;
    const { port, vmname } = await store.settings();
    secret ??= await password();
    const host = { protocol: "http" as const, host: address, port, user: HELPER_USER };
    const problem = await problemOf({ ...host, name: vmname ?? "vm", password: secret });
    if (problem === undefined) {
      const name = `GNS3 VM (${vmname ?? "helper"})`;
      const changes = { state: "ready", port, attempts: 0, error: undefined, used_us: nowUs() } as const;
      if (await store.write(helper, changes, { ...host, name, has_password: secret !== undefined }))
        return true;
    } else if (problem.isLasting && helper.error !== problem.words) {
      await store.write(helper, { error: problem.words });
    }
    await pause();
  } while (remainingTimeMs() > RESERVE_MS);
  return false;
}

/** The major and minor version of the interface that the service speaks. */
const VERSION = /^2\.2\./;

/** Returns why the server is not ready; undefined when it is. */
async function problemOf(peer: Peer): Promise<{ words: string; isLasting: boolean } | undefined> {
  try {
    const answer = await callCompute(peer, { method: "GET", path: "/capabilities", timeoutMs: CALL_MS });
    const { version } = answer as { version?: unknown };
    if (VERSION.test(String(version))) return undefined;
    return { words: `its server has version ${version}, and 2.2 is needed`, isLasting: true };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // A server that is not there yet is what the state `booting` means.
    return { words: error.message, isLasting: error.code !== "compute.unreachable" };
  }
}
