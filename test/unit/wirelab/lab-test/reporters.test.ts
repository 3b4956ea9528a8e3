import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { findClient } from "../../../helpers/service/clients.ts";
import { FIXTURE } from "../run-cli.ts";
import { problemsOfJunit } from "./junit-schema.ts";
import { BROKEN, GOOD, runTest, TWO_PCS, writeLabs } from "./labs.ts";

const ODD = `${TWO_PCS}expect:
  - {name: "a <b> & \\"c\\" # d \\\\ \\u0007", not reach: pc1 -> pc2}
  - {name: "100%, or: less", not reach: pc1 -> pc2}
`;
const { files, folder } = writeLabs({
  good: GOOD,
  broken: BROKEN,
  odd: ODD,
  endless: `${GOOD}limits: {events: 1}\n`,
  wrong: `${TWO_PCS}expect:\n  - reech: pc1 -> pc2\n`,
});
const all = Object.values(files);

afterEach(() => vi.unstubAllEnvs());

async function report(reporter: string, ...args: string[]): Promise<string> {
  return (await runTest(["--reporter", reporter, ...args])).stdout.toString();
}

describe("junit", () => {
  test("follows the schema of JUnit's XML for passed, failed, undecided and unreadable labs, seeds and sweeps", async () => {
    expect(problemsOfJunit(await report("junit", ...all))).toEqual([]);
    expect(
      problemsOfJunit(await report("junit", files.broken, "--seeds", "2", "--sweep", "links=1")),
    ).toEqual([]);
    expect(problemsOfJunit(await report("junit", join(folder, "*.none")))).toEqual([]);
  });

  const xsd = findClient("junit-10.xsd");
  const hasXmllint = spawnSync("xmllint", ["--version"]).status === 0;
  const validate = (input: string) => {
    const args = ["--noout", "--nonet", "--schema", xsd!, "-"];
    const { status, stderr } = spawnSync("xmllint", args, { input });
    return { status, message: stderr.toString() };
  };

  test.skipIf(xsd === undefined || !hasXmllint)(
    "is valid to xmllint by the schema of Jenkins's xUnit plugin (needs xmllint, and the schema from test/clients/fetch.sh)",
    async () => {
      const text = await report("junit", ...all);
      expect(validate(text)).toMatchObject({ status: 0 });
      const varied = await report("junit", files.broken, "--seeds", "2", "--sweep", "links=1");
      expect(validate(varied)).toMatchObject({ status: 0 });
      expect(validate(await report("junit", join(folder, "*.none")))).toMatchObject({ status: 0 });
      for (const [from, to] of [
        [' tests="2"', ""],
        ["<testcase ", "<testcase lab='x' "],
        ["<system-err/>", "<system-error/>"],
      ] as const)
        expect(validate(text.replace(from, to)).message).toContain("Schemas validity error");
    },
  );

  test("the schema's rules find a missing attribute, a wrong order, a wrong count and a wrong type", async () => {
    const text = await report("junit", ...all);
    for (const [from, to] of [
      [' hostname="localhost"', ""],
      ["    <properties/>\n", ""],
      ['tests="2"', 'tests="3"'],
      ['time="0.', 'time="x0.'],
      ["<testcase ", "<testcase lab='x' "],
      ["<system-err/>", "<system-error/>"],
    ] as const) {
      expect(problemsOfJunit(text.replace(from, to))).not.toEqual([]);
    }
  });

  test("has a failure with its message, and an error for what could not be decided", async () => {
    const text = await report("junit", ...all);
    expect(text).toContain('message="expected a reply in 3 tries, got no reply');
    expect(text).toContain('name="a &lt;b&gt; &amp; &quot;c&quot; # d \\ \ufffd"');
    expect(text.match(/<error /g)).toHaveLength(2);
  });
});

describe("tap", () => {
  test("has a plan, a point for each expectation, and a YAML block for those that fail", async () => {
    const lines = (await report("tap", files.broken, files.odd)).split("\n");
    expect(lines.slice(0, 4)).toEqual([
      "TAP version 14",
      "1..4",
      "ok 1 - broken: before",
      "not ok 2 - broken: after",
    ]);
    expect(lines.slice(4, 7)).toEqual(["  ---", "  {", '    "status": "failed",']);
    expect(lines).toContain('not ok 3 - odd: a <b> & "c" \\# d \\\\ \u0007');
    expect(await report("tap", join(folder, "*.none"))).toContain("1..0 # SKIP nothing to run");
    expect(await report("tap", files.wrong)).toContain(`not ok 1 - ${files.wrong}\n`);
    expect(await report("tap", files.broken, files.good, "--bail")).toContain("# ended at the first failure");
  });
});

describe("json", () => {
  test("is a list of labs with a report for each seed and each combination of failures", async () => {
    const json = JSON.parse(
      await report("json", files.good, files.wrong, "--seed", "7", "--fail", "link:wan"),
    );
    expect(json).toMatchObject({
      exit_code: 1,
      cut: false,
      labs: [
        {
          file: files.good,
          name: "good",
          expectations: 1,
          cases: [
            {
              seed: "7",
              failures: [{ kind: "link", name: "wan" }],
              report: { status: "failed", seed: "7", verdicts: [{ kind: "reach", status: "failed" }] },
            },
          ],
        },
        { file: files.wrong, cases: [], problem: expect.stringContaining("is not an expectation") },
      ],
    });
  });
});

describe("github", () => {
  test("annotates the line of each expectation that does not hold, once", async () => {
    const one = await report("github", files.broken);
    expect(one).toMatch(
      new RegExp(`^::error file=${files.broken},line=10,col=5,title=after::expected a reply`),
    );
    expect(one.trimEnd().split("\n")).toHaveLength(1);
    const many = await report("github", files.broken, "--seeds", "3");
    expect(many).toContain("::3 of 3 runs; first: seed 1%0Aexpected a reply");
    expect(await report("github", files.odd)).toContain("title=100%25%2C or%3A less::");
    expect(await report("github", files.wrong)).toContain(
      `::error file=${files.wrong},line=7,col=5::expect[0].reech is not`,
    );
  });

  test("appends a table and the failures to the summary of the job", async () => {
    const summary = join(folder, "summary.md");
    vi.stubEnv("GITHUB_STEP_SUMMARY", summary);
    await report("github", files.good, files.broken, files.wrong);
    const text = readFileSync(summary, "utf8");
    expect(text).toContain(`| ${files.good} | passed | 1 | 1 | 0 | 0 |\n`);
    expect(text).toContain(`| ${files.broken} | failed | 1 | 1 | 1 | 0 |\n`);
    expect(text).toContain("<details><summary>broken: after</summary>\n\n    expected: a reply in 3 tries\n");
    expect(text).toContain("expect[0].reech is not an expectation");
  });
});

describe("pretty", () => {
  test("has colours on a terminal only, and none with NO_COLOR", async () => {
    const coloured = async () =>
      (await runTest([files.broken], { stdoutIsTTY: true })).stdout.toString().includes("\u001b[31mFAIL");
    vi.stubEnv("NO_COLOR", "");
    expect(await coloured()).toBe(true);
    expect(await report("pretty", files.broken)).not.toContain("\u001b");
    vi.stubEnv("NO_COLOR", "1");
    expect(await coloured()).toBe(false);
  });
});

test("writes several reports at once, and makes the folders of their files", async () => {
  const target = join(folder, "deep/er");
  const { code, stdout } = await runTest([
    files.broken,
    ...["--reporter", "github", "--reporter", "pretty"],
    ...["--reporter", `junit=${target}/junit.xml`, "--reporter", `json=${target}/labs.json`],
  ]);
  expect(code).toBe(1);
  expect(stdout.toString()).toContain("::error file=");
  expect(stdout.toString()).toContain("1 lab: 1 failed");
  expect(problemsOfJunit(readFileSync(join(target, "junit.xml"), "utf8"))).toEqual([]);
  expect(JSON.parse(readFileSync(join(target, "labs.json"), "utf8")).exit_code).toBe(1);
});

test("exits with 2 if a report cannot be written", async () => {
  const { code, stderr } = await runTest([files.good, "--reporter", `tap=${FIXTURE}/x/tap`]);
  expect(code).toBe(2);
  expect(stderr).toContain("cannot write");
});
