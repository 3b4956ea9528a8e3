/**
 * The programs of a real compute: gns3-server, vpcs and ubridge, which are not part of the repository. `WIRELAB_COMPUTES` names a folder
 * with `gns3-server/` (a checkout) and `bin/` (`vpcs`, `ubridge`), which test/computes/fetch.sh fills.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { findPython } from "../service/clients.ts";

const FOLDER = process.env.WIRELAB_COMPUTES || join(homedir(), ".cache", "wirelab", "computes");

/** What gns3-server 2.2 imports when it starts. */
const MODULES = ["aiohttp", "aiohttp_cors", "aiofiles", "psutil", "jsonschema", "jinja2", "distro"];

export interface ComputePrograms {
  readonly python: string;
  /** The checkout of gns3-server. */
  readonly server: string;
  readonly vpcs: string;
  readonly ubridge: string;
}

function find(): ComputePrograms | undefined {
  const server = join(FOLDER, "gns3-server");
  const vpcs = join(FOLDER, "bin", "vpcs");
  const ubridge = join(FOLDER, "bin", "ubridge");
  if (![join(server, "gns3server"), vpcs, ubridge].every((path) => existsSync(path))) return undefined;
  const python = findPython(...MODULES);
  return python === undefined ? undefined : { python, server, vpcs, ubridge };
}

/** Undefined if a program is missing. */
export const computePrograms = find();

export const NEEDED =
  "skipped without gns3-server, vpcs, ubridge and gns3-server's Python packages: test/computes/fetch.sh";
