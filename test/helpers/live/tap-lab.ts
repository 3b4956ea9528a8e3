/** A lab in real time in a network namespace, whose clouds are taps there. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Namespaces, untilPrinted } from "./namespaces.ts";

const CLI = new URL("../../../packages/wirelab/wirelab.js", import.meta.url).pathname;
const NODE = new URL("../../../node_modules/.bin/node", import.meta.url).pathname;

/** A folder for the files of a test. */
export function makeFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "wirelab-tap-"));
  // Programs that give up their privileges open sockets in it.
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true }) };
}

/** Starts a lab; returns when it has printed the text. */
export async function startLab(
  spaces: Namespaces,
  space: string,
  folder: string,
  lab: object,
  printed: string,
): Promise<void> {
  const file = join(folder, "live.lab.yaml");
  writeFileSync(file, JSON.stringify(lab));
  await untilPrinted(spaces.start(space, NODE, CLI, "live", file), printed);
}

/** @param taps their names, in the order of the lab's clouds. They are up and have no IPv6 when this returns. */
export async function startTapLab(
  spaces: Namespaces,
  space: string,
  folder: string,
  lab: object,
  taps: readonly string[],
): Promise<void> {
  await startLab(spaces, space, folder, lab, `tap interface ${taps.at(-1)}`);
  for (const tap of taps) {
    spaces.run(space, "sysctl", "-qw", `net.ipv6.conf.${tap}.disable_ipv6=1`);
    spaces.run(space, "ip", "link", "set", tap, "up");
  }
}
