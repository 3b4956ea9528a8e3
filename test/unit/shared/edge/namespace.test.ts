import { expect, test } from "vitest";
import { namespaceOf, namespaceUser } from "../../../../functions/shared/edge/namespace.ts";
import { isNamespaceName } from "../../../../functions/shared/schemas/namespace-name.ts";
import { isUserName } from "../../../../functions/shared/store/user/user.ts";

test("the user of a namespace names it, and other users name none", () => {
  expect(namespaceOf(namespaceUser("pr-12"))).toBe("pr-12");
  for (const user of ["pr-12", "ann@example.com", "@namespaces.example", undefined])
    expect(namespaceOf(user)).toBeUndefined();
});

test.each(["pr-12", "a", "7", "Feature_x.y", "x".repeat(40)])(
  "%s is a name, and makes one of a user",
  (name) => {
    expect(isNamespaceName(name)).toBe(true);
    expect(isUserName(namespaceUser(name))).toBe(true);
  },
);

test.each(["", "-a", "a b", "a/b", "a@b", "a~b", "a\tb", "ä", "x".repeat(41)])("%j is none", (name) => {
  expect(isNamespaceName(name)).toBe(false);
});
