/** The capture programs installed on this machine, as references for the engine's readers and writers. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Program = "tcpdump" | "tshark" | "capinfos" | "editcap";

/** Reports whether a program is installed. Tests that need a missing program are skipped, and their titles say so. */
export function isInstalled(program: Program): boolean {
  return spawnSync(program, ["--version"]).error === undefined;
}

/** Returns the output of a program, in lines. @throws Error with its stderr if it fails. */
export function linesOf(program: Program, args: string[]): string[] {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
  return stdout.split("\n").filter((line) => line !== "");
}

/** Calls `use` with the path of a temporary file with the bytes. */
export function withFile<T>(bytes: Uint8Array, use: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-engine-"));
  try {
    const path = join(folder, "capture");
    writeFileSync(path, bytes);
    return use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A file converted by editcap: `pcap`, `nsecpcap`, `pcapng`. */
export function convert(bytes: Uint8Array, format: string): Uint8Array {
  return withFile(bytes, (path) => {
    linesOf("editcap", ["-F", format, path, `${path}.out`]);
    return new Uint8Array(readFileSync(`${path}.out`));
  });
}

/** Captures of real networks: the files in the folder that WIRELAB_CAPTURES names. None if it is not set. */
export function realCaptures(): { name: string; bytes: Uint8Array }[] {
  const folder = process.env.WIRELAB_CAPTURES;
  if (!folder) return [];
  const names = readdirSync(folder).filter((name) => /\.(pcap|pcapng|cap)$/.test(name));
  return names.sort().map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(folder, name))) }));
}
