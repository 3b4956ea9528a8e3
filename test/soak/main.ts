/**
 * `npm run soak`: a long rehearsal of `npm start` on this machine. Each stage has data of its own; at its end, each acknowledged change must
 * be there, and no reference may dangle. Exits with 1 when anything was wrong.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startLocalStack } from "../../infra/local/local-stack.ts";
import { danglingReferences } from "../helpers/stores/store-checker.ts";
import { makeClock } from "./clock.ts";
import { fillDisk, mountSmallDisk } from "./disk.ts";
import { abortHandshakes, hearNothing, readSlowly } from "./disturb.ts";
import { growthOf, MOST_GROWTH } from "./flat.ts";
import { type Load, startLoad } from "./load.ts";
import { Service } from "./service.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    "round-seconds": { type: "string", default: "40" },
    connections: { type: "string", default: "100" },
    minutes: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    only: { type: "string", multiple: true },
    port: { type: "string", default: "3273" },
  },
});
const [rounds, roundSeconds, connections, minutes, seed, port] = [
  values.rounds,
  values["round-seconds"],
  values.connections,
  values.minutes,
  values.seed,
  values.port,
].map(Number) as [number, number, number, number, number, number];

/** Acknowledged changes of each kind that make the rounds of kills worth the name. */
const LEAST_OF_A_KIND = 100;
const MEASURE_EVERY_MS = 10_000;
const HOUR_S = 3_600;

interface Stage {
  readonly folder: string;
  readonly say: (line: string) => void;
}

/** @returns what was wrong, or why the stage was skipped. */
type RunStage = (stage: Stage) => Promise<readonly string[] | { readonly skipped: string }>;

/** The fewest acknowledged changes of a route, with its name. */
function fewest(load: Load): string {
  const [least] = [...load.acknowledged()].sort(([, a], [, b]) => a - b);
  return least === undefined ? "none" : `${least[1]} of ${least[0]}`;
}

const STAGES: Readonly<Record<string, RunStage>> = {
  async kills({ folder, say }) {
    const service = new Service(folder, port);
    await service.start();
    const load = await startLoad(service.base, connections, seed);
    const problems: string[] = [];
    for (let round = 1; round <= rounds; round++) {
      await sleep(roundSeconds * 1000);
      service.kill();
      const beginMs = performance.now();
      await service.start();
      const changes = [...load.acknowledged().values()].reduce((sum, each) => sum + each, 0);
      const tookS = ((performance.now() - beginMs) / 1000).toFixed(1);
      say(
        `round ${round}: up again after ${tookS} s; ${changes} changes acknowledged, the fewest ${fewest(load)}`,
      );
    }
    problems.push(...(await load.end()));
    const rare = [...load.acknowledged()].filter(([, count]) => count < LEAST_OF_A_KIND);
    say(
      `fewer than ${LEAST_OF_A_KIND} changes: ${rare.map(([route, count]) => `${route} ${count}`).join(", ") || "none"}`,
    );
    await service.stop();
    return problems;
  },

  async clock({ folder, say }) {
    const clock = makeClock(folder);
    if (clock === undefined) return { skipped: "libfaketime is not installed" };
    const service = new Service(join(folder, "data"), port, clock.environment);
    await service.start();
    const load = await startLoad(service.base, Math.min(connections, 20), seed);
    for (const offsetS of [0, 25 * HOUR_S, 0, -25 * HOUR_S, 0]) {
      clock.set(offsetS);
      await sleep(roundSeconds * 1000);
      say(`the clock is ${offsetS / HOUR_S} h off: the fewest acknowledged ${fewest(load)}`);
    }
    const problems = await load.end();
    await service.stop();
    // A switch forgets addresses that it has not heard for five minutes.
    return problems.filter((problem) => !/getMacTable: \[\]$/.test(problem));
  },

  async "full-disk"({ folder }) {
    const disk = join(folder, "disk");
    const unmount = mountSmallDisk(disk);
    if (unmount === undefined) return { skipped: "a small disk needs root" };
    try {
      const service = new Service(join(disk, "data"), port);
      await service.start();
      const problems = await fillDisk(service, disk);
      await service.stop();
      return [...problems, ...(await findDangling(join(disk, "data")))];
    } finally {
      unmount();
    }
  },

  async "two-starts"({ folder }) {
    const first = new Service(folder, port);
    await first.start();
    const second = await new Service(folder, port + 1).start().then(
      () => "a second start on the same folder did not fail",
      (error: Error) => (/is in use by another instance/.test(error.message) ? undefined : error.message),
    );
    const { ok } = await fetch(`${first.base}/version`);
    await first.stop();
    return [...(second === undefined ? [] : [second]), ...(ok ? [] : ["the first start has ended"])];
  },

  async mixed({ folder, say }) {
    const service = new Service(folder, port);
    await service.start();
    const base = new URL(service.base);
    const load = await startLoad(service.base, connections, seed);
    const idle = Array.from({ length: 50 }, () => hearNothing(base));
    idle.push(...["/projects", "/openapi.json"].map((path) => readSlowly(base, path)));
    const used: ReturnType<Service["measure"]>[] = [];
    const beginMs = performance.now();
    while (performance.now() - beginMs < minutes * 60_000) {
      await abortHandshakes(base, 20);
      await sleep(MEASURE_EVERY_MS);
      used.push(service.measure());
    }
    for (const end of idle) end();
    const problems = [...(await load.end())];
    for (const name of ["memoryMb", "descriptors"] as const) {
      const growth = growthOf(used.map((each) => each[name]));
      const [from, to] = [used[Math.floor(used.length / 4)]!, used.at(-1)!].map((each) =>
        Math.round(each[name]),
      );
      say(`${name}: ${from} after a quarter of the time, ${to} at the end`);
      if (growth > MOST_GROWTH) problems.push(`${name} has grown by ${Math.round(growth * 100)} %`);
    }
    await service.stop();
    return problems;
  },
};

async function findDangling(dataDir: string): Promise<readonly string[]> {
  const stack = await startLocalStack({ dataDir, port: 0, quiet: true, schedules: false });
  try {
    return await danglingReferences(stack);
  } finally {
    await stack.stop();
  }
}

const names = values.only ?? Object.keys(STAGES);
for (const name of names) {
  const stage = STAGES[name];
  if (stage === undefined) {
    console.error(`--only ${name} is no stage: ${Object.keys(STAGES).join(", ")}`);
    process.exit(2);
  }
  const folder = mkdtempSync(join(tmpdir(), `wirelab-soak-${name}-`));
  const beginMs = performance.now();
  const outcome = await stage({ folder, say: (line) => console.log(`  ${line}`) });
  const minutesTaken = ((performance.now() - beginMs) / 60_000).toFixed(1);
  if ("skipped" in outcome) console.log(`${name}: skipped, because ${outcome.skipped}`);
  else {
    const problems = [
      ...outcome,
      ...(name === "kills" || name === "mixed" ? await findDangling(folder) : []),
    ];
    console.log(`${name}: ${problems.length} wrong, in ${minutesTaken} minutes`);
    for (const problem of problems.slice(0, 50)) console.log(`  ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
  rmSync(folder, { recursive: true, force: true });
}
