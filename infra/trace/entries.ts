/** The modules with the handlers of all functions: each is the entry of a bundle. */
import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Functions whose handler is not `functions/<name>/handler.ts`: their entry in infra/access.ts -> module. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  authorizer: ["authorizer/basic.ts", "authorizer/jwt.ts"],
  probe: ["helper/probe.ts"],
  labcases: ["labs/batch.ts"],
  guests: ["runs/guests.ts"],
};

export interface Entry {
  /** The entry of the function in infra/access.ts. */
  readonly name: string;
  /** An absolute path. */
  readonly module: string;
}

export const ENTRIES: readonly Entry[] = [
  ...globSync("functions/*/handler.ts", { cwd: ROOT }).map((path) => ({
    name: path.split("/")[1]!,
    module: `${ROOT}${path}`,
  })),
  ...Object.entries(OTHERS).flatMap(([name, modules]) =>
    modules.map((module) => ({ name, module: `${ROOT}functions/${module}` })),
  ),
].toSorted((a, b) => (a.module < b.module ? -1 : 1));

/** Returns all entries, first those of the function that CloudFormation has named: `Wirelab-publisherFunction5F6A-abc`. */
export function likelyFirst(functionName: string | undefined): Entry[] {
  const isNamed = ({ name }: Entry): boolean =>
    functionName?.toLowerCase().includes(`${name}function`.toLowerCase()) ?? false;
  return [...ENTRIES.filter(isNamed), ...ENTRIES.filter((entry) => !isNamed(entry))];
}
