/** CloudFront in front of the stack: its function runs here, and the template has what it needs. */
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { Match, type Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { SOCKET_PATTERNS } from "../../../infra/edge.ts";
import { statementsOf } from "../../helpers/stack/policies.ts";
import { templateOf } from "../../helpers/stack/stack.ts";

const CODE = readFileSync(new URL("../../../infra/edge/viewer-request.js", import.meta.url), "utf8");
const PROJECT = "11111111-2222-3333-4444-555555555555";
const NODE = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee";
const PATHS = [
  "/v2/notifications/ws",
  `/v2/projects/${PROJECT}/notifications/ws`,
  `/v2/projects/${PROJECT}/nodes/${NODE}/console/ws`,
];

type Values = Record<string, { value: string }>;
interface Handled {
  readonly uri?: string;
  readonly headers: Values;
  readonly querystring?: Values;
  readonly statusCode?: number;
  readonly body?: string;
}

/** Calls the function as CloudFront does: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html */
function handle(uri: string, headers: Record<string, string> = {}, querystring: Values = {}): Handled {
  const all = { host: "lab.example", ...headers };
  const request = {
    method: "GET",
    uri,
    querystring,
    headers: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, { value }])),
    cookies: {},
  };
  const event = { version: "1.0", context: { eventType: "viewer-request" }, request };
  return JSON.parse(runInNewContext(`${CODE}; JSON.stringify(handler(event))`, { event }));
}

describe("the function", () => {
  test.each(PATHS)("turns the path of a WebSocket into a query: %s", (path) => {
    const handled = handle(
      path,
      { upgrade: "WebSocket" },
      { since: { value: "5" }, path: { value: "evil" } },
    );
    expect(handled.uri).toBe("/v2");
    expect(handled.querystring).toEqual({ since: { value: "5" }, path: { value: encodeURIComponent(path) } });
    expect(handled.headers.upgrade).toEqual({ value: "WebSocket" });
  });

  test.each(PATHS)("answers 400 to a request for %s that asks for no WebSocket", (path) => {
    for (const headers of [{}, { upgrade: "h2c" }]) {
      const { statusCode, headers: sent, body } = handle(path, headers as Record<string, string>);
      expect(statusCode).toBe(400);
      expect(sent["content-type"]).toEqual({ value: "application/json" });
      expect(JSON.parse(body!)).toMatchObject({ code: "request.no-upgrade", status: 400 });
    }
  });

  test("passes the host of the page to the functions, whatever the client sent", () => {
    for (const path of ["/v2/projects", ...PATHS]) {
      const headers = { upgrade: "websocket", "x-forwarded-host": "evil.example" };
      expect(handle(path, headers).headers["x-forwarded-host"]).toEqual({ value: "lab.example" });
    }
  });

  test("leaves other requests alone", () => {
    for (const path of ["/v2/projects", `/v2/projects/${PROJECT}/files/notifications/ws`, "/page.html"]) {
      const { uri, querystring, statusCode } = handle(path, { upgrade: "websocket" }, { a: { value: "b" } });
      expect([uri, querystring, statusCode]).toEqual([path, { a: { value: "b" } }, undefined]);
    }
  });

  test("redirects the root to the page", () => {
    expect(handle("/")).toMatchObject({ statusCode: 302, headers: { location: { value: "/v2/page" } } });
  });

  test("is small enough for CloudFront", () => expect(Buffer.byteLength(CODE)).toBeLessThan(10_240));
});

describe("the distribution", () => {
  let template: Template;
  beforeAll(() => {
    template = templateOf({ edge: "true" });
  }, 300_000);

  const config = () => {
    const [distribution] = Object.values(template.findResources("AWS::CloudFront::Distribution"));
    return distribution!.Properties.DistributionConfig;
  };
  const ALL = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];
  /** Managed policies: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html */
  const CACHING_DISABLED = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";
  const ALL_VIEWER_EXCEPT_HOST = "b689b0a8-53d0-40ab-baf2-68738e2966ac";

  test("has the WebSocket API behind the paths of WebSockets, and the REST API behind the others below /v2", () => {
    const { CacheBehaviors, Origins } = config();
    const originOf = (id: string) =>
      JSON.stringify(Origins.find(({ Id }: { Id: string }) => Id === id).DomainName);
    const patterns = CacheBehaviors.map(({ PathPattern }: { PathPattern: string }) => PathPattern);
    expect(patterns).toEqual([...SOCKET_PATTERNS, "/v2/page/*", "/v2", "/v2/*"]);
    for (const behavior of CacheBehaviors) {
      // The files of the page, which are public.
      if (behavior.PathPattern === "/v2/page/*") continue;
      expect(behavior).toMatchObject({
        CachePolicyId: CACHING_DISABLED,
        OriginRequestPolicyId: ALL_VIEWER_EXCEPT_HOST,
        ViewerProtocolPolicy: "redirect-to-https",
        FunctionAssociations: [{ EventType: "viewer-request" }],
      });
      expect(behavior.AllowedMethods.toSorted()).toEqual(ALL);
      const isSocket = SOCKET_PATTERNS.includes(behavior.PathPattern);
      expect(originOf(behavior.TargetOriginId)).toContain(isSocket ? '"SocketsApi' : '"ApiOpenApi');
    }
  });

  test("has a function whose name differs from the one of another stack", () => {
    const nameIn = (stack_name: string): string => {
      const [viewer] = Object.values(
        templateOf({ edge: "true", stack_name }).findResources("AWS::CloudFront::Function"),
      );
      return JSON.stringify(viewer!.Properties.Name);
    };
    expect(nameIn("ci-1")).not.toBe(nameIn("ci-2"));
    expect(nameIn("ci-1")).toContain('{"Ref":"AWS::Region"}');
  });

  test("has patterns that fit exactly the paths that its function takes for WebSockets", () => {
    for (const [index, pattern] of SOCKET_PATTERNS.entries()) {
      const regex = new RegExp(`^${pattern.replaceAll("?", ".")}$`);
      expect(PATHS.filter((path) => regex.test(path))).toEqual([PATHS[index]]);
    }
  });

  test("calls its origins by HTTPS, and waits two minutes for the next line of a stream", () => {
    const custom = config().Origins.filter(
      ({ CustomOriginConfig }: { CustomOriginConfig?: object }) => CustomOriginConfig,
    );
    expect(custom).toHaveLength(2);
    for (const { CustomOriginConfig } of custom)
      expect(CustomOriginConfig).toMatchObject({
        OriginProtocolPolicy: "https-only",
        OriginSSLProtocols: ["TLSv1.2"],
        OriginReadTimeout: 120,
      });
  });

  test("alone may read the pages, which have security headers", () => {
    template.hasResourceProperties("AWS::CloudFront::OriginAccessControl", {
      OriginAccessControlConfig: { SigningBehavior: "always" },
    });
    const readers = statementsOf(template).filter(
      ({ id, effect }) => id.startsWith("EdgePages") && effect === "Allow",
    );
    expect(readers.map(({ principals }) => principals)).toEqual([["cloudfront.amazonaws.com"]]);
    expect(Object.keys(readers[0]!.conditions.StringEquals!)).toEqual(["AWS:SourceArn"]);
    template.hasResourceProperties("AWS::CloudFront::ResponseHeadersPolicy", {
      ResponseHeadersPolicyConfig: {
        SecurityHeadersConfig: Match.objectLike({
          FrameOptions: Match.objectLike({ FrameOption: "DENY" }),
          StrictTransportSecurity: Match.anyValue(),
        }),
      },
    });
    expect(config()).toMatchObject({ DefaultRootObject: "index.html" });
  });

  test("is not there by default", () => {
    templateOf().resourceCountIs("AWS::CloudFront::Distribution", 0);
  }, 300_000);
});
