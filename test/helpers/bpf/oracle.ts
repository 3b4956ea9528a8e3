/** tcpdump as the oracle: the program that libpcap compiles an expression to, and the packets that match it. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileProgram, FilterSyntaxError, type LinkType } from "@wirelab/engine/bpf/index";
import { type CapturedPacket, decodePcap, encodePcap, LINKTYPES, PREFIXED_LINKTYPES } from "./pcap.ts";

const version = spawnSync("tcpdump", ["--version"], { encoding: "utf8" });

/** Programs are compared with those of one libpcap series; others optimise and reject slightly differently. */
export const hasOracle =
  version.status === 0 && /libpcap version 1\.10\./.test(version.stdout + version.stderr);

/** Suffix of the titles of tests that need it. */
export const oracleNote = hasOracle ? "" : " (skipped: tcpdump with libpcap 1.10 is not installed)";

export const REFUSED = "refused";

/** tcpdump's options, and the parser of its output. */
const MODES = {
  program: "-ddd",
  "plain program": "-O -ddd",
  listing: "-d",
  matches: "-w -",
} as const;

type Mode = keyof typeof MODES;

const SHELLS = 2;

/** A capture file as tcpdump's input, and a folder for its output. */
export class OracleCapture {
  readonly #folder = mkdtempSync(join(tmpdir(), "wirelab-bpf-"));

  constructor(linkType: LinkType, packets: readonly CapturedPacket[]) {
    writeFileSync(
      this.#path("capture"),
      encodePcap({ ...LINKTYPES, ...PREFIXED_LINKTYPES }[linkType], packets),
    );
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  /** For each expression the indexes of the matching packets, joined by commas, or REFUSED. */
  matches(expressions: readonly string[]): string[] {
    return this.#run("matches", expressions).map((answer) => {
      if (answer === null) return REFUSED;
      return (decodePcap(answer)?.packets ?? []).map(({ seconds }) => seconds).join();
    });
  }

  /** For each expression tcpdump's program as lines of `code jt jf k`, or REFUSED. Not optimised when `plain`. */
  programs(expressions: readonly string[], plain = false): string[] {
    return this.#run(plain ? "plain program" : "program", expressions).map((answer) =>
      answer === null ? REFUSED : answer.toString().trim().split("\n").slice(1).join("\n"),
    );
  }

  /** For each expression the text of `tcpdump -d`, or REFUSED. */
  listings(expressions: readonly string[]): string[] {
    return this.#run("listing", expressions).map((answer) =>
      answer === null ? REFUSED : answer.toString().trimEnd(),
    );
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  /** One tcpdump per expression, started from a shell, which is many times faster than from this process. */
  #run(mode: Mode, expressions: readonly string[]): (Buffer | null)[] {
    const commands = expressions.map((expression, i) => {
      const text = `'${expression.replaceAll("'", "'\\''")}'`;
      return `tcpdump -r capture ${MODES[mode]} -- ${text} >out.${i} 2>/dev/null || : >failed.${i}`;
    });
    const shares = Array.from({ length: SHELLS }, (_, share) =>
      commands.filter((_, i) => i % SHELLS === share),
    );
    const script = `${shares.map((share) => `(:;${share.join("\n")}\n)&`).join("\n")}\nwait\n`;
    writeFileSync(this.#path("script"), script);
    spawnSync("sh", ["script"], { cwd: this.#folder });
    const answers = expressions.map((_, i) => {
      const refused = existsSync(this.#path(`failed.${i}`));
      return refused ? null : readFileSync(this.#path(`out.${i}`));
    });
    spawnSync("sh", ["-c", "rm -f failed.* out.*"], { cwd: this.#folder });
    return answers;
  }
}

/** The engine's program in the oracle's form. Errors other than FilterSyntaxError are thrown. */
export function ourProgram(expression: string, linkType: LinkType, plain = false): string {
  try {
    const program = compileProgram(expression, linkType, { optimize: !plain });
    return program.map(({ code, jt, jf, k }) => `${code} ${jt} ${jf} ${k}`).join("\n");
  } catch (error) {
    if (error instanceof FilterSyntaxError) return REFUSED;
    throw error;
  }
}
