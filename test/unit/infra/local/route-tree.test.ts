import { describe, expect, it } from "vitest";
import { makeRouteTree } from "../../../../infra/local/route-tree.ts";

const find = makeRouteTree(
  [
    "GET /",
    "GET /a",
    "ANY /a",
    "GET /a/b",
    "GET /a/{id}",
    "PUT /a/{id}",
    "POST /a/{id}/c",
    "GET /a/{rest+}",
    "DELETE /a/{rest+}",
    "GET /s/{path+}",
  ].map((text) => {
    const [method = "", resourcePath = ""] = text.split(" ");
    return { method, resourcePath, functionId: text, streaming: false, timeoutMs: 1 };
  }),
);

describe("a path", () => {
  it.each([
    ["GET", "/", "GET /", {}],
    ["GET", "/a", "GET /a", {}],
    ["PUT", "/a", "ANY /a", {}],
    ["GET", "/a/b", "GET /a/b", {}],
    ["GET", "/a/x", "GET /a/{id}", { id: "x" }],
    ["GET", "/a/%62", "GET /a/{id}", { id: "%62" }],
    ["POST", "/a/x/c", "POST /a/{id}/c", { id: "x" }],
    ["GET", "/a/x/y/z", "GET /a/{rest+}", { rest: "x/y/z" }],
    ["GET", "/a/b/", "GET /a/{rest+}", { rest: "b/" }],
    ["PUT", "/a/b", "PUT /a/{id}", { id: "b" }],
    ["DELETE", "/a/b", "DELETE /a/{rest+}", { rest: "b" }],
    ["GET", "/s/:/symbols/x.svg/raw", "GET /s/{path+}", { path: ":/symbols/x.svg/raw" }],
    ["GET", "/s//x", "GET /s/{path+}", { path: "/x" }],
    ["GET", "/s/../a", "GET /s/{path+}", { path: "../a" }],
    ["GET", "/a/__proto__", "GET /a/{id}", { id: "__proto__" }],
  ])("%s %s matches %s", (method, path, route, pathParameters) => {
    expect(find(method, path)).toMatchObject({ route: { functionId: route }, pathParameters });
  });

  it.each([
    ["GET", "/b"],
    ["GET", "/s"],
    ["GET", "/s/"],
    ["GET", "/a/"],
    ["GET", "//a"],
    ["POST", "/a/b"],
    ["TRACE", "/a"],
    ["GET", "/A"],
  ])("%s %s matches no route", (method, path) => {
    expect(find(method, path)).toBeNull();
  });
});
