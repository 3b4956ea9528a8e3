/**
 * What `netlab initial` does after containerlab: it runs the scripts that netlab has bound into the containers, in the order of their names, and in the
 * network of a Linux host the scripts of `node_files` that are not bound.
 */
import type { Problems } from "../../file/problem.ts";
import type { LookAt } from "../../read/read-guest-files.ts";
import type { Command } from "../linux-exec.ts";
import type { Container } from "./container.ts";
import type { Surroundings } from "./surroundings.ts";

/** The folder of the scripts, and the beginning of their names where they are copied. */
const SCRIPTS = /^\/etc\/(?:config\/|cfg-)/;

/** Scripts that a command of `exec` runs are left to it. */
export function netlabScripts({ binds, commands }: Container): Command[] {
  return binds
    .map(({ text, path }) => ({ target: text.split(":")[1] ?? "", path }))
    .filter(
      ({ target }) => SCRIPTS.test(target) && !commands.some(({ words }) => words.join(" ").includes(target)),
    )
    .toSorted((a, b) => (a.target < b.target ? -1 : 1))
    .map(({ target, path }) => ({ words: [target], path }));
}

/** Scripts of Linux hosts, in the order in which netlab runs them. */
const HOST_SCRIPTS = ["normalize", "initial", "lag", "vlan", "routing"];
/** Where a guest has them. */
const TARGET = "/run/netlab";

export interface HostScripts {
  readonly files: Readonly<Record<string, { readonly from: string }>>;
  readonly commands: readonly Command[];
  /** Addresses that the scripts give the host. */
  readonly addresses: readonly string[];
}

/** @returns undefined for a node that has none. */
export function hostScripts(
  { name, path, binds }: Container,
  folder: string,
  { look, load }: Surroundings,
  problems: Problems,
): HostScripts | undefined {
  const files = filesIn(`${folder}node_files/${name}`, look);
  const sources = binds.map(({ text }) => text.split(":")[0]);
  const own = files.filter((file) => !sources.includes(`node_files/${name}/${file}`));
  for (const file of own)
    if (!HOST_SCRIPTS.includes(file))
      problems.add(
        path,
        `cannot be run here: netlab would configure ${JSON.stringify(file)} of it with Ansible. Delete node_files/${name}/${file}, or its module.`,
      );
  const scripts = HOST_SCRIPTS.filter((file) => own.includes(file));
  if (scripts.length === 0) return undefined;
  const sourceOf = (script: string): string => `${folder}node_files/${name}/${script}`;
  const texts = scripts.map((script) => (load ? new TextDecoder().decode(load(sourceOf(script))) : ""));
  return {
    files: Object.fromEntries(scripts.map((script) => [`${TARGET}/${script}`, { from: sourceOf(script) }])),
    commands: scripts.map((script) => ({ words: ["sh", `${TARGET}/${script}`], path })),
    addresses: [...texts.join("\n").matchAll(/^ip (?:-6 )?addr add (\S+) dev (?!lo)/gm)].map(
      ([, address]) => address!,
    ),
  };
}

function filesIn(folder: string, look: LookAt | undefined): readonly string[] {
  try {
    const found = look?.(folder);
    return found?.kind === "folder" ? found.files : [];
  } catch {
    // Most topologies are not netlab's, and most nodes of netlab have no such folder.
    return [];
  }
}
