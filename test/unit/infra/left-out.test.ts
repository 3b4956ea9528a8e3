/** Settings that a deployment leaves out: which are refused, and how the message names them. */
import { describe, expect, test } from "vitest";
import { Settings } from "../../../infra/chosen-settings.ts";
import { refusalOf, takeCheckArguments } from "../../../infra/deploy/check.ts";
import { settingsOfTemplate, type Template } from "../../../infra/deploy/deployed-settings.ts";
import { describeRefusal, differences } from "../../../infra/deploy/left-out.ts";
import { templateOf } from "../../helpers/stack/stack.ts";

const JWT = { auth: "jwt", jwt_issuer: "https://issuer.example/", jwt_audience: "lab" };

const changed = (deployed: object, next: object): string[] =>
  differences(new Settings({ ...deployed }), new Settings({ ...next })).map(
    ({ guards, key, deployed: before, next: after }) => `${guards}: ${key} ${before} -> ${after}`,
  );

test.each<[string, object, object, string[]]>([
  ["nothing, when all is given again", { ...JWT, waf: true }, { ...JWT, waf: "true" }, []],
  ["nothing, when more is given", {}, { waf: true, auth: "iam", iam_role: "viewer" }, []],
  ["nothing, when the deployed value is the default", { auth: "basic", waf: false }, {}, []],
  ["nothing, when a default is given by name", { auth: "iam", waf: true }, { auth: "basic", waf: false }, []],
  ["nothing that protects no one", { quota_nodes: 5, dashboard: true }, {}, []],
  [
    "the way to sign in, with its issuer",
    JWT,
    {},
    [
      "sign-in: auth jwt -> basic",
      "sign-in: jwt_issuer https://issuer.example/ -> undefined",
      "sign-in: jwt_audience lab -> undefined",
      "sign-in: jwt_user_claim sub -> undefined",
      "sign-in: jwt_role_claim wirelab_role -> undefined",
    ],
  ],
  ["no issuer, when another way to sign in is given", JWT, { auth: "iam" }, []],
  [
    "the role of all callers",
    { auth: "iam", iam_role: "viewer" },
    { auth: "iam" },
    ["sign-in: iam_role viewer -> admin"],
  ],
  ["the key", { customer_key: true }, {}, ["encryption: customer_key true -> false"]],
  [
    "the firewall",
    { waf: true },
    {},
    ["firewall: waf true -> false", "firewall: waf_rate 3000 -> undefined"],
  ],
  [
    "addresses",
    { edge: true, domain: "lab.example.org" },
    {},
    ["address: edge true -> false", "address: domain lab.example.org -> undefined"],
  ],
  ["the firewall's rate", { waf: true, waf_rate: 50 }, { waf: true }, ["firewall: waf_rate 50 -> 3000"]],
  [
    "the alarms that an address switched on",
    { alarm_email: "ops@example.org" },
    {},
    ["alarms: alarms true -> false", "alarms: alarm_email ops@example.org -> undefined"],
  ],
  [
    "no alarms, when an address switches them on instead",
    { alarms: true },
    { alarm_email: "a@b.example" },
    [],
  ],
])("%s", (_title, deployed, next, expected) => {
  expect(changed(deployed, next)).toEqual(expected);
});

describe("the message", () => {
  const found = differences(new Settings({ auth: "iam", waf: true }), new Settings());

  test("names each setting, and how it is kept or changed", () => {
    expect(describeRefusal("Lab", found, [])).toBe(
      [
        "This deployment leaves out settings of the stack Lab, and their defaults would change it:",
        "  sign-in: auth from iam to basic",
        "  sign-in: iam_role from admin to none",
        "  firewall: waf from true to false",
        "  firewall: waf_rate from 3000 to none",
        "To keep them, add them to wirelab.config.ts or to the command: -c auth=iam -c iam_role=admin -c waf=true -c waf_rate=3000",
        "To change them: --change auth --change iam_role --change waf --change waf_rate",
      ].join("\n"),
    );
  });

  test("has only what the operator has not permitted", () => {
    expect(describeRefusal("Lab", found, ["waf", "waf_rate"])).not.toContain("waf");
    expect(describeRefusal("Lab", found, ["auth", "iam_role", "waf", "waf_rate"])).toBeUndefined();
  });

  test("refuses the permission for a setting that is not checked", () => {
    expect(() => describeRefusal("Lab", found, ["quota_nodes"])).toThrow("--change quota_nodes: it must be");
  });
});

describe("the settings of a deployed stack", () => {
  const ALL = {
    ...JWT,
    jwt_role_claim: "groups",
    customer_key: "true",
    edge: "true",
    waf: "true",
    waf_rate: "500",
    alarm_email: "ops@example.org",
    budget_usd: "20",
  };

  test("are recorded in its template", () => {
    const template = templateOf(ALL).toJSON() as Template;
    expect(settingsOfTemplate(template)!.texts()).toEqual(ALL);
  }, 300_000);

  test.each([{}, ALL, { auth: "iam", iam_role: "editor", alarms: "true" }])(
    "%j follow from the resources of an earlier release, which has no record",
    (given) => {
      const { Metadata: _, ...earlier } = templateOf(given).toJSON() as Template;
      expect(differences(settingsOfTemplate(earlier)!, new Settings(given))).toEqual([]);
      expect(differences(new Settings(given), settingsOfTemplate(earlier)!)).toEqual([]);
    },
    300_000,
  );

  test("are unknown in a stack of something else", () => {
    expect(settingsOfTemplate({ Resources: { Queue: { Type: "AWS::SQS::Queue" } } })).toBeUndefined();
    expect(settingsOfTemplate({})).toBeUndefined();
  });
});

describe("the check of a deployment", () => {
  const recorded = (settings: Record<string, string>): Template => ({ Metadata: { Wirelab: { settings } } });
  const check = (deployed: Template | undefined, permitted: readonly string[] = []) =>
    refusalOf("Lab", recorded({}), { permitted, templateOf: async () => deployed });

  test("refuses what was left out, unless it may change", async () => {
    expect(await check(recorded({ customer_key: "true" }))).toContain(
      "encryption: customer_key from true to false",
    );
    expect(await check(recorded({ customer_key: "true" }), ["customer_key"])).toBeUndefined();
    expect(await check(recorded({}))).toBeUndefined();
  });

  test("admits a first deployment", async () => {
    expect(await check(undefined)).toBeUndefined();
  });

  test("refuses to deploy over a stack of something else", async () => {
    expect(await check({ Resources: {} })).toContain("The deployed stack Lab is not of Wirelab");
  });

  test("refuses when the stack cannot be read, and names the way out", async () => {
    const templateOf = () => Promise.reject(new Error("Could not load credentials from any providers"));
    const refusal = await refusalOf("Lab", recorded({}), { permitted: [], templateOf });
    expect(refusal).toContain("cannot be read: Could not load credentials");
    expect(refusal).toContain("--unchecked deploys without it");
  });

  test("takes its arguments out of those of the CDK", () => {
    expect(takeCheckArguments(["--change", "auth", "--hotswap", "--change=waf,waf_rate"])).toEqual({
      permitted: ["auth", "waf", "waf_rate"],
      unchecked: false,
      others: ["--hotswap"],
    });
    expect(takeCheckArguments(["--unchecked", "--change"])).toEqual({
      permitted: [""],
      unchecked: true,
      others: [],
    });
  });
});
