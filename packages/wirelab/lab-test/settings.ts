/** The options of `wirelab test`. */
import { availableParallelism } from "node:os";
import type { SweepSettings } from "@wirelab/lab/sweep/failures";
import { CommandLineError, parseOptions } from "../command-line.ts";
import { readFailure } from "./failure-option.ts";
import { REPORTERS, type ReporterName } from "./reporters/names.ts";

export interface ReporterTarget {
  readonly name: ReporterName;
  /** Undefined for standard output. */
  readonly file: string | undefined;
}

export interface TestSettings {
  readonly patterns: readonly string[];
  readonly seed: string | undefined;
  /** Number of seeds, from "1" on. */
  readonly seeds: number | undefined;
  readonly sweep: SweepSettings | undefined;
  /** `link:wan`, `node:r1` */
  readonly failures: readonly string[];
  readonly hasMatrix: boolean;
  readonly jobs: number;
  readonly isBailing: boolean;
  readonly filter: string | undefined;
  readonly isWatching: boolean;
  readonly isUpdating: boolean;
  readonly reporters: readonly ReporterTarget[];
  /** The service that plays the labs; undefined for this process. */
  readonly url: string | undefined;
  /** Folder for captures of failures. */
  readonly captures: string;
}

const OPTIONS = {
  seed: { type: "string" },
  seeds: { type: "string" },
  sweep: { type: "string" },
  fail: { type: "string", multiple: true },
  matrix: { type: "boolean" },
  jobs: { type: "string" },
  bail: { type: "boolean" },
  filter: { type: "string" },
  watch: { type: "boolean" },
  update: { type: "boolean" },
  reporter: { type: "string", multiple: true },
  captures: { type: "string" },
  url: { type: "string" },
} as const;

const DEFAULT_CAPTURES = ".wirelab";
const MAX_SEEDS = 1_000_000;
const MAX_JOBS = 256;
/** Three at once of a lab of 30 links are 4,525 cases. */
const MAX_AT_ONCE = 3;

/** @throws CommandLineError */
export function parseSettings(args: string[]): TestSettings {
  const { values, positionals } = parseOptions(args, OPTIONS);
  const refuse = (one: boolean, other: boolean, message: string) => {
    if (one && other) throw new CommandLineError(message);
  };
  const { seed, seeds, sweep, fail = [], update = false } = values;
  refuse(seed !== undefined, seeds !== undefined, "--seed and --seeds exclude each other");
  refuse(sweep !== undefined, fail.length > 0, "--sweep and --fail exclude each other");
  const isVaried = seed !== undefined || seeds !== undefined || sweep !== undefined || fail.length > 0;
  refuse(update, isVaried, "--update writes the digest of the file's own seed, without failures");
  const { url } = values;
  refuse(url !== undefined, values.matrix === true, "--url and --matrix exclude each other");
  return {
    patterns: positionals,
    url,
    seed,
    seeds: seeds === undefined ? undefined : readInteger("--seeds", seeds, MAX_SEEDS),
    sweep: sweep === undefined ? undefined : readSweep(sweep),
    failures: fail.map(readFailure),
    hasMatrix: values.matrix ?? false,
    jobs: values.jobs === undefined ? availableParallelism() : readInteger("--jobs", values.jobs, MAX_JOBS),
    isBailing: values.bail ?? false,
    filter: values.filter,
    isWatching: values.watch ?? false,
    isUpdating: update,
    reporters: readReporters(values.reporter ?? ["pretty"]),
    captures: values.captures ?? DEFAULT_CAPTURES,
  };
}

function readInteger(option: string, text: string, max: number): number {
  const value = /^[0-9]+$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= max) return value;
  throw new CommandLineError(`${option} must be an integer from 1 to ${max}, got ${JSON.stringify(text)}`);
}

function readSweep(text: string): SweepSettings {
  const sweep: { links?: number; nodes?: number } = {};
  for (const part of text.split(",")) {
    const [, kind, count = "1"] = /^(links|nodes)(?:=(.*))?$/.exec(part) ?? [];
    if (kind === undefined) {
      throw new CommandLineError(
        `--sweep must be links=N, nodes=N or both with a comma, N at once at most; got ${JSON.stringify(text)}`,
      );
    }
    sweep[kind as "links" | "nodes"] = readInteger(`--sweep ${kind}`, count, MAX_AT_ONCE);
  }
  return sweep;
}

function readReporters(texts: readonly string[]): ReporterTarget[] {
  const targets = texts.map((text) => {
    const [, name, file] = /^([^=]*)(?:=(.*))?$/s.exec(text)!;
    if (!REPORTERS.includes(name as ReporterName)) {
      throw new CommandLineError(
        `--reporter ${JSON.stringify(name)} is not known; the reporters are ${REPORTERS.join(", ")}`,
      );
    }
    if (file === "") throw new CommandLineError(`--reporter ${name}= needs a file after "="`);
    return { name: name as ReporterName, file };
  });
  const printed = targets.filter(({ name, file }) => file === undefined && name !== "github");
  if (printed.length > 1) {
    throw new CommandLineError(
      `only one reporter can use standard output: write --reporter ${printed[1]!.name}=FILE`,
    );
  }
  return targets;
}
