/** Which callers the stack admits, by its context. */
import { Match, type Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { GROUPS } from "../../../functions/routes.ts";
import { parsePath } from "../../../functions/shared/edge/path-template.ts";
import { neededRole } from "../../../functions/shared/edge/route.ts";
import { AUTHORIZER, GATEWAY_RESPONSES } from "../../../infra/api/document.ts";
import { gatewayResponses } from "../../../infra/gateway-responses.ts";
import { bodyOf, methodsOf } from "../../helpers/stack/api-body.ts";
import { statementsOfFunction } from "../../helpers/stack/policies.ts";
import { templateOf as synthesize } from "../../helpers/stack/stack.ts";

const JWT = { auth: "jwt", jwt_issuer: "https://issuer.example/", jwt_audience: "wirelab" };
const OPEN = [
  "GET /docs",
  "GET /docs/{file}",
  "GET /openapi.json",
  "GET /page",
  "GET /page/{file}",
  "GET /version",
];
/** They redirect to the API page or return 404, and call nothing. */
const NO_ROUTE = ["GET /", "ANY /", "ANY /{proxy+}"];

/** `GET /projects` -> how it is authorized; undefined for all callers. */
const authorizationOf = (template: Template) =>
  new Map([...methodsOf(template)].map(([name, { authorization }]) => [name, authorization]));

const answerOf = (template: Template, type: string) => bodyOf(template)[GATEWAY_RESPONSES][type];

const authorizersOf = (template: Template) =>
  Object.values(bodyOf(template).components?.securitySchemes ?? {}).flatMap(
    (scheme) => scheme[AUTHORIZER] ?? [],
  );

const modeOf = (template: Template) => {
  const functions = Object.values(template.findResources("AWS::Lambda::Function"));
  const modes = functions.map(({ Properties }) => Properties.Environment?.Variables?.AUTH_MODE);
  return new Set(modes.filter((mode) => mode !== undefined));
};

describe("only public routes are open", () => {
  test.each([
    ["basic", {}, "custom"],
    ["jwt", JWT, "custom"],
    ["iam", { auth: "iam" }, "awsSigv4"],
  ])("with %s", (mode, settings, type) => {
    const template = synthesize(settings);
    const authorization = authorizationOf(template);
    const declared = GROUPS.flatMap(({ routes }) => Object.values(routes));
    const paths = new Set(declared.map(({ path }) => parsePath(path).gatewayPath));
    expect(authorization.size).toBeGreaterThan(paths.size);
    for (const [method, found] of authorization)
      expect(found, method).toBe(
        [...OPEN, ...NO_ROUTE].includes(method.replace("HEAD", "GET")) ? undefined : type,
      );
    const open = declared.filter((route) => neededRole(route) === "public");
    expect(open.map(({ method, path }) => `${method} ${parsePath(path).gatewayPath}`).toSorted()).toEqual(
      OPEN,
    );
    expect(modeOf(template)).toEqual(new Set([mode]));
  });
});

describe("an authorizer that fails, has no time, or is throttled", () => {
  const TYPES = ["AUTHORIZER_FAILURE", "AUTHORIZER_CONFIGURATION_ERROR"];

  test.each(["basic", "jwt"] as const)("is 503 with a time after which to try again, with %s", (mode) => {
    const responses = gatewayResponses(mode, {});
    for (const type of TYPES) {
      const { statusCode, responseParameters, responseTemplates } = responses[type]!;
      expect(statusCode).toBe("503");
      expect(responseParameters).toMatchObject({ "gatewayresponse.header.Retry-After": "'2'" });
      expect(responseTemplates["application/json"]).toContain('"code":"gateway.undecided"');
    }
  });

  test.each(["iam", "none"] as const)("does not exist with %s", (mode) => {
    expect(Object.keys(gatewayResponses(mode, {}))).not.toEqual(expect.arrayContaining([TYPES[0]]));
  });
});

describe("HTTP Basic", () => {
  const template = synthesize();

  test("is the default; its results are cached for a minute", () => {
    const [authorizer, ...others] = authorizersOf(template);
    expect(others).toEqual([]);
    expect(authorizer).toMatchObject({
      type: "request",
      identitySource: "method.request.header.Authorization,context.identity.sourceIp",
      authorizerResultTtlInSeconds: 60,
    });
    expect(JSON.stringify(authorizer!.authorizerUri)).toContain('"AuthorizerFunction');
  });

  test("answers 401 with a challenge, for missing and for wrong credentials", () => {
    for (const type of ["UNAUTHORIZED", "ACCESS_DENIED"]) {
      expect(answerOf(template, type)).toMatchObject({
        statusCode: "401",
        responseParameters: { "gatewayresponse.header.WWW-Authenticate": `'Basic realm="Wirelab"'` },
        responseTemplates: {
          "application/json":
            '{"code":"access.credentials","message":"Credentials are missing or wrong","status":401}',
        },
      });
    }
    expect(answerOf(template, "WAF_FILTERED")).toMatchObject({ statusCode: "403" });
  });

  test("has no secret: the output has the command that adds the first user", () => {
    template.resourceCountIs("AWS::SecretsManager::Secret", 0);
    const [output] = Object.values(template.findOutputs("FirstUserCommand"));
    expect(output).toMatchObject({ Value: "npx wirelab users first --stack Wirelab" });
  });

  test("lets the authorizer read users and the keys of tokens, and count failures; it cannot create a user", () => {
    const granted = statementsOfFunction(template, "Authorizer").map(({ actions, resources, conditions }) => [
      actions.toSorted().join(),
      resources.join(),
      conditions["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"]?.join() ?? "",
    ]);
    expect(granted.toSorted()).toEqual([
      ["dynamodb:GetItem", "<TableState.Arn>", "USERS,NAMESPACES,TOKEN_KEYS,FAILURES#*,KNOWN_SOURCES#*"],
      ["dynamodb:PutItem", "<TableState.Arn>", "KNOWN_SOURCES#*"],
      ["dynamodb:UpdateItem", "<TableState.Arn>", "FAILURES#*"],
      ["logs:CreateLogStream,logs:PutLogEvents", "<FunctionLog.Arn>", ""],
    ]);
  });
});

describe("tokens", () => {
  test("are checked for the issuer, audience and claims of the context", () => {
    const template = synthesize({ ...JWT, jwt_role_claim: "cognito:groups", jwt_user_claim: "email" });
    template.hasResourceProperties("AWS::Lambda::Function", {
      Environment: {
        Variables: Match.objectLike({
          JWT_ISSUER: "https://issuer.example/",
          JWT_AUDIENCE: "wirelab",
          JWT_ROLE_CLAIM: "cognito:groups",
          JWT_USER_CLAIM: "email",
        }),
      },
    });
    template.resourceCountIs("AWS::SecretsManager::Secret", 0);
    expect(answerOf(template, "UNAUTHORIZED")?.responseParameters).toMatchObject({
      "gatewayresponse.header.WWW-Authenticate": `'Bearer realm="Wirelab"'`,
    });
  });

  test("need no access of the authorizer to the table", () => {
    const granted = statementsOfFunction(synthesize(JWT), "Authorizer").flatMap(({ actions }) => actions);
    expect(granted.toSorted()).toEqual(["logs:CreateLogStream", "logs:PutLogEvents"]);
  });
});

describe("IAM", () => {
  test("uses API Gateway's check of the signature, and has a fixed error for a request without one", () => {
    const template = synthesize({ auth: "iam", iam_role: "editor" });
    expect(authorizersOf(template)).toEqual([]);
    expect(answerOf(template, "MISSING_AUTHENTICATION_TOKEN")).toMatchObject({ statusCode: "403" });
    expect(answerOf(template, "ACCESS_DENIED")).toMatchObject({ statusCode: "403" });
    template.hasResourceProperties("AWS::Lambda::Function", {
      Environment: { Variables: Match.objectLike({ AUTH_MODE: "iam", IAM_ROLE: "editor" }) },
    });
  });
});

describe("invalid or unsafe contexts are rejected", () => {
  test.each([
    [{ auth: "none" }, "it requires ephemeral=true"],
    [{ auth: "Basic" }, "it must be basic, iam, jwt or none"],
    [{ auth: "iam", iam_role: "root" }, "it must be viewer, editor or admin"],
    [{ auth: "jwt" }, "auth is jwt, which requires the key jwt_issuer"],
    [{ auth: "jwt", jwt_issuer: "https://a.example" }, "auth is jwt, which requires the key jwt_audience"],
    [{ ...JWT, jwt_issuer: "http://issuer.example" }, "it must be a URL that begins with https://"],
    [{ ...JWT, jwt_issuer: "issuer.example" }, "it must be a URL that begins with https://"],
  ])("%j", (settings, message) => expect(() => synthesize(settings as never)).toThrow(message));

  test("an ephemeral stack may be without authentication", () => {
    const template = synthesize({ auth: "none", ephemeral: "true" });
    expect(new Set(authorizationOf(template).values())).toEqual(new Set([undefined]));
    expect(modeOf(template)).toEqual(new Set(["none"]));
  });
});
