import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BROKEN, GOOD, RING, runTest, TWO_PCS, writeLabs } from "./labs.ts";

const { files, folder } = writeLabs({
  good: GOOD,
  broken: BROKEN,
  ring: RING,
  idle: TWO_PCS,
  wrong: `${TWO_PCS}expect:\n  - reech: pc1 -> pc2\n`,
  endless: `${GOOD}limits: {events: 1}\n`,
  scripted: `${TWO_PCS}run:\n  - {at: 1s, up: wan}\nexpect:\n  - reach: pc1 -> pc2\n`,
});

const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await runTest([...args]);
  return { code, out: stdout.toString(), err: stderr };
};

describe("wirelab test", () => {
  test("exits with 0 when all expectations hold", async () => {
    const { code, out } = await run(files.good);
    expect(code).toBe(0);
    expect(out).toMatch(/^lab +runs +passed/);
    expect(out).toContain("1 lab: 1 passed");
  });

  test("exits with 1 when an expectation fails, and shows its place, what was expected and what was got", async () => {
    const { code, out } = await run(files.broken);
    expect(code).toBe(1);
    expect(out).toContain(`FAIL ${files.broken}`);
    expect(out).toContain(
      `  x after\n    ${files.broken}:10:5\n    expected  a reply in 3 tries\n    got       no reply`,
    );
    expect(out).not.toContain("x before");
  });

  test("exits with 2 for a file with a problem, and names its line and column", async () => {
    const { code, out } = await run(files.wrong);
    expect(code).toBe(2);
    expect(out).toContain(`${files.wrong}:7:5: expect[0].reech is not an expectation. Did you mean "reach"?`);
  });

  test("exits with 2 for a file that does not exist, and for a run that reached a limit", async () => {
    expect(await run(join(folder, "none.lab.yaml"))).toMatchObject({
      code: 2,
      err: `wirelab: cannot read ${join(folder, "none.lab.yaml")}: there is no such file\n`,
    });
    const { code, out } = await run(files.endless);
    expect(code).toBe(2);
    expect(out).toContain("the run reached its limit of events");
  });

  test("exits with 1 if one lab failed and another could not be read", async () => {
    expect((await run(files.wrong, files.broken)).code).toBe(1);
  });

  test("exits with 3 when there is nothing to run", async () => {
    expect((await run(files.idle)).code).toBe(3);
    expect((await run(join(folder, "*.nothing.lab.yaml"))).code).toBe(3);
    expect((await run(files.good, "--filter", "no such name")).code).toBe(3);
  });

  test("finds lab files in a folder, but not in node_modules or hidden folders", async () => {
    const found = writeLabs({ a: GOOD }).folder;
    for (const below of ["deep", "node_modules", ".hidden"]) {
      mkdirSync(join(found, below));
      writeFileSync(join(found, below, "b.lab.yaml"), GOOD);
      writeFileSync(join(found, below, "c.yaml"), GOOD);
    }
    const { out } = await run(found);
    expect(out.match(/\S+\.lab\.yaml/g)).toEqual([join(found, "a.lab.yaml"), join(found, "deep/b.lab.yaml")]);
  });

  test("judges only expectations or labs whose name contains the filter", async () => {
    expect((await run(files.broken, "--filter", "before")).code).toBe(0);
    expect((await run(files.broken, "--filter", "after")).code).toBe(1);
    expect((await run(files.broken, files.good, "--filter", "good")).out).toContain(
      "2 labs: 1 passed, 1 without anything to check",
    );
  });

  test("fails a link or a node from the timeline's start, and keeps it failed", async () => {
    expect((await run(files.good, "--fail", "link:wan")).code).toBe(1);
    expect((await run(files.good, "--fail", "node:pc2")).code).toBe(1);
    expect((await run(files.scripted, "--fail", "link:wan")).code).toBe(1);
    const unknown = await run(files.good, "--fail", "link:lan");
    expect(unknown.code).toBe(2);
    expect(unknown.out).toContain('--fail link:lan: the lab has no link "lan"; it has wan');
  });

  test("reports each combination of a sweep that fails", async () => {
    const { code, out } = await run(files.ring, "--sweep", "links=2,nodes=1");
    expect(code).toBe(1);
    // No failure, 3 links, 3 pairs of links, 4 nodes.
    expect(out).toContain("1 of 11 combinations pass");
    expect(out).toMatch(/link:pc1-sw1 \+ link:main +failed/);
    expect(out).toMatch(/node:sw2 +failed/);
  });

  test("says that seeds are one run where nothing is random, and how many runs differ", async () => {
    const same = await run(files.good, "--seeds", "5");
    expect(same.out).toContain(
      "5 of 5 seeds pass; all are the same run, because nothing in this lab is random",
    );
    const json = JSON.parse((await run(files.good, "--seeds", "5", "--reporter", "json")).out);
    expect(json.labs[0].distinct_runs).toBe(1);
    const lossy = join(folder, "lossy.lab.yaml");
    writeFileSync(lossy, GOOD.replace("name: wan", "name: wan, filters: {packet_loss: 5}"));
    const drawn = await run(lossy, "--seeds", "20");
    const [, count] = /; ([0-9]+) of the runs are different/.exec(drawn.out)!;
    // Most seeds lose nothing.
    expect(Number(count)).toBeGreaterThan(2);
    expect(Number(count)).toBeLessThan(20);
  });

  test("shows which PCs reach each other under each failure of a link", async () => {
    const { code, out } = await run(files.idle, "--matrix");
    expect(code).toBe(0);
    expect(out).toContain(
      "reachable   pc1>pc2  pc2>pc1\n  no failure  yes      yes\n  link:wan    no       no\n",
    );
  });

  test("stops at the first failure with --bail", async () => {
    const { out, code } = await run("--bail", files.ring, "--sweep", "links=1");
    expect(code).toBe(1);
    expect(out).toContain("1 of 2 combinations pass");
    expect(out).toContain("ended at the first failure");
  });

  test.each([
    [["--seed", "1", "--seeds", "2"], "--seed and --seeds exclude each other"],
    [["--sweep", "links=1", "--fail", "link:a"], "--sweep and --fail exclude each other"],
    [["--update", "--seed", "2"], "--update writes the digest of the file's own seed"],
    [["--seeds", "0"], '--seeds must be an integer from 1 to 1000000, got "0"'],
    [["--jobs", "x"], '--jobs must be an integer from 1 to 256, got "x"'],
    [["--sweep", "cables=1"], "--sweep must be links=N, nodes=N or both"],
    [["--sweep", "links=9"], '--sweep links must be an integer from 1 to 3, got "9"'],
    [["--fail", "wan"], '--fail must be link:NAME or node:NAME, got "wan"'],
    [
      ["--reporter", "xml"],
      '--reporter "xml" is not known; the reporters are pretty, junit, json, tap, github',
    ],
    [["--reporter", "junit="], '--reporter junit= needs a file after "="'],
    [["--reporter", "tap", "--reporter", "json"], "write --reporter json=FILE"],
  ])("refuses %j", async (args, message) => {
    const { code, err } = await run(...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
