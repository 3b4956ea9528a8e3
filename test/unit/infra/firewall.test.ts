/** `-c waf=true`: the firewall in front of the stage, and its rules. */
import { readFileSync } from "node:fs";
import { Match } from "aws-cdk-lib/assertions";
import { expect, test } from "vitest";
import { makeStack, templateOf } from "../../helpers/stack/stack.ts";

test("there is none by default", () => {
  const template = templateOf();
  template.resourceCountIs("AWS::WAFv2::WebACL", 0);
  template.resourceCountIs("AWS::WAFv2::WebACLAssociation", 0);
});

/** https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html */
const COMMON_RULES = [
  "NoUserAgent_HEADER",
  "UserAgent_BadBots_HEADER",
  "SizeRestrictions_QUERYSTRING",
  "SizeRestrictions_Cookie_HEADER",
  "SizeRestrictions_BODY",
  "SizeRestrictions_URIPATH",
  "EC2MetaDataSSRF_BODY",
  "EC2MetaDataSSRF_COOKIE",
  "EC2MetaDataSSRF_URIPATH",
  "EC2MetaDataSSRF_QUERYARGUMENTS",
  "GenericLFI_QUERYARGUMENTS",
  "GenericLFI_URIPATH",
  "GenericLFI_BODY",
  "RestrictedExtensions_URIPATH",
  "RestrictedExtensions_QUERYARGUMENTS",
  "GenericRFI_QUERYARGUMENTS",
  "GenericRFI_BODY",
  "GenericRFI_URIPATH",
  "CrossSiteScripting_COOKIE",
  "CrossSiteScripting_QUERYARGUMENTS",
  "CrossSiteScripting_BODY",
  "CrossSiteScripting_URIPATH",
];

test("it blocks by headers and cookies only, because bodies, queries and paths hold captures, filters and ids", () => {
  const [acl] = Object.values(templateOf({ waf: "true" }).findResources("AWS::WAFv2::WebACL"));
  const { RuleActionOverrides } = acl!.Properties.Rules[1].Statement.ManagedRuleGroupStatement;
  const counted = RuleActionOverrides.map(({ Name }: { Name: string }) => Name);
  expect(COMMON_RULES.filter((name) => !counted.includes(name))).toEqual([
    "UserAgent_BadBots_HEADER",
    "SizeRestrictions_Cookie_HEADER",
    "EC2MetaDataSSRF_COOKIE",
    "CrossSiteScripting_COOKIE",
  ]);
  expect(counted.filter((name: string) => !COMMON_RULES.includes(name))).toEqual([]);
});

test("it limits the requests of an address, and only counts matches in this interface's bodies and queries", () => {
  const template = templateOf({ waf: "true" });
  template.hasResourceProperties("AWS::WAFv2::WebACLAssociation", {
    ResourceArn: Match.objectLike({ "Fn::Join": Match.anyValue() }),
    WebACLArn: { "Fn::GetAtt": [Match.stringLikeRegexp("^Firewall"), "Arn"] },
  });
  const [{ Properties }] = Object.values(template.findResources("AWS::WAFv2::WebACL")) as [
    // biome-ignore lint/suspicious/noExplicitAny: the resource as CloudFormation has it
    { Properties: any },
  ];
  expect(Properties).toMatchObject({ Scope: "REGIONAL", DefaultAction: { Allow: {} } });
  const [rate, common] = Properties.Rules;
  expect(rate).toMatchObject({ Action: { Block: {} }, Statement: { RateBasedStatement: { Limit: 3_000 } } });
  const group = common.Statement.ManagedRuleGroupStatement;
  expect(group).toMatchObject({ VendorName: "AWS", Name: "AWSManagedRulesCommonRuleSet" });
  const counted = new Map(
    group.RuleActionOverrides.map(({ Name, ActionToUse }: { Name: string; ActionToUse: unknown }) => [
      Name,
      ActionToUse,
    ]),
  );
  const docs = readFileSync(new URL("../../../docs/security.md", import.meta.url), "utf8");
  expect(counted.size).toBeGreaterThan(5);
  for (const [name, action] of counted) {
    expect(action).toEqual({ Count: {} });
    expect(docs, String(name)).toContain(`\`${name}\``);
  }
  for (const needed of ["SizeRestrictions_BODY", "CrossSiteScripting_BODY", "RestrictedExtensions_URIPATH"])
    expect(counted.has(needed)).toBe(true);
});

test("it keeps no samples of requests, because they contain credentials", () => {
  const acl = JSON.stringify(templateOf({ waf: "true" }).findResources("AWS::WAFv2::WebACL"));
  expect(acl.match(/"SampledRequestsEnabled":false/g)).toHaveLength(3);
  expect(acl).not.toContain('"SampledRequestsEnabled":true');
});

test("its rate is the context's", () => {
  templateOf({ waf: "true", waf_rate: "500" }).hasResourceProperties("AWS::WAFv2::WebACL", {
    Rules: Match.arrayWith([
      Match.objectLike({ Statement: { RateBasedStatement: { AggregateKeyType: "IP", Limit: 500 } } }),
    ]),
  });
  for (const waf_rate of ["9", "1.5", "many"]) {
    expect(() => makeStack({ waf: "true", waf_rate })).toThrow(/waf_rate.*must be a whole number from 10/);
    expect(() => makeStack({ waf_rate })).toThrow(/waf_rate/);
  }
});
