/** What a console prints of the limit that ended a run: the run is a stand-in. */
import { beforeEach, expect, test, vi } from "vitest";
import { runLines } from "../../../../functions/shared/console/run-lines.ts";

const typeLines = vi.hoisted(() => vi.fn());
vi.mock("../../../../functions/shared/run/type-lines.ts", () => ({ typeLines }));

const ACCESS = { caller: { name: "eva", role: "editor" }, needed: "editor" } as const;
const KEY = { project_id: "p", node_id: "n", connection_id: "c" };

/** @param commands the indexes of the lines that printed something. @param limit the one that ended the run. */
async function noticeOf(count: number, commands: readonly number[], limit?: string) {
  typeLines.mockResolvedValueOnce({
    run: { simulation: { nodes: new Map(), stopped: limit && { reason: "limit", limit } } },
    session: { printed: commands.map((command) => ({ command, atNs: 0, text: "x" })) },
  });
  const lines = new Array<string>(count).fill("ping -t");
  const { notice } = await runLines(
    ACCESS,
    KEY,
    lines,
    () => 29_000,
    () => false,
  );
  return notice;
}

beforeEach(() => typeLines.mockReset());

test("a run that ends by itself has no notice", async () => {
  expect(await noticeOf(1, [0])).toBeUndefined();
});

test.each([
  ["lab_seconds", "600 seconds of lab time"],
  ["output_characters", "131072 characters of output"],
  ["packets", "the limit packets"],
])("the limit %s is named", async (limit, name) => {
  expect(await noticeOf(1, [0], limit)).toBe(`Stopped after ${name}.`);
});

test("the lines that the run did not come to are counted", async () => {
  expect(await noticeOf(4, [0, 0, 1], "lab_seconds")).toMatch(/; 2 more lines were not typed\.$/);
  expect(await noticeOf(2, [0, 1], "lab_seconds")).not.toContain("more lines");
  expect(await noticeOf(3, [], "lab_seconds")).toContain("; 3 more lines were");
});
