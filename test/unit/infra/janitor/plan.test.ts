/** What the janitor deletes, and what it keeps because it has no proof. */
import { describe, expect, test } from "vitest";
import {
  type Account,
  type AccountStack,
  planRemovals,
  type Remembered,
} from "../../../../infra/janitor/plan.ts";
import { assetsIn } from "../../../../infra/janitor/templates.ts";

const NOW_MS = Date.parse("2030-01-31T18:00Z");
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PAST = "2030-01-31T17:59Z";

const stack = (changed: Partial<AccountStack> = {}): AccountStack => ({
  id: `arn:${changed.name ?? "ci-1"}`,
  name: "ci-1",
  status: "CREATE_COMPLETE",
  description: "Wirelab: a network emulation service without servers",
  tags: { "wirelab-lifetime": "ephemeral", expires: PAST },
  createdMs: NOW_MS - 5 * HOUR_MS,
  deletedMs: undefined,
  isNested: false,
  isProtected: false,
  ...changed,
});
const gone = (changed: Partial<AccountStack> = {}): AccountStack =>
  stack({ status: "DELETE_COMPLETE", deletedMs: NOW_MS - HOUR_MS, ...changed });

const account = (changed: Partial<Account>): Account => ({
  nowMs: NOW_MS,
  stacks: [],
  remembered: new Map(),
  logGroups: [],
  secrets: [],
  ...changed,
});
const remembers = (of: AccountStack, what: Partial<Remembered>) =>
  new Map([[of.id, { functions: [], restApis: [], assets: [], ...what }]]);

const namesIn = (changed: Partial<Account>): string[] =>
  planRemovals(account(changed)).removals.map(({ kind, name }) => `${kind} ${name}`);

describe("a stack that stands", () => {
  test("is deleted when its tag is over, also after it failed", () => {
    for (const status of [
      "CREATE_COMPLETE",
      "ROLLBACK_COMPLETE",
      "DELETE_FAILED",
      "UPDATE_ROLLBACK_FAILED",
      "REVIEW_IN_PROGRESS",
    ]) {
      const { removals, kept } = planRemovals(account({ stacks: [stack({ status })] }));
      expect(removals).toEqual([
        { kind: "stack", id: "arn:ci-1", name: "ci-1", why: `it expired at ${PAST}` },
      ]);
      expect(kept).toEqual([]);
    }
  });

  test.each<[string, Partial<AccountStack>]>([
    ["it has no tag expires", { tags: { "wirelab-lifetime": "ephemeral" } }],
    [
      "it expires at 2030-01-31T18:01Z",
      { tags: { "wirelab-lifetime": "ephemeral", expires: "2030-01-31T18:01Z" } },
    ],
    [
      'its tag expires is "soon", which is no time in UTC',
      { tags: { "wirelab-lifetime": "ephemeral", expires: "soon" } },
    ],
    [
      'its tag expires is "2030-01-31", which is no time in UTC',
      { tags: { "wirelab-lifetime": "ephemeral", expires: "2030-01-31" } },
    ],
    [
      'its tag expires is "2030-13-01T00:00Z", which is no time in UTC',
      { tags: { "wirelab-lifetime": "ephemeral", expires: "2030-13-01T00:00Z" } },
    ],
    ["it has termination protection", { isProtected: true }],
    [
      "CloudFormation is at work on it (CREATE_IN_PROGRESS); the next call looks again",
      { status: "CREATE_IN_PROGRESS" },
    ],
    [
      "CloudFormation is at work on it (DELETE_IN_PROGRESS); the next call looks again",
      { status: "DELETE_IN_PROGRESS" },
    ],
  ])("stays, with the reason: %s", (why, changed) => {
    expect(planRemovals(account({ stacks: [stack(changed)] }))).toEqual({
      removals: [],
      kept: [{ name: "ci-1", why }],
    });
  });

  test.each<[string, Partial<AccountStack>]>([
    ["of another project", { description: "Something else" }],
    ["of another project with a similar name", { description: "Wirelabels" }],
    ["without the tag", { tags: { expires: PAST } }],
    ["with another value of the tag", { tags: { "wirelab-lifetime": "lasting", expires: PAST } }],
    ["inside another", { isNested: true }],
  ])("is not looked at when it is one %s", (_what, changed) => {
    expect(planRemovals(account({ stacks: [stack(changed)] }))).toEqual({ removals: [], kept: [] });
  });
});

describe("log groups", () => {
  const owner = gone();
  const remembered = remembers(owner, { functions: ["ci-1-CustomS3Auto-abc"], restApis: ["a1b2c3"] });
  const logGroups = [
    "/aws/lambda/ci-1-CustomS3Auto-abc",
    "API-Gateway-Execution-Logs_a1b2c3/v2",
    "/aws/lambda/ci-1-CustomS3Auto-other",
    "/aws/lambda/ci-1",
    "API-Gateway-Execution-Logs_a1b2c3d/v2",
    "/aws/lambda/mine",
  ].map((name) => ({ name, createdMs: 0 }));

  test("are deleted when they are of functions and APIs of a deleted ephemeral stack, and no others of similar names", () => {
    expect(namesIn({ stacks: [owner], remembered, logGroups })).toEqual([
      "log group /aws/lambda/ci-1-CustomS3Auto-abc",
      "log group API-Gateway-Execution-Logs_a1b2c3/v2",
    ]);
  });

  test("stay while their stack stands, and when the deleted stack was a lasting one", () => {
    expect(
      namesIn({ stacks: [stack({ tags: { "wirelab-lifetime": "ephemeral" } })], remembered, logGroups }),
    ).toEqual([]);
    expect(namesIn({ stacks: [gone({ tags: {} })], remembered, logGroups })).toEqual([]);
  });
});

describe("secrets", () => {
  const during = NOW_MS - 2 * HOUR_MS;
  const secret = (name: string, createdMs = during) => ({ arn: `arn:${name}`, name, createdMs });

  test("are deleted when they are of computes of a deleted ephemeral stack, and as old as it", () => {
    const secrets = [
      secret("ci-1/computes/vm"),
      secret("ci-1/computes/late", NOW_MS),
      secret("ci-1/computes/early", NOW_MS - 6 * HOUR_MS),
      secret("ci-10/computes/vm"),
      secret("ci-1/other"),
      secret("x/ci-1/computes/vm"),
    ];
    expect(namesIn({ stacks: [gone()], secrets })).toEqual(["secret ci-1/computes/vm"]);
  });

  test("stay when a stack of the name stands, when its time is unknown, and when it was a lasting one", () => {
    const secrets = [secret("ci-1/computes/vm")];
    const later = stack({ id: "arn:later", tags: {}, description: "Something else" });
    expect(namesIn({ stacks: [gone(), later], secrets })).toEqual([]);
    expect(namesIn({ stacks: [gone({ deletedMs: undefined })], secrets })).toEqual([]);
    expect(namesIn({ stacks: [gone({ tags: {} })], secrets })).toEqual([]);
  });
});

describe("assets", () => {
  const owner = gone();
  const remembered = remembers(owner, { assets: ["old.zip", "used.zip", "new.zip"] });
  const modifiedMs = NOW_MS - 8 * DAY_MS;
  const assets = {
    bucket: "assets",
    stored: [
      { key: "old.zip", modifiedMs },
      { key: "used.zip", modifiedMs },
      { key: "new.zip", modifiedMs: NOW_MS - 6 * DAY_MS },
      { key: "of-others.zip", modifiedMs },
    ],
    used: new Set(["used.zip"]),
  };

  test("are deleted when a deleted ephemeral stack named them a week ago, and no stack does now", () => {
    expect(namesIn({ stacks: [owner], remembered, assets })).toEqual(["asset old.zip"]);
  });

  test("stay when they are not asked for, and while any stack is being deployed", () => {
    expect(namesIn({ stacks: [owner], remembered })).toEqual([]);
    for (const status of ["UPDATE_IN_PROGRESS", "REVIEW_IN_PROGRESS"]) {
      const other = stack({ id: "arn:other", name: "other", description: "Something else", status });
      expect(namesIn({ stacks: [owner, other], remembered, assets })).toEqual([]);
    }
  });

  test("are named by the hashes in a template, and by the template's own", () => {
    const hash = "a".repeat(64);
    const template = `{"S3Key":"${hash}.zip","x":"${"b".repeat(65)}"}`;
    // As sha256sum prints it.
    const own = "7ed3cc749d3b31cfc39562dd8b493be7d47fc29450e47bd0f68ef696e2c31816";
    expect(assetsIn(template)).toEqual([`${own}.zip`, `${own}.json`, `${hash}.zip`, `${hash}.json`]);
  });
});
