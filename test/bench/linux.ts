/**
 * `npm run bench:linux`: labs with Linux guests, each in a process of its own, with the processor time of all its threads. Needs the images
 * debian, bird and frr (`wirelab image build`).
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder, imagesFolder } from "@wirelab/linux/image/image";
import { loadLabFile, runLab } from "../../packages/wirelab/index.ts";
import { ospfTorus } from "./ospf-torus.ts";

const EXAMPLES = new URL("../../examples/linux/", import.meta.url);
const example = (name: string): string => readFileSync(new URL(`${name}.lab.yaml`, EXAMPLES), "utf8");

const guests = (count: number, seconds: number): string => {
  const names = Array.from({ length: count }, (_, index) => `h${index}`);
  const nodes = names.map((name, index) => `  ${name}: { type: linux, ports: [10.0.0.${index + 1}/24] }`);
  const links = names.map((name) => `  - ${name} -- sw`);
  return ["nodes:", "  sw: switch", ...nodes, "links:", ...links, `duration: ${seconds}s`, ""].join("\n");
};

/** The path between the ends is all that is expected: no console runs vtysh. */
const pathOnly = (text: string): string =>
  text.replace(/^run:\n(?: .*\n)+/m, "").replace(/^ {2}- \{ console: .*\n/m, "");

const LABS: Readonly<Record<string, () => string>> = {
  "one guest, 1 s": () => guests(1, 1),
  "one guest, 21 s": () => guests(1, 21),
  "one guest, 81 s": () => guests(1, 81),
  "ten guests, 1 s": () => guests(10, 1),
  "two BIRDs to OSPF Full, 60 s": () => example("ospf-bird").replace("duration: 15s", "duration: 60s"),
  "three FRRs to OSPF Full": () => example("ospf-frr"),
  "three FRRs to OSPF Full, configured before": () => example("ospf-frr"),
  "three FRRs to a path": () => pathOnly(example("ospf-frr")),
  "three FRRs to a path, configured before": () => pathOnly(example("ospf-frr")),
  "FRR and BIRD with BGP, 40 s": () => example("ebgp"),
};

/** Measured only when they are named: `npm run bench:linux -- "100 BIRDs in a torus, 40 s"` needs 13 GB and some 10 minutes. */
const LARGE_LABS: Readonly<Record<string, () => string>> = {
  "16 BIRDs in a torus, 40 s": () => ospfTorus(4, 40),
  "100 BIRDs in a torus, 40 s": () => ospfTorus(10, 40),
};

interface Result {
  readonly status: string;
  readonly wallS: number;
  readonly cpuS: number;
  readonly memoryMiB: number;
}

/** The user's images, and no guests that were configured before. */
function emptyCache(): string {
  const cache = mkdtempSync(join(tmpdir(), "wirelab-bench-"));
  symlinkSync(imagesFolder(cacheFolder(process.env)), imagesFolder(cache));
  return cache;
}

const BEFORE = ", configured before";

function measure(name: string, cache: string): Result {
  // The first play of two is that of another process.
  if (name.endsWith(BEFORE)) spawnSync(process.execPath, [script!, name.slice(0, -BEFORE.length), cache]);
  Object.assign(process.env, { WIRELAB_CACHE: cache });
  const file = join(mkdtempSync(join(tmpdir(), "wirelab-bench-")), "bench.lab.yaml");
  writeFileSync(file, (LABS[name] ?? LARGE_LABS[name])!());
  const begin = performance.now();
  const { status } = runLab(loadLabFile(file));
  return {
    status,
    wallS: (performance.now() - begin) / 1e3,
    cpuS: cpuSeconds(),
    memoryMiB: process.resourceUsage().maxRSS / 1024,
  };
}

/** Of all threads of this process. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

const [, script, chosen, givenCache] = process.argv;
if (chosen !== undefined) console.log(JSON.stringify(measure(chosen, givenCache ?? emptyCache())));
else {
  console.log(`load ${loadavg()[0]!.toFixed(1)}`);
  const cpuS = new Map<string, number>();
  for (const name of Object.keys(LABS)) {
    const { stdout } = spawnSync(process.execPath, [fileURLToPath(`file://${script}`), name], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    const result = JSON.parse(stdout) as Result;
    cpuS.set(name, result.cpuS);
    const figures = `${result.wallS.toFixed(1)} s, ${result.cpuS.toFixed(1)} s of processor time, ${Math.round(result.memoryMiB)} MiB`;
    console.log(`${name.padEnd(42)} ${result.status.padEnd(8)} ${figures}`);
  }
  const idleMs = (cpuS.get("one guest, 81 s")! - cpuS.get("one guest, 1 s")!) / 0.08;
  console.log(`a second of a guest that waits: ${idleMs.toFixed(1)} ms of processor time`);
}
