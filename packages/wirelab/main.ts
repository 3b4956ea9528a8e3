/**
 * The command line: finds the command, runs it, and converts errors to a message and an exit code. Commands are loaded on
 * demand, because filtering a small file takes less time than loading the whole engine.
 */

import { CommandLineError, type Surroundings } from "./command-line.ts";
import { describeFailure, EXIT_OK, EXIT_USAGE } from "./failure.ts";

/**
 * Runs with the arguments after the command's name; returns the exit code, if not 0. Throws one of the errors that failure.ts
 * describes.
 */
export type Command = (args: string[], surroundings: Surroundings) => Promise<number> | Promise<void>;

interface CommandModule {
  readonly run: Command;
  readonly help: string;
}

const COMMANDS: Readonly<Record<string, () => Promise<CommandModule>>> = {
  test: () => import("./lab-test/command.ts"),
  run: () => import("./run.ts"),
  new: () => import("./new.ts"),
  link: () => import("./link.ts"),
  live: () => import("./live.ts"),
  match: () => import("./match.ts"),
  explain: () => import("./explain.ts"),
  trace: () => import("./trace.ts"),
  diff: () => import("./diff.ts"),
  draw: () => import("./draw.ts"),
  image: () => import("./image.ts"),
  users: () => import("./users.ts"),
  namespace: () => import("./namespace.ts"),
  console: () => import("./console.ts"),
  proxy: () => import("./proxy.ts"),
};

const HELP = `Usage: wirelab <command> ...

  wirelab test [options] [FILE ...]          plays lab files, and checks what they expect
  wirelab run [options] FILE                 plays a lab; prints its consoles and links, writes a pcapng
  wirelab new [DIR]                          writes a first lab file
  wirelab link [options] in.pcap out.pcap    runs a capture through a link and its filters
  wirelab link --live [options] A B          carries packets between two real networks through a link, in real time
  wirelab live [options] FILE                runs a lab in real time, with real networks behind its clouds
  wirelab match EXPR in.pcap [out.pcap]      keeps the packets that match a pcap-filter expression
  wirelab explain EXPR                       prints how an expression is understood
  wirelab trace FILE --from A --to B         follows one packet through a lab, hop by hop
  wirelab diff BEFORE AFTER                  compares two labs: routes, tables, reachability, paths, packets
  wirelab draw FILE [out.svg]                draws the topology of a lab
  wirelab image ACTION ...                   builds, lists and removes the images of Linux nodes
  wirelab users ACTION ...                   adds, lists, changes and removes the users of a stack
  wirelab namespace create|delete NAME       makes and deletes a user who expires with their projects
  wirelab console PROJECT NODE               opens the console of a node
  wirelab proxy [--port N]                   brings a service to this machine, with telnet ports for the nodes

  wirelab --version                          prints the version

"-" stands for standard input or output. "wirelab <command> --help" lists its options.
Exit status: 0 done, 1 bad data or a bad expression, 2 wrong usage or a bad lab file; test has its own.
`;

/** Runs a command line; returns the exit code. */
export async function main(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const [name, ...rest] = args;
  try {
    if (name === "--help" || name === "-h") {
      surroundings.stdout.write(HELP);
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
    return (await run(rest, surroundings)) ?? EXIT_OK;
  } catch (error) {
    const { message, exitCode } = describeFailure(error, name);
    surroundings.stderr.write(message);
    return exitCode;
  }
}

async function loadCommand(name: string): Promise<CommandModule> {
  if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name]!();
  const known = Object.keys(COMMANDS).join(", ");
  throw new CommandLineError(`unknown command ${JSON.stringify(name)}; the commands are ${known}`);
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const options = end < 0 ? args : args.slice(0, end);
  return options.includes("--help") || options.includes("-h");
}
