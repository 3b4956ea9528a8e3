/**
 * Programs of other authors that speak this interface. They are not part of the repository: `WIRELAB_CLIENTS` names a folder
 * with checkouts, which test/clients/fetch.sh fills.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const FOLDER = process.env.WIRELAB_CLIENTS || join(homedir(), ".cache", "wirelab", "clients");

/** Returns the path of a file or folder in a client's checkout, or undefined when it is missing. */
export function findClient(path: string): string | undefined {
  const found = join(FOLDER, path);
  return existsSync(found) ? found : undefined;
}

/** Returns a Python interpreter that can import the modules, or undefined. */
export const findPython = (...modules: string[]): string | undefined =>
  ["/usr/bin/python3", "python3"].find(
    (python) => spawnSync(python, ["-c", `import ${modules.join(", ")}`]).status === 0,
  );
