/** tcpdump as the oracle: what libpcap compiles an expression to, and which packets it keeps. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileProgram, FilterSyntaxError, type LinkType } from "../../functions/engine/bpf/index.ts";
import { type CapturedPacket, decodePcap, encodePcap, LINKTYPES } from "./bpf-pcap.ts";

const version = spawnSync("tcpdump", ["--version"], { encoding: "utf8" });

/** Programs are compared with those of one libpcap series; others optimise, and refuse, a little differently. */
export const hasOracle =
  version.status === 0 && /libpcap version 1\.10\./.test(version.stdout + version.stderr);

/** For the titles of tests that do not run without it. */
export const oracleNote = hasOracle ? "" : " (skipped: tcpdump with libpcap 1.10 is not installed)";

export const REFUSED = "refused";

/** tcpdump's options, and how its output is read. */
const MODES = {
  program: "-ddd",
  "plain program": "-O -ddd",
  listing: "-d",
  matches: "-w -",
} as const;

type Mode = keyof typeof MODES;

const SHELLS = 2;

/** A capture file for tcpdump to read, and a folder for its answers. */
export class OracleCapture {
  readonly #folder = mkdtempSync(join(tmpdir(), "wirelab-bpf-"));

  constructor(linkType: LinkType, packets: readonly CapturedPacket[]) {
    writeFileSync(this.#path("capture"), encodePcap(LINKTYPES[linkType], packets));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  /** Per expression the packets tcpdump keeps, as their indexes joined by commas, or REFUSED. */
  matches(expressions: readonly string[]): string[] {
    return this.#run("matches", expressions).map((answer) => {
      if (answer === null) return REFUSED;
      return (decodePcap(answer)?.packets ?? []).map(({ seconds }) => seconds).join();
    });
  }

  /** Per expression the program tcpdump makes, as lines of `code jt jf k`, or REFUSED. Not optimised when `plain`. */
  programs(expressions: readonly string[], plain = false): string[] {
    return this.#run(plain ? "plain program" : "program", expressions).map((answer) =>
      answer === null ? REFUSED : answer.toString().trim().split("\n").slice(1).join("\n"),
    );
  }

  /** Per expression the text of `tcpdump -d`, or REFUSED. */
  listings(expressions: readonly string[]): string[] {
    return this.#run("listing", expressions).map((answer) =>
      answer === null ? REFUSED : answer.toString().trimEnd(),
    );
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  /** One tcpdump per expression, started from a shell: many times cheaper than from this process. */
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

/** Our program in the oracle's form. Anything thrown but FilterSyntaxError goes through. */
export function ourProgram(expression: string, linkType: LinkType, plain = false): string {
  try {
    const program = compileProgram(expression, linkType, { optimize: !plain });
    return program.map(({ code, jt, jf, k }) => `${code} ${jt} ${jf} ${k}`).join("\n");
  } catch (error) {
    if (error instanceof FilterSyntaxError) return REFUSED;
    throw error;
  }
}
