/** The OpenAPI document of the REST API: its operations are the declared routes, and no others. */
import type { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test, vi } from "vitest";
import { GROUPS } from "../../../functions/routes.ts";
import { parsePath } from "../../../functions/shared/edge/path-template.ts";
import { neededRole, type Route, type RouteGroup, verbsOf } from "../../../functions/shared/edge/route.ts";
import { ACCESS } from "../../../infra/access.ts";
import { makeApiBody } from "../../../infra/api/body.ts";
import type { FunctionIntegration } from "../../../infra/api/document.ts";
import { bodyOf, type Method, methodsOf } from "../../helpers/stack/api-body.ts";
import { resourcesOf } from "../../helpers/stack/policies.ts";
import { type Settings, templateOf } from "../../helpers/stack/stack.ts";

/** A template takes a minute on a busy machine. */
vi.setConfig({ testTimeout: 300_000 });

const JWT = { auth: "jwt", jwt_issuer: "https://issuer.example/", jwt_audience: "wirelab" };
const MODES: readonly (readonly [settings: Settings, authorization: string | undefined])[] = [
  [{}, "custom"],
  [JWT, "custom"],
  [{ auth: "iam" }, "awsSigv4"],
  [{ auth: "none", ephemeral: "true" }, undefined],
  [{ cors_origins: "https://lab.example" }, "custom"],
];

interface Served {
  readonly group: string;
  readonly authorization: string | undefined;
  readonly timeoutMs: number;
}

/** What serves each method of the declared routes: `GET /projects/{project_id}`. */
const declared = (closed: string | undefined): Map<string, Served> =>
  new Map(
    GROUPS.flatMap(({ name, routes }) =>
      Object.values<Route>(routes).flatMap((route) =>
        verbsOf(route).map((verb): [string, Served] => [
          `${verb} ${parsePath(route.path).gatewayPath}`,
          {
            group: name,
            authorization: neededRole(route) === "public" ? undefined : closed,
            timeoutMs: ACCESS[name]!.timeoutSeconds * 1000,
          },
        ]),
      ),
    ),
  );

/** The group whose function serves a method, who may call it, and for how long. */
function served({ authorization, integration }: Method): Served {
  const { uri, timeoutInMillis } = integration as FunctionIntegration;
  const text = JSON.stringify(uri);
  const group = GROUPS.find(({ name }) => text.includes(`"${name}Function`));
  return { group: group?.name ?? text, authorization, timeoutMs: timeoutInMillis ?? 0 };
}

describe.each(MODES)("with the context %j", (settings, closed) => {
  const methods = methodsOf(templateOf(settings));
  const functions = [...methods.values()].filter(({ integration }) => integration.type === "aws_proxy");

  test("each declared route has a method with its function, its access and its timeout", () => {
    for (const [name, expected] of declared(closed)) {
      const method = methods.get(name) ?? methods.get(name.replace(/^\w+/, "ANY"));
      expect(method && served(method), name).toEqual(expected);
    }
  });

  test("each method that calls a function is a declared route, or leads to the 404 of a path that has one", () => {
    const routes = declared(closed);
    const paths = new Map([...routes].map(([name, { group }]) => [name.split(" ")[1], group]));
    for (const method of functions) {
      const name = `${method.verb} ${method.path}`;
      expect(paths.get(method.path), name).toBe(served(method).group);
      // A method beside ANY exists only to be public.
      if (method.verb === "ANY") expect(method.authorization, name).toBe(closed);
      else expect(routes.get(name), name).toMatchObject({ authorization: undefined });
    }
    expect(new Set(functions.map(({ path }) => path))).toEqual(new Set(paths.keys()));
  });

  test("all other methods are fixed responses: of the root, of other paths, and of preflight requests", () => {
    const fixed = [...methods].filter(([, { integration }]) => integration.type === "mock");
    const preflights = settings.cors_origins ? functions.filter(({ verb }) => verb === "ANY") : [];
    expect(fixed.map(([name]) => name).toSorted()).toEqual(
      ["GET /", "ANY /", "ANY /{proxy+}", ...preflights.map(({ path }) => `OPTIONS ${path}`)].toSorted(),
    );
  });

  test("streams every response of a function", () => {
    for (const { integration } of functions) {
      expect(integration).toMatchObject({ httpMethod: "POST", responseTransferMode: "STREAM" });
      expect(JSON.stringify(integration)).toMatch(
        /lambda:path\/2021-11-15\/functions\/.*\/response-streaming-invocations/,
      );
    }
  });
});

describe("the document", () => {
  const template = templateOf({ cors_origins: "https://lab.example,http://localhost:4200" });

  test("declares the variables of each path, and a response of each operation", () => {
    const { paths } = bodyOf(template);
    for (const [path, { parameters = [] }] of Object.entries(paths)) {
      const variables = Array.from(path.matchAll(/\{(\w+)\+?\}/g), ([, name]) => name);
      expect(parameters.map(({ name }) => name)).toEqual(variables);
    }
    for (const [name, { operation, integration }] of methodsOf(template)) {
      const [[status, response] = [], ...others] = Object.entries(operation.responses);
      expect(others, name).toEqual([]);
      expect(response!.description, name).toMatch(/^[A-Z]/);
      if (integration.type !== "mock") continue;
      const [made] = Object.values(integration.responses);
      expect(made!.statusCode, name).toBe(status);
      // API Gateway rejects a header that the response does not declare.
      expect(Object.keys(response!.headers!)).toEqual(
        Object.keys(made!.responseParameters).map((header) => header.replace("method.response.header.", "")),
      );
    }
  });

  test("fails the deployment if API Gateway does not understand all of it", () => {
    template.hasResourceProperties("AWS::ApiGateway::RestApi", { FailOnWarnings: true });
  });

  test("is the only source of the API: no resource of the template adds to it", () => {
    const types = resourcesOf(template).map(([, { Type }]) => Type);
    expect(new Set(types.filter((type) => type.startsWith("AWS::ApiGateway::")))).toEqual(
      new Set(["RestApi", "Deployment", "Stage", "Account"].map((type) => `AWS::ApiGateway::${type}`)),
    );
  });

  test("refuses two groups with the same path", () => {
    const [group] = GROUPS as readonly [RouteGroup, ...RouteGroup[]];
    const options = {
      title: "T",
      uriOf: () => "uri",
      mode: "none",
      authorizer: undefined,
      origins: [],
    } as const;
    const [path] = Object.values<Route>(group.routes).map((route) => parsePath(route.path).gatewayPath);
    expect(() => makeApiBody({ ...options, groups: [group, { ...group, name: "projects" }] })).toThrow(
      `the group projects declares ${path}, which another group has`,
    );
  });
});

describe("the deployment", () => {
  const idOf = (template: Template): string =>
    Object.keys(template.findResources("AWS::ApiGateway::Deployment")).join();

  test("is a new one if the document changes, and the same if it does not", () => {
    const usual = idOf(templateOf());
    expect(idOf(templateOf({ quota_nodes: "12" }))).toBe(usual);
    expect(idOf(templateOf({ cors_origins: "https://lab.example" }))).not.toBe(usual);
    expect(idOf(templateOf({ auth: "iam" }))).not.toBe(usual);
  });
});

describe("permissions", () => {
  test.each([{}, JWT])(
    "each function of the document may be called by this API, and by no other: %j",
    (settings) => {
      const template = templateOf(settings);
      const [api] = Object.keys(template.findResources("AWS::ApiGateway::RestApi"));
      const text = JSON.stringify(bodyOf(template));
      const called = new Set(Array.from(text.matchAll(/"Fn::GetAtt":\["(\w+)","Arn"\]/g), ([, id]) => id!));
      expect(called.size).toBe(GROUPS.length + 1);
      const permitted = resourcesOf(template).flatMap(([, { Type, Properties = {} }]) => {
        const source = JSON.stringify(Properties.SourceArn);
        if (Type !== "AWS::Lambda::Permission" || !source.includes(`{"Ref":"${api}"}`)) return [];
        const [id] = (Properties.FunctionName as { "Fn::GetAtt": string[] })["Fn::GetAtt"];
        const part = id!.startsWith("Authorizer") ? '"/authorizers/*"' : '"/*/*/*"';
        expect(source).toContain(part);
        return [id!];
      });
      expect(permitted.toSorted()).toEqual([...called].toSorted());
    },
  );
});

/** Of a stack that was deployed when the API consisted of a resource for each path and method. */
const EARLIER_API = "ApiRest4DEC74FE";
const EARLIER_IDS: Readonly<Record<string, string>> = {
  TableState65A03B10: "AWS::DynamoDB::Table",
  BucketData05616C16: "AWS::S3::Bucket",
  BucketAccessLog379A60E7: "AWS::S3::Bucket",
  EdgePages2AF31C5C: "AWS::S3::Bucket",
  EdgeDistribution0060737B: "AWS::CloudFront::Distribution",
  CustomerKeyA9FF30A4: "AWS::KMS::Key",
  ApiAccessLog713001CC: "AWS::Logs::LogGroup",
  ApiRestCloudWatchRoleC77E86EB: "AWS::IAM::Role",
  ApiRestAccountECB9C6D4: "AWS::ApiGateway::Account",
  SocketsApi248BE7F2: "AWS::ApiGatewayV2::Api",
};

describe("an upgrade of a stack whose API consisted of resources", () => {
  const resources = new Map(resourcesOf(templateOf({ edge: "true", customer_key: "true" })));

  test("keeps the table, the buckets, the key, the logs and their role, and the addresses of WebSockets and of the edge", () => {
    const kept = Object.keys(EARLIER_IDS).map((id) => [id, resources.get(id)?.Type]);
    expect(Object.fromEntries(kept)).toEqual(EARLIER_IDS);
  });

  test("replaces the API: an update in place would end with the removal of its earlier paths", () => {
    expect(resources.has(EARLIER_API)).toBe(false);
  });

  test("changes the edge after the new API has its stage", () => {
    const [stage] = [...resources].filter(([, { Type }]) => Type === "AWS::ApiGateway::Stage");
    const edge = resources.get("EdgeDistribution0060737B") as { DependsOn?: readonly string[] } | undefined;
    expect(edge?.DependsOn).toContain(stage![0]);
  });
});
