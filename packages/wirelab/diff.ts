/** `wirelab diff`: what a change of a lab does. */
import { type Change, diffLabs } from "@wirelab/lab/diff/diff";
import { parseCommandLine, type Surroundings } from "./command-line.ts";
import { loadLabFile } from "./load-lab-file.ts";

export const help = `Usage: wirelab diff before.lab.yaml after.lab.yaml [--json]

Plays both labs and prints what differs after their timelines: nodes, links, addresses, routes, MAC and ARP tables, which PC
reaches which, the path of each ping, and the packets on each link. Labs that behave the same print "no difference".
  --json     prints the changes as JSON: a list of {section, subject, before, after}
`;

export async function run(args: string[], { stdout }: Surroundings): Promise<void> {
  const { values, positionals } = parseCommandLine(args, {
    options: { json: { type: "boolean" } },
    positionals: ["before.lab.yaml", "after.lab.yaml"],
  });
  const [before, after] = positionals as [string, string];
  const changes = diffLabs(loadLabFile(before), loadLabFile(after));
  stdout.write(values.json ? `${JSON.stringify(changes, null, 2)}\n` : format(changes));
}

function format(changes: readonly Change[]): string {
  if (changes.length === 0) return "no difference\n";
  const sections = Map.groupBy(changes, ({ section }) => section);
  return [...sections]
    .map(([section, those]) => `${section}\n${those.map(formatChange).join("")}`)
    .join("\n");
}

function formatChange({ subject, before, after }: Change): string {
  if (before === undefined) return `  + ${subject}: ${after}\n`;
  if (after === undefined) return `  - ${subject}: ${before}\n`;
  return `  ~ ${subject}\n      - ${before}\n      + ${after}\n`;
}
