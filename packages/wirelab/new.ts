/** `wirelab new`: writes a first lab file. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { CommandLineError, type Surroundings } from "./command-line.ts";
import { onFile } from "./file-error.ts";

export const help = `Usage: wirelab new [DIR]

Writes DIR/first.lab.yaml: two PCs, a switch, and what must hold. DIR is the current folder when absent.
Exit status: 0 written, 1 the file exists or cannot be written, 2 wrong usage.
`;

const FILE = "first.lab.yaml";

export const FIRST_LAB = `nodes:
  pc1: 10.0.0.1/24
  pc2: 10.0.0.2/24
  sw1: switch
links:
  - pc1 -- sw1
  - {link: pc2 -- sw1, name: cable, filters: {delay: 20ms}}
expect:
  - reach: pc1 -> pc2
  - {ping: pc1 -> pc2, lost: 0, p50: 40..41ms}
`;

export async function run(args: string[], { stdout, stderr }: Surroundings): Promise<number> {
  const folder = parse(args);
  const path = join(folder, FILE);
  if (existsSync(path)) {
    stderr.write(`wirelab: ${path} exists; it is left as it is\n`);
    return 1;
  }
  onFile("write", path, () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, `# yaml-language-server: $schema=${schemaFrom(folder)}\n${FIRST_LAB}`);
  });
  stdout.write(`wrote ${path}; next: npx wirelab test ${path}\n`);
  return 0;
}

/** The schema's path from a folder; when the package is not below the current folder, its usual path in node_modules. */
function schemaFrom(folder: string): string {
  const own = ["lab.schema.json", "../lab.schema.json"]
    .map((name) => fileURLToPath(new URL(name, import.meta.url)))
    .find((path) => existsSync(path));
  const isOutside = (path: string): boolean => relative(".", path).startsWith("..");
  if (own === undefined || isOutside(own) || isOutside(folder))
    return "./node_modules/wirelab/lab.schema.json";
  const path = relative(folder, own).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}

function parse(args: string[]): string {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
  if (positionals.length > 1) throw new CommandLineError("new takes one folder");
  return positionals[0] ?? ".";
}
