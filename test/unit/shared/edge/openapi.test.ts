/** Credentials in the OpenAPI document, and responses that the gateway sends itself. */
import { KINDS } from "@wirelab/engine/devices/kinds";
import { describe, expect, test } from "vitest";
import { EXAMPLES } from "../../../../functions/docs/examples.ts";
import { propertiesName } from "../../../../functions/docs/node-properties.ts";
import { GROUPS } from "../../../../functions/routes.ts";
import { makeOpenApi } from "../../../../functions/shared/edge/openapi.ts";
import { neededRole, type Route } from "../../../../functions/shared/edge/route.ts";

const document = makeOpenApi(GROUPS, EXAMPLES);
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const open = operations.filter((operation) => operation["x-role"] === "public");
const closed = operations.filter((operation) => operation["x-role"] !== "public");

/** The content of an error response whose code is one of `codes`. */
const errorWith = (codes: readonly string[]) => ({
  "application/json": {
    schema: { allOf: [{ $ref: "#/components/schemas/Error" }], properties: { code: { enum: codes } } },
  },
});

test("each node type has its properties, from the rows by which the engine reads them", () => {
  const { schemas } = document.components as { schemas: Record<string, { properties: object }> };
  const ofTypes = KINDS.map(({ type }) => propertiesName(type));
  for (const name of ofTypes) expect(Object.keys(schemas[name]!.properties), name).not.toEqual([]);
  expect(JSON.stringify(schemas.NodeProperties)).toContain(ofTypes.at(-1));
  expect(schemas.EthernetSwitchProperties!.properties).toMatchObject({
    ports_mapping: { type: "array" },
    ageing_time: { minimum: 10, maximum: 1_000_000, description: expect.stringContaining("seconds") },
  });
  expect(schemas.ServerProperties!.properties).toMatchObject({
    adapters: { type: "integer" },
    tcp: { properties: { receive_buffer: { minimum: 2_048, default: 4_194_304 } } },
  });
  expect(schemas.RouterProperties!.properties).toMatchObject({
    rip: { properties: { update_seconds: { default: 30 } } },
  });
});

describe("credentials", () => {
  test("are one of the three kinds that a stack may use", () => {
    expect(document.components.securitySchemes).toMatchObject({
      basic: { type: "http", scheme: "basic" },
      jwt: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      iam: {
        type: "apiKey",
        in: "header",
        name: "Authorization",
        "x-amazon-apigateway-authtype": "awsSigv4",
      },
    });
    expect(document.security).toEqual([{ basic: [] }, { jwt: [] }, { iam: [] }]);
  });

  test("name schemes of the document, and each scheme is used", () => {
    const named = document.security.flatMap((requirement) => Object.keys(requirement));
    expect(named.toSorted()).toEqual(Object.keys(document.components.securitySchemes).toSorted());
  });

  test("are required on every route that is not public", () => {
    expect(open.map(({ operationId }) => operationId).toSorted()).toEqual([
      "getDocs",
      "getDocsFile",
      "getOpenApi",
      "getPage",
      "getPageFile",
      "getVersion",
    ]);
    for (const { security } of open) expect(security).toEqual([]);
    for (const operation of closed) expect(operation, operation.operationId).not.toHaveProperty("security");
  });
});

test("routes whose runs may outlast them take the preference of a client, and name the run's address", () => {
  const named =
    (name: string) =>
    ({ parameters }: { parameters: readonly { name: string }[] }) =>
      parameters.some((parameter) => parameter.name === name);
  const outlasting = operations.filter(named("Prefer"));
  expect(outlasting.length).toBeGreaterThan(10);
  const begun = operations.filter(({ responses }) => responses["202"]?.headers?.Location);
  expect(begun).toEqual(outlasting);
});

describe("responses that the gateway sends itself", () => {
  test("401 is declared where credentials are required, in the shape of all errors", () => {
    expect(closed.length).toBeGreaterThan(50);
    for (const { operationId, responses } of closed)
      expect(responses["401"], operationId).toEqual({
        description: "access.credentials",
        content: errorWith(["access.credentials"]),
      });
    for (const { responses } of open) expect(responses).not.toHaveProperty("401");
  });

  test("503 of an authorizer that cannot decide is declared where credentials are required", () => {
    const codesOf = ({ responses }: (typeof operations)[number]) =>
      responses["503"]?.description.split(", ") ?? [];
    for (const operation of closed) expect(codesOf(operation)).toContain("gateway.undecided");
    for (const operation of open) expect(codesOf(operation)).not.toContain("gateway.undecided");
  });

  test("429 is declared everywhere, with the function's own reasons for it", () => {
    for (const { operationId, responses } of operations) {
      const { description, content } = responses["429"]!;
      expect(description.split(", "), operationId).toContain("gateway.throttled");
      expect(content, operationId).toEqual(errorWith(description.split(", ")));
    }
    const paced = GROUPS.flatMap(({ routes }) => Object.entries<Route>(routes)).filter(
      ([, route]) => route.paced,
    );
    expect(paced.length).toBeGreaterThan(10);
    for (const [operationId] of paced) {
      const { responses } = operations.find((operation) => operation.operationId === operationId)!;
      expect(responses["429"]!.description).toMatch(/^request\.too-many, /);
    }
  });

  test("the document has the declared roles", () => {
    const declared = GROUPS.flatMap(({ routes }) =>
      Object.entries<Route>(routes).map(([name, route]) => [name, neededRole(route)]),
    );
    expect(operations.map((operation) => [operation.operationId, operation["x-role"]]).toSorted()).toEqual(
      declared.toSorted(),
    );
  });
});

test("headers of a response are declared and described", () => {
  const { responses } = document.paths["/projects/{project_id}/nodes/start"]!.post!;
  const headers = responses["204"]!.headers!;
  expect(Object.keys(headers)).toEqual(["X-Run-Limit", "X-Run-Loop", "X-Run-Unsettled"]);
  for (const { description } of Object.values(headers)) expect(description).not.toBe("");
});
