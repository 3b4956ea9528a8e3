/** The numbers of IOU nodes go round: the table's answers are given here. */
import { expect, test, vi } from "vitest";

process.env.TABLE_NAME = "table";
process.env.AWS_REGION = "eu-central-1";
const { table } = await import("../../../../functions/shared/store/base/table.ts");
const { nextIouNumber } = await import("../../../../functions/shared/store/base/iou-number.ts");

test.each([
  [1, 1],
  [2, 2],
  [511, 511],
  [512, 1],
  [1_023, 1],
])("after %i numbers were given, the last one is %i", async (given, expected) => {
  vi.spyOn(table.documentClient!, "send").mockImplementation(
    async () => ({ Attributes: { given } }) as never,
  );
  expect(await nextIouNumber("lab-1")).toBe(expected);
});
