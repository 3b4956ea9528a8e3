import { describe, expect, test } from "vitest";
import { admit, SERVICE } from "../../../../functions/shared/edge/access.ts";
import type { Caller } from "../../../../functions/shared/edge/principal.ts";
import type { Route } from "../../../../functions/shared/edge/route.ts";

const route = (fields: Partial<Route> = {}): Route => ({
  method: "GET",
  path: "/things",
  summary: "s",
  responses: {},
  errors: [],
  ...fields,
});
const viewer: Caller = { name: "v", role: "viewer" };
const editor: Caller = { name: "e", role: "editor" };
const admin: Caller = { name: "a", role: "admin" };

describe("a route admits", () => {
  test.each([
    ["GET", [viewer, editor, admin], []],
    ["POST", [editor, admin], [viewer]],
    ["PUT", [editor, admin], [viewer]],
    ["DELETE", [editor, admin], [viewer]],
  ] as const)("by default, to %s, no more than these", (method, admitted, refused) => {
    for (const caller of admitted) expect(admit(route({ method }), caller).caller).toBe(caller);
    for (const caller of refused)
      expect(() => admit(route({ method }), caller)).toThrow("This takes the role editor; yours is viewer");
  });

  test("callers with the role that it declares, for any method", () => {
    expect(admit(route({ role: "admin" }), admin).needed).toBe("admin");
    expect(() => admit(route({ role: "admin" }), editor)).toThrow(expect.objectContaining({ status: 403 }));
    expect(admit(route({ method: "POST", role: "viewer" }), viewer).needed).toBe("viewer");
  });

  test("no caller without a name, unless the route is public", () => {
    expect(() => admit(route(), undefined)).toThrow("This takes the role viewer; yours is none");
    expect(admit(route({ role: "public" }), undefined).caller).toMatchObject({
      role: "viewer",
      isAnonymous: true,
    });
    expect(admit(route({ role: "public" }), editor).caller).toBe(editor);
  });
});

test("the service's own work has the access of an admin", () => {
  expect(admit(route({ role: "admin" }), SERVICE.caller)).toEqual(SERVICE);
});
