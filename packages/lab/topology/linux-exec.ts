/** Reads the commands that configure a Linux host as far as simulated devices have what they configure. */
import type { Path } from "../file/problem.ts";
import { scriptOf, shellWords } from "./clab/shell-words.ts";
import type { LinuxDraft } from "./linux-config.ts";
import { dhcpClient, ifconfig, ip, type Perform, routeCommand } from "./linux-ip.ts";
import { sysctlCommand } from "./linux-sysctl.ts";

export interface Command {
  readonly words: readonly string[];
  readonly path: Path;
}

/** A command that no simulated device can do. */
export interface Refused {
  readonly text: string;
  readonly why: string;
  readonly path: Path;
}

/** Does the commands in their order. @returns those that no simulated device can do. */
export function readExec(commands: readonly Command[], draft: LinuxDraft): readonly Refused[] {
  const refused: Refused[] = [];
  for (const { words, path } of commands) {
    const script = scriptOf(words);
    const parts = script === undefined ? [words] : readScript(script);
    if (parts === undefined) refused.push({ text: script ?? "", why: "it is a script of a shell", path });
    for (const part of parts ?? []) {
      const why = perform(part, draft);
      if (why !== undefined) refused.push({ text: part.join(" "), why, path });
    }
  }
  return refused;
}

/** What a shell would do with the text: redirections to files, pipes, variables, loops. */
const SHELL_SYNTAX = /[|&<>$`(){}*?[\]!~]|\b(?:if|then|else|fi|for|while|until|do|done|case|esac)\b/;
/** An error or output that is thrown away, and a failure that is not one. */
const QUIET = /\s*(?:[12]?|&)>\s*\/dev\/null\b|\s*2>&1\b|\s*\|\|\s*(?:true|:)(?=\s*(?:;|&&|\n|$))/g;

/** `echo 1 > /proc/sys/net/ipv4/ip_forward` */
const SETTING = /\becho\s+(["']?)(\w+)\1\s*>\s*\/proc\/sys\/([\w./-]+)/g;

/** @returns the commands of a script that is a list of commands; undefined for others. */
export function readScript(script: string): string[][] | undefined {
  const text = script
    .replaceAll(QUIET, "")
    .replaceAll(
      SETTING,
      (_, _quote, value: string, key: string) => `sysctl -w ${key.replaceAll("/", ".")}=${value}`,
    )
    .replaceAll("&&", "\n")
    .replaceAll(";", "\n");
  if (SHELL_SYNTAX.test(text)) return undefined;
  const lines = text.split("\n").map(shellWords);
  return lines.some((words) => words === undefined)
    ? undefined
    : lines.flatMap((words) => (words !== undefined && words.length > 0 ? [words] : []));
}

const nothing: Perform = () => undefined;

/** A ping belongs into `expect`; the others print, wait, or install programs of which no command here runs one. */
const PERFORMS: Readonly<Record<string, Perform>> = {
  ip,
  ifconfig,
  route: routeCommand,
  udhcpc: dhcpClient,
  dhclient: dhcpClient,
  sysctl: sysctlCommand,
  ping: nothing,
  ping6: nothing,
  echo: nothing,
  sleep: nothing,
  cat: nothing,
  true: nothing,
  ":": nothing,
  hostname: nothing,
  apk: nothing,
  "apt-get": nothing,
  apt: nothing,
  ethtool: ([option]) => (option === "-K" ? undefined : "a simulated device does not have it"),
};

/** Without a shell, a program gets its signs as words, which is seldom meant. */
const SIGNS = /[<>|&`$;]/;

function perform([program = "", ...args]: readonly string[], draft: LinuxDraft): string | undefined {
  const name = program.replace(/^\/(?:usr\/)?s?bin\//, "");
  const run = Object.hasOwn(PERFORMS, name) ? PERFORMS[name] : undefined;
  if (run === undefined) return "a simulated device runs no programs";
  if (args.some((word) => SIGNS.test(word))) return "it runs without a shell";
  return run(args, draft);
}
