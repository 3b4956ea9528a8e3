/**
 * The command line: finds the command, runs it, and converts errors to a message and an exit code. Commands are loaded on
 * demand, because filtering a small file takes less time than loading the whole engine.
 */

import { suggest } from "@wirelab/lab/file/suggest";
import { CommandLineError, type LoadHelps, type Surroundings } from "./command-line.ts";
import { describeFailure, EXIT_OK, EXIT_USAGE } from "./failure.ts";

/**
 * Runs with the arguments after the command's name; returns the exit code, if not 0. Throws one of the errors that failure.ts
 * describes.
 */
export type Command = (
  args: string[],
  surroundings: Surroundings,
  loadHelps: LoadHelps,
) => Promise<number> | Promise<void>;

interface CommandModule {
  readonly run: Command;
  readonly help: string;
}

interface CommandRow {
  /** Usages, each with what it does: lines of `wirelab --help`. */
  readonly lines: readonly (readonly [usage: string, about: string])[];
  readonly load: () => Promise<CommandModule>;
}

const COMMANDS: Readonly<Record<string, CommandRow>> = {
  test: {
    lines: [["test [options] [FILE ...]", "plays lab files, and checks what they expect"]],
    load: () => import("./lab-test/command.ts"),
  },
  run: {
    lines: [["run [options] FILE", "plays a lab; prints its consoles and links, writes a pcapng"]],
    load: () => import("./run.ts"),
  },
  new: {
    lines: [["new [DIR]", "writes a first lab file"]],
    load: () => import("./new.ts"),
  },
  link: {
    lines: [
      ["link [options] in.pcap out.pcap", "runs a capture through a link and its filters"],
      ["link --live [options] A B", "carries packets between two real networks through a link, in real time"],
    ],
    load: () => import("./link.ts"),
  },
  live: {
    lines: [["live [options] FILE", "runs a lab in real time, with real networks behind its clouds"]],
    load: () => import("./live.ts"),
  },
  match: {
    lines: [["match EXPR in.pcap [out.pcap]", "keeps the packets that match a pcap-filter expression"]],
    load: () => import("./match.ts"),
  },
  explain: {
    lines: [["explain EXPR", "prints how an expression is understood"]],
    load: () => import("./explain.ts"),
  },
  trace: {
    lines: [["trace FILE --from A --to B", "follows one packet through a lab, hop by hop"]],
    load: () => import("./trace.ts"),
  },
  diff: {
    lines: [["diff BEFORE AFTER", "compares two labs: routes, tables, reachability, paths, packets"]],
    load: () => import("./diff.ts"),
  },
  draw: {
    lines: [["draw FILE [out.svg]", "draws the topology of a lab"]],
    load: () => import("./draw.ts"),
  },
  image: {
    lines: [["image ACTION ...", "builds, lists and removes the images of Linux nodes"]],
    load: () => import("./image.ts"),
  },
  users: {
    lines: [["users ACTION ...", "adds, lists, changes and removes the users of a stack"]],
    load: () => import("./users.ts"),
  },
  namespace: {
    lines: [["namespace create|delete NAME", "makes and deletes a user who expires with their projects"]],
    load: () => import("./namespace.ts"),
  },
  console: {
    lines: [["console PROJECT NODE", "opens the console of a node"]],
    load: () => import("./console.ts"),
  },
  proxy: {
    lines: [["proxy [--port N]", "brings a service to this machine, with telnet ports for the nodes"]],
    load: () => import("./proxy.ts"),
  },
  completion: {
    lines: [["completion bash|zsh|fish", "prints what completes commands and options in a shell"]],
    load: () => import("./completion.ts"),
  },
};

const USAGE_COLUMNS = 34;
const lineOf = ([usage, about]: CommandRow["lines"][number]): string =>
  `  wirelab ${usage.padEnd(USAGE_COLUMNS)} ${about}\n`;

const HELP = `Usage: wirelab <command> ...

${Object.values(COMMANDS)
  .flatMap(({ lines }) => lines)
  .map(lineOf)
  .join("")}
${lineOf(["--version", "prints the version"])}
"-" stands for standard input or output. "wirelab help <command>" lists the options of a command.
Exit status: 0 done, 1 bad data or a bad expression, 2 wrong usage or a bad lab file; test has its own.
`;

const loadHelps: LoadHelps = async () =>
  new Map(
    await Promise.all(
      Object.entries(COMMANDS).map(async ([name, { load }]) => [name, (await load()).help] as const),
    ),
  );

/** Runs a command line; returns the exit code. */
export async function main(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const [name, ...rest] = args;
  try {
    if (name === "--help" || name === "-h" || name === "help") {
      const about = name === "help" ? rest[0] : undefined;
      surroundings.stdout.write(about === undefined ? HELP : (await loadCommand(about)).help);
      return EXIT_OK;
    }
    if (name === "--version") {
      const { default: manifest } = await import("./package.json", { with: { type: "json" } });
      surroundings.stdout.write(`wirelab ${manifest.version}\n`);
      return EXIT_OK;
    }
    if (name === undefined) {
      surroundings.stderr.write(HELP);
      return EXIT_USAGE;
    }
    const { run, help } = await loadCommand(name);
    if (asksForHelp(rest)) {
      surroundings.stdout.write(help);
      return EXIT_OK;
    }
    return (await run(rest, surroundings, loadHelps)) ?? EXIT_OK;
  } catch (error) {
    const { message, exitCode } = describeFailure(error, name);
    surroundings.stderr.write(message);
    return exitCode;
  }
}

async function loadCommand(name: string): Promise<CommandModule> {
  if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name]!.load();
  throw new CommandLineError(
    `unknown command ${JSON.stringify(name)}.${suggest(name, Object.keys(COMMANDS))}`,
  );
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const options = end < 0 ? args : args.slice(0, end);
  return options.includes("--help") || options.includes("-h");
}
