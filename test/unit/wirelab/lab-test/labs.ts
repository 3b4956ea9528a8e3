/** Lab files for the tests of `wirelab test`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, runCli } from "../run-cli.ts";

export const TWO_PCS = `nodes:
  pc1: 10.0.0.1/24
  pc2: 10.0.0.2/24
links:
  - {link: pc1 -- pc2, name: wan}
`;

/** Two PCs that reach each other. */
export const GOOD = `${TWO_PCS}expect:
  - reach: pc1 -> pc2
`;

/** The link is down from 5 s on. */
export const BROKEN = `${TWO_PCS}run:
  - {at: 5s, down: wan}
expect:
  - {name: before, reach: pc1 -> pc2, at: 1s}
  - {name: after, reach: pc1 -> pc2}
`;

/** Two switches with two links between them, of which one is down. */
export const RING = `nodes:
  pc1: 10.0.0.1/24
  pc2: 10.0.0.2/24
  sw1: switch
  sw2: switch
links:
  - pc1 -- sw1
  - pc2 -- sw2
  - {link: sw1 -- sw2, name: main}
expect:
  - {name: connected, reach: pc1 -> pc2}
`;

/** A folder of a test with lab files; returns their paths. */
export function writeLabs<const T extends Readonly<Record<string, string>>>(
  texts: T,
): { folder: string; files: { [K in keyof T]: string } } {
  const folder = makeFolder();
  const files = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const file = join(folder, `${name}.lab.yaml`);
      writeFileSync(file, text);
      return [name, file];
    }),
  );
  return { folder, files: files as { [K in keyof T]: string } };
}

const captures = join(makeFolder(), "captures");

/** Runs `wirelab test`, with captures in a folder of the test. */
export const runTest = (args: string[], terminal?: Parameters<typeof runCli>[1]) =>
  runCli(["test", "--jobs", "1", "--captures", captures, ...args], terminal);
