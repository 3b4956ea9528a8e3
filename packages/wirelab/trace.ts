/** `wirelab trace`: one packet's way through a lab. */

import { Problems } from "@wirelab/lab/file/problem";
import { parseDurationNs } from "@wirelab/lab/model/quantity";
import { Names, nodeWithConsole, WITH_CONSOLE } from "@wirelab/lab/read/names";
import { type Trace, type TraceStep, traceProbe } from "@wirelab/lab/trace/trace";
import { CommandLineError, parseCommandLine, type Surroundings } from "./command-line.ts";
import { DataError } from "./failure.ts";
import { loadLabFile } from "./load-lab-file.ts";

export const help = `Usage: wirelab trace FILE --from NODE --to NODE|ADDRESS [options]

Sends one ping through a lab and prints the packet's way hop by hop: lab time, node or link, and what each did to it.
  --at TIME      moment of the timeline (1.5s); default: its end
  --protocol P   icmp, udp or tcp; default icmp
  --port N       target port of udp and tcp; default 7
  --seed S       instead of the file's seed
  --json         prints the trace as JSON
Exit status: 0 answered, 1 not answered or a bad file, 2 wrong usage.
`;

const PROTOCOLS = ["icmp", "udp", "tcp"] as const;
const text = { type: "string" } as const;

export async function run(args: string[], { stdout }: Surroundings): Promise<void> {
  const { values, positionals } = parseCommandLine(args, {
    options: {
      from: text,
      to: text,
      at: text,
      protocol: text,
      port: text,
      seed: text,
      json: { type: "boolean" },
    },
    positionals: ["FILE"],
  });
  const { from, to, at, protocol: given = "icmp", port: portText = "7", seed, json } = values;
  if (from === undefined || to === undefined) throw new CommandLineError("--from and --to are needed");
  const protocol = PROTOCOLS.find((each) => each === given);
  if (protocol === undefined) throw new CommandLineError(`--protocol must be icmp, udp or tcp, got ${given}`);
  const port = Number(portText);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new CommandLineError(`--port must be a number from 1 to 65535, got ${portText}`);
  }
  const atNs = at === undefined ? undefined : parseDurationNs(at);
  if (at !== undefined && (atNs === undefined || atNs < 0)) {
    throw new CommandLineError(`--at must be a lab time such as 1.5s, got ${at}`);
  }
  const model = loadLabFile(positionals[0]!);
  const problems = new Problems(() => undefined, "command line");
  const names = new Names(model.nodes, model.links, problems);
  names.nodeOf(WITH_CONSOLE, `${nodeWithConsole()}, which have a console`, from, ["--from"]);
  if (!/^[0-9.]+$|:/.test(to)) names.nodeOf(["vpcs", "router"], "a PC, a router or an address", to, ["--to"]);
  problems.throwIfAny();
  const trace = traceProbe(model, { from, to, protocol, port }, { seed, atNs });
  stdout.write(json ? `${JSON.stringify(trace, null, 2)}\n` : format(trace));
  if (!trace.isAnswered) throw new DataError(endOf(trace));
}

function format(trace: Trace): string {
  if (trace.obstacle !== undefined) return "";
  const all = [...trace.request, ...trace.answer];
  const width = Math.max(...all.map(({ where }) => where.length));
  const line = ({ at, where, what, did }: TraceStep): string =>
    `  ${at.toFixed(6).padStart(12)}s  ${where.padEnd(width)}  ${what.padEnd(6)}  ${did}\n`;
  const answer = trace.answer.length === 0 ? "" : `answer\n${trace.answer.map(line).join("")}`;
  return `${trace.packet}\n${trace.request.map(line).join("")}${answer}`;
}

function endOf({ obstacle, request, answer }: Trace): string {
  if (obstacle !== undefined) return `nothing was sent: ${obstacle}`;
  const { where, did } = [...request, ...answer].at(-1)!;
  return `no answer: ${where} ${did}`;
}
