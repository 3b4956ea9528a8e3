/** The output of the consoles of a real and a simulated PC for the same lines, without what may differ. */
import { readFileSync } from "node:fs";
import { Pc } from "@wirelab/engine/devices/pc/index";
import { withoutPrompts } from "../proof/real-time-pc.ts";
import { RealVpcs, UdpCable } from "../proof/real-vpcs.ts";
import { simulatedSpec } from "../proof/simulated-pair.ts";
import { DeviceBench } from "./device-bench.ts";

export interface Printed {
  readonly line: string;
  readonly printed: string;
}

/** The help pages and the banner, which are the program author's text, are replaced. */
const HELP_PAGE = new RegExp(`\\n+${String.fromCharCode(0x1b)}\\[1m[\\s\\S]*`);
const BANNER = /\nWelcome to Virtual PC Simulator, version 0\.8\.3\n[\s\S]*/;

/** Times and the ports of the cable differ from run to run. */
const comparable = (text: string): string =>
  text
    .replace(BANNER, "(banner)\n")
    .replace(HELP_PAGE, "(help page)\n")
    .replaceAll(/\d+\.\d{3} ?ms/g, "T ms")
    .replaceAll(/\d+ +127\.0\.0\.1:\d+/g, "PORTS")
    .replaceAll(/^((?:LPORT|RHOST:PORT) +): .*$/gm, "$1: PORT")
    .replace(/\n+$/, "\n");

/** The output of VPCS 0.8.3, in groups that each begin with a new PC. test/fixtures/README.md says how it was recorded. */
export const RECORDING = new URL("../../fixtures/vpcs/console-0.8.3.jsonl", import.meta.url);

export const recordedConsole: Printed[][] = readFileSync(RECORDING, "utf8")
  .trimEnd()
  .split("\n\n")
  .map((group) => group.split("\n").map((text) => JSON.parse(text)));

/** Types the lines at a new simulated PC, one after another. */
export function simulatedConsole(lines: readonly string[]): Printed[] {
  const bench = new DeviceBench();
  const pc = bench.add("A", (world) => new Pc(simulatedSpec(0), world));
  pc.start();
  bench.run();
  return lines.map((line) => ({ line, printed: comparable(withoutPrompts(bench.type("A", line))) }));
}

/** Types the lines at a new process of the real program. */
export async function realConsole(lines: readonly string[]): Promise<Printed[]> {
  const cable = await UdpCable.open("A");
  const real = await RealVpcs.start(cable, 0);
  const all: Printed[] = [];
  try {
    for (const line of lines) all.push({ line, printed: comparable(await real.type(line)) });
  } finally {
    await real.stop();
    cable.close();
  }
  return all;
}
