/** GET /labs/run: a run is stored with the keys of its captures, and each answer has URLs of its own. */
import { beforeEach, expect, test, vi } from "vitest";

const objects = new Map<string, Uint8Array>();
let signed = 0;
vi.mock("../../../functions/shared/store/base/objects.ts", () => ({
  readObject: async (key: string) => objects.get(key),
  putObject: async (key: string, bytes: Uint8Array) => objects.set(key, bytes),
  presignObject: async (key: string, disposition: string) => `${key} ${disposition} ${++signed}`,
}));
vi.mock("../../../functions/shared/store/base/executions.ts", () => ({
  executionState: async () => "finished",
}));
const { getLabRun } = await import("../../../functions/labs/get-lab-run.ts");
const { LAB_FILES, runFolder, saveOutcome, saveRequest } = await import(
  "../../../functions/shared/run/stored-run.ts"
);

const access = { caller: { name: "ann" } } as never;
const folder = runFolder(access, LAB_FILES, "one");
const read = async () => (await getLabRun({ access, query: { run_id: "one" } } as never)).body as never;

beforeEach(() => saveRequest(folder, { operation: "runLabFile", params: {}, body: {}, access }));

test("each answer has new URLs of the captures", async () => {
  const captures = [{ verdict: 3, key: "labs/x/expectation-4.pcapng", bytes: 10 }];
  await saveOutcome(folder, { answer: { status: 200, body: { status: "failed", captures } } });
  const answerWith = (count: number) => ({
    status: "finished",
    answer: {
      status: 200,
      body: {
        status: "failed",
        captures: [
          {
            verdict: 3,
            url: `labs/x/expectation-4.pcapng attachment; filename="expectation-4.pcapng" ${count}`,
            bytes: 10,
          },
        ],
      },
    },
  });
  expect(await read()).toMatchObject(answerWith(1));
  expect(await read()).toMatchObject(answerWith(2));
});

test("a report without captures, and a run that has failed, are as they are stored", async () => {
  await saveOutcome(folder, { answer: { status: 200, body: { status: "passed" } } });
  expect(await read()).toMatchObject({ answer: { body: { status: "passed" } } });
  expect(await read()).not.toHaveProperty("answer.body.captures");
  await saveOutcome(folder, { error: { code: "request.out-of-time", facts: {} } });
  expect(await read()).toMatchObject({ status: "failed", answer: null });
});
