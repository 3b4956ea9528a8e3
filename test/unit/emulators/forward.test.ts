import { describe, expect, test } from "vitest";
import { forwardedPath } from "../../../functions/emulators/forward.ts";

describe("what is forwarded to a compute", () => {
  test.each([
    ["qemu", "images/router 1.img", "/qemu/images/router%201.img"],
    ["dynamips", "images/a/b.image", "/dynamips/images/a/b.image"],
    ["network", "interfaces", "/network/interfaces"],
    ["qemu", "images/100%?x#y", "/qemu/images/100%25%3Fx%23y"],
  ])("%s %s is %s", (emulator, action, path) => {
    expect(forwardedPath(emulator, action)).toBe(path);
  });

  test.each([
    ["projects", "0b5a4c1e-7c0d-4a55-9d0e-5b7d6b1e2f01/close"],
    ["qemu", "../projects"],
    ["qemu", "images/../../shutdown"],
    ["qemu", "images/./x"],
    ["qemu", "images//x"],
    ["..", "shutdown"],
    ["notifications", "ws"],
  ])("%s %s is not", (emulator, action) => {
    expect(() => forwardedPath(emulator, action)).toThrow(
      expect.objectContaining({ code: "compute.action-not-found", status: 404 }),
    );
  });
});
