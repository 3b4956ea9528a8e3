/** `wirelab run`: plays a lab, and shows what its consoles printed and its links carried. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { recordLab } from "@wirelab/lab/record-lab";
import type { LabReport, Transcript } from "@wirelab/lab/report/report";
import { applyFailures } from "@wirelab/lab/sweep/failures";
import { parseCommandLine, type Surroundings } from "./command-line.ts";
import { onFile } from "./file-error.ts";
import { formatLinks } from "./format-links.ts";
import { findFailure, readFailure } from "./lab-test/failure-option.ts";
import { alignColumns } from "./lab-test/reporters/table.ts";
import { loadLabFile } from "./load-lab-file.ts";

export const help = `Usage: wirelab run [options] FILE

Plays a lab file in virtual time in this process. Prints what the consoles printed and a table of the links, and writes a pcapng with
an interface for each link: the frames as they were sent, before the link's filters. Judges nothing; wirelab test does.

  --seed S            instead of the file's seed
  --fail link:NAME, --fail node:NAME
                      with this link or node failed; repeatable
  --capture FILE      the pcapng; .wirelab/NAME.pcapng when absent
  --json              the report as JSON

Exit status: 0 played, 1 the run reached a limit, 2 wrong usage or a bad lab file.
`;

export async function run(args: string[], { stdout, stderr }: Surroundings): Promise<number> {
  const { values, positionals } = parseCommandLine(args, {
    options: {
      seed: { type: "string" },
      fail: { type: "string", multiple: true },
      capture: { type: "string" },
      json: { type: "boolean" },
    },
    positionals: ["FILE"],
  });
  const { seed, fail = [] } = values;
  const texts = fail.map(readFailure);
  const read = loadLabFile(positionals[0]!);
  for (const warning of read.warnings ?? []) stderr.write(`warning: ${warning}\n`);
  const failures = texts.map((text) => findFailure(read, text));
  const model = applyFailures({ ...read, expectations: [] }, failures);
  const { report, capture } = recordLab(model, seed === undefined ? {} : { seed });
  const path = values.capture ?? join(".wirelab", `${model.name.replaceAll(/[^\w-]+/g, "_")}.pcapng`);
  onFile("write", path, () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, capture);
  });
  stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : format(report, path));
  return report.limit === undefined ? 0 : 1;
}

function format(report: LabReport, capture: string): string {
  const { name, seed, bootSeconds, labSeconds, events, packets, digest, limit, unsettled, loop } = report;
  const facts = [
    ["lab", name],
    ["seed", seed],
    ["lab time", `${labSeconds} s, after ${bootSeconds} s of booting`],
    ["events", `${events}, ${packets} packets`],
    ["digest", digest],
    ...(limit === undefined ? [] : [["limit", `the run reached its limit of ${limit}`]]),
    ...(unsettled === undefined ? [] : [["routing", unsettled]]),
    ...(loop === undefined ? [] : [["loop", loop.join(", ")]]),
    ["capture", capture],
  ];
  const parts = [
    ...report.transcripts.map(formatTranscript),
    ...formatLinks(report.links),
    ...alignColumns(facts, true),
  ];
  return `${parts.join("\n")}\n`;
}

const formatTranscript = ({ node, at, output, status }: Transcript): string =>
  `--- ${node}, ${at.toFixed(6)} s${status === "done" ? "" : ` (${status})`}\n${output.trimEnd()}\n`;
