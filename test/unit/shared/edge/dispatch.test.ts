import type { APIGatewayProxyEvent } from "aws-lambda";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeDispatcher } from "../../../../functions/shared/edge/http/dispatch.ts";
import { parsePath } from "../../../../functions/shared/edge/path-template.ts";
import { defineGroup } from "../../../../functions/shared/edge/route.ts";

const spec = { summary: "s", responses: {}, errors: [] } as const;
const dispatch = makeDispatcher(
  defineGroup({
    name: "things",
    description: "d",
    routes: {
      get: { ...spec, method: "GET", path: "/things/{engine}" },
      begin: { ...spec, method: "POST", path: "/jobs" },
      put: { ...spec, method: "PUT", path: "/things/{engine}" },
      raw: { ...spec, method: "GET", path: "/symbols/{symbol_id+}/raw" },
      upload: { ...spec, method: "POST", path: "/symbols/{symbol_id+}/raw" },
      size: { ...spec, method: "GET", path: "/symbols/{symbol_id+}/dimensions" },
    },
  }),
);

const send = (httpMethod: string, resource: string, pathParameters: Record<string, string> = {}) =>
  dispatch({ httpMethod, resource, path: resource, pathParameters } as unknown as APIGatewayProxyEvent);
const symbol = (method: string, symbol_path: string) =>
  send(method, "/symbols/{symbol_path+}", { symbol_path });

describe("paths in API Gateway", () => {
  test.each([
    ["/projects/{project_id}/links", "/projects/{project_id}/links", undefined],
    ["/symbols/{symbol_id+}/raw", "/symbols/{symbol_path+}", "/raw"],
    ["/files/{name+}", "/files/{name_path+}", ""],
  ])("%s is %s", (path, expected, suffix) => {
    const { gatewayPath, variables } = parsePath(path);
    expect(gatewayPath).toBe(expected);
    expect(variables.map((variable) => variable.suffix)).toEqual([suffix]);
    for (const { gatewayName } of variables)
      expect(gatewayPath).toMatch(new RegExp(`\\{${gatewayName}\\+?\\}`));
  });
});

describe("dispatch", () => {
  test("selects by resource and method, and decodes the path's values", () => {
    expect(send("PUT", "/things/{engine}", { engine: "a%2Fb%20c" })).toMatchObject({
      name: "put",
      pathValues: { engine: "a/b c" },
    });
  });

  test("maps HEAD to the route of GET, if there is one", () => {
    expect(send("HEAD", "/things/{engine}", { engine: "x" }).name).toBe("get");
    expect(symbol("HEAD", "a/raw").name).toBe("raw");
    expect(() => send("HEAD", "/jobs", {})).toThrow("allowed: POST");
  });

  test("names the allowed methods when the method is not allowed", () => {
    expect(() => send("DELETE", "/things/{engine}", { engine: "x" })).toThrow("allowed: GET, HEAD, PUT");
    expect(() => symbol("PUT", "a/raw")).toThrow("allowed: GET, HEAD, POST");
    expect(() => symbol("POST", "a/dimensions")).toThrow("allowed: GET, HEAD");
  });

  test("refuses an unknown resource, an unknown suffix and a broken escape", () => {
    expect(() => send("GET", "/nosuch")).toThrow("No such route");
    expect(() => symbol("GET", "a/b/c")).toThrow("No such route");
    expect(() => symbol("GET", "/raw")).toThrow("No such route");
    expect(() => send("GET", "/things/{engine}", { engine: "%zz" })).toThrow("broken percent-escape");
  });

  test.each([
    [":/symbols/classic/router.svg/raw", ":/symbols/classic/router.svg"],
    ["%3A%2Fsymbols%2Fclassic%2Frouter.svg/raw", ":/symbols/classic/router.svg"],
    ["%253A%252Fsymbols%252Fclassic%252Frouter.svg/raw", ":/symbols/classic/router.svg"],
    ["a/raw/raw", "a/raw"],
    ["100%25.svg/raw", "100%.svg"],
    ["100%.svg/raw", "100%.svg"],
    ["caf%C3%A9.svg/raw", "café.svg"],
  ])("%s is the symbol %s", (path, id) => {
    expect(symbol("GET", path)).toMatchObject({ name: "raw", pathValues: { symbol_id: id } });
  });

  test("an id is the same raw, encoded once and encoded twice", () => {
    // An id with a raw "%" and two digits would be an escape: clients must send such ids encoded twice.
    const ids = fc.string({ minLength: 1 }).filter((id) => !id.includes("%"));
    fc.assert(
      fc.property(ids, (id) => {
        const found = [id, encodeURIComponent(id), encodeURIComponent(encodeURIComponent(id))].map(
          (path) => symbol("GET", `${path}/raw`).pathValues.symbol_id,
        );
        expect(found).toEqual([id, id, id]);
      }),
    );
  });
});
