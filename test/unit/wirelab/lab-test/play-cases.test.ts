import { describe, expect, test } from "vitest";
import { playCases } from "../../../../packages/wirelab/lab-test/play-cases.ts";
import { readLab } from "../../../../packages/wirelab/lab-test/play-labs.ts";
import { makeProgressBar } from "../../../../packages/wirelab/lab-test/progress-bar.ts";
import { parseSettings } from "../../../../packages/wirelab/lab-test/settings.ts";
import type { PlayedLab } from "../../../../packages/wirelab/lab-test/work.ts";
import { playInWorkers } from "../../../../packages/wirelab/lab-test/workers.ts";
import { RING, runTest, writeLabs } from "./labs.ts";

const { files } = writeLabs({ ring: RING });
const lab = readLab(
  files.ring,
  parseSettings([files.ring, "--sweep", "links=3", "--seeds", "2"]),
) as PlayedLab;
const work = lab.cases.map((settings) => ({ lab: 0, settings }));
const play = async (jobs: number, isBailing: boolean) => {
  const counts: number[] = [];
  const onProgress = (done: number) => void counts.push(done);
  const results = await playCases([lab], work, {
    jobs,
    isBailing,
    hasMatrix: true,
    captures: ".wirelab",
    onProgress,
    aloneMs: 0,
  });
  return { results: results.map(({ wallMs: _, ...rest }) => rest), counts };
};

describe("playCases", () => {
  test("returns the same results for any number of workers, in the order of the work", async () => {
    const alone = await play(1, false);
    expect(alone.results).toHaveLength(16);
    const shared = await play(2, false);
    expect(shared.results).toEqual(alone.results);
    expect(shared.counts.at(-1)).toBe(16);
  });

  test("ends at the first failure in the order of the work, for any number of workers", async () => {
    const alone = await play(1, true);
    expect(alone.results).toHaveLength(2);
    expect((await play(2, true)).results).toEqual(alone.results);
  });

  test("reports the error of a worker", async () => {
    const broken = { ...lab, text: "nodes: {" };
    const options = {
      jobs: 2,
      isBailing: false,
      hasMatrix: false,
      captures: ".wirelab",
      onProgress: () => {},
    };
    await expect(playInWorkers([broken], work, options)).rejects.toThrow("is not YAML");
  });
});

test("--jobs changes nothing in what is printed", async () => {
  const printed = async (jobs: string) => {
    const { stdout } = await runTest([files.ring, "--sweep", "links=2", "--jobs", jobs]);
    return stdout.toString().replace(/\([0-9.]+ s\)/, "");
  };
  expect(await printed("2")).toBe(await printed("1"));
});

describe("the progress bar", () => {
  const bar = (isTTY: boolean, times: number[]) => {
    const written: string[] = [];
    const stderr = { isTTY, write: (text: string) => written.push(text) > 0 };
    return { written, bar: makeProgressBar({ stderr } as never, () => times.shift()!) };
  };

  test("shows the share of cases after a while, now and then, and removes itself", () => {
    const { written, bar: shown } = bar(true, [0, 100, 350, 400, 460]);
    for (const done of [1, 2, 3, 4]) shown.show(done, 4);
    shown.end();
    expect(written).toEqual([
      `\r[${"#".repeat(15)}${".".repeat(15)}] 2 of 4`,
      `\r[${"#".repeat(30)}] 4 of 4`,
      "\r\u001b[K",
    ]);
  });

  test("is absent without a terminal, and for a run that ends soon", () => {
    const { written, bar: none } = bar(false, []);
    none.show(1, 2);
    none.end();
    const { written: short, bar: quick } = bar(true, [0, 100]);
    quick.show(1, 1);
    quick.end();
    expect([...written, ...short]).toEqual([]);
  });
});
