import { expect, test, vi } from "vitest";
import { RunningSign } from "../../../../functions/shared/console/running-sign.ts";

test("is one line, which has the lab time after five seconds and is erased once", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  const printed: string[] = [];
  const sign = new RunningSign(async (text) => printed.push(text));
  expect(sign.take()).toBe("");
  await sign.show();
  now.mockReturnValue(4_999);
  await sign.show(1);
  now.mockReturnValue(5_000);
  await sign.show(12.345);
  expect(printed).toEqual(["[running]", "\r\x1b[K[running, 12.3 s of lab time]"]);
  expect([sign.take(), sign.take()]).toEqual(["\r\x1b[K", ""]);
  now.mockRestore();
});
