/** A request whose lab has Linux nodes: what it stores, for how long it waits, and what it returns. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const objects = new Map<string, string>();
vi.mock("../../../functions/shared/store/base/objects.ts", () => ({
  putObject: async (key: string, bytes: Uint8Array) => void objects.set(key, new TextDecoder().decode(bytes)),
  readObject: async (key: string) => {
    const text = objects.get(key);
    return text === undefined ? undefined : new TextEncoder().encode(text);
  },
}));
const executions = vi.hoisted(() => ({ startExecution: vi.fn(), executionState: vi.fn() }));
vi.mock("../../../functions/shared/store/base/executions.ts", () => executions);
vi.mock("node:timers/promises", () => ({
  setTimeout: async (ms: number) => vi.setSystemTime(Date.now() + ms),
}));
vi.mock("../../../functions/shared/store/project/project.ts", () => ({
  getProject: async () => ({}),
  existingProject: (project: object) => project,
}));

const { startRun } = await import("../../../functions/shared/run/start-run.ts");
const { getRun } = await import("../../../functions/runs/get-run.ts");
const { withGuestRuns } = await import("../../../functions/shared/run/with-guest-runs.ts");
const { load } = await import("../../../functions/shared/edge/load.ts");
const { failureOf } = await import("../../../functions/shared/edge/errors.ts");
const { GUEST_ERRORS } = await import("../../../functions/shared/edge/own-errors/guest.ts");

const access = { caller: { name: "ann", role: "editor" }, needed: "editor" };
const REQUEST = {
  access,
  params: { project_id: "p" },
  body: { consoles: [] },
  headers: { prefer: "wait=20" },
  origin: { protocol: "http", host: "h", port: 1 },
} as unknown as Parameters<typeof startRun>[1];

/** The folder of the only run that was started. */
const folder = (): string => executions.startExecution.mock.calls[0]![1].run;
const put = (name: string, value: object) => objects.set(`${folder()}/${name}.json`, JSON.stringify(value));
const read = (run_id: string, name = "ann") =>
  getRun({
    access: { caller: { name, role: "editor" }, needed: "viewer" },
    params: { project_id: "p", run_id },
  } as never) as Promise<{ body: Record<string, unknown> }>;

beforeEach(() => {
  vi.useFakeTimers();
  objects.clear();
  executions.startExecution.mockReset();
  executions.executionState.mockReset().mockResolvedValue("running");
});
afterEach(() => vi.useRealTimers());

const FINISHED = { answer: { status: 200, headers: { "x-run-limit": "events" }, body: { stopped: "idle" } } };
const APPLIED = { "preference-applied": "wait=20" };
const ANSWER = { ...FINISHED.answer, headers: { ...FINISHED.answer.headers, ...APPLIED } };

test("without a preference, returns the run's address at once", async () => {
  const beganMs = Date.now();
  const begun = await startRun("runLab", { ...REQUEST, headers: {} });
  expect(Date.now()).toBe(beganMs);
  const { run_id } = begun.body as { run_id: string };
  expect(begun).toEqual({
    status: 202,
    headers: { location: `/v2/projects/p/runs/${run_id}` },
    body: { run_id, status: "running", elapsed: 0, answer: null, error: null },
  });
  expect(executions.startExecution).toHaveBeenCalledOnce();
});

test("the address of a lab file's run is a query", async () => {
  const { headers } = await startRun("runLabFile", {
    ...REQUEST,
    headers: {},
    params: { project_id: "lab-files" } as never,
  });
  expect(headers!.location).toMatch(/^\/v2\/labs\/run\?run_id=[0-9a-f-]{36}$/);
});

test("waits for the seconds that the client prefers, and says so", async () => {
  const beganMs = Date.now();
  const begun = await startRun("runLab", { ...REQUEST, headers: { prefer: "respond-async, wait=3" } });
  expect(begun).toMatchObject({ status: 202, headers: { "preference-applied": "wait=3" } });
  expect(Date.now() - beganMs).toBeGreaterThanOrEqual(3_000);
  expect(Date.now() - beganMs).toBeLessThan(4_000);
});

test("stores the request, starts the run once, and returns its answer", async () => {
  executions.startExecution.mockImplementation(async () => put("outcome", FINISHED));
  expect(await startRun("runLab", REQUEST)).toEqual(ANSWER);
  expect(executions.startExecution.mock.calls).toEqual([
    [expect.any(String), { run: folder() }, "GUEST_MACHINE"],
  ]);
  const stored = JSON.parse(objects.get(`${folder()}/request.json`)!);
  expect(stored).toMatchObject({
    operation: "runLab",
    params: { project_id: "p" },
    body: { consoles: [] },
    access,
  });
});

test("waits for 20 seconds at most, and the run is read with its progress, then with its answer", async () => {
  const beganMs = Date.now();
  const headers = { prefer: "wait=900" };
  const { status, body, ...begun } = await startRun("runLab", { ...REQUEST, headers });
  expect(status).toBe(202);
  expect(begun.headers).toMatchObject(APPLIED);
  expect(Date.now() - beganMs).toBeGreaterThanOrEqual(20_000);
  expect(Date.now() - beganMs).toBeLessThan(21_000);
  const { run_id } = body as { run_id: string };
  expect(body).toEqual({ run_id, status: "running", elapsed: 0, answer: null, error: null });
  put("progress", { elapsed: 12.5 });
  expect((await read(run_id)).body).toEqual({
    run_id,
    status: "running",
    elapsed: 12.5,
    answer: null,
    error: null,
  });
  put("outcome", FINISHED);
  executions.executionState.mockResolvedValue("finished");
  expect((await read(run_id)).body).toMatchObject({
    status: "finished",
    answer: { status: 200, body: { stopped: "idle" } },
  });
  await expect(read(run_id, "bob")).rejects.toMatchObject({ code: "run.not-found" });
});

test("throws the error of the run, which is also in what a client reads", async () => {
  const facts = { name: "L1", image: "frr" };
  executions.startExecution.mockImplementation(async () =>
    put("outcome", { error: { code: "node.no-linux-image", facts } }),
  );
  await expect(startRun("startNode", REQUEST)).rejects.toMatchObject({
    status: 409,
    code: "node.no-linux-image",
    facts,
  });
  expect((await read(executions.startExecution.mock.calls[0]![0])).body).toMatchObject({
    status: "failed",
    error: {
      code: "node.no-linux-image",
      status: 409,
      message: expect.stringContaining("wirelab image push frr"),
    },
  });
});

test("reports a run whose function has failed, and one that has ended without an outcome", async () => {
  executions.executionState.mockResolvedValue("failed");
  await expect(startRun("runLab", REQUEST)).rejects.toMatchObject({ status: 500, code: "run.guests-failed" });
  expect((await read(executions.startExecution.mock.calls[0]![0])).body).toMatchObject({
    status: "failed",
    error: { code: "run.guests-failed" },
  });
});

test("a request that is repeated with its key starts no second run", async () => {
  const receipt = { id: "i", holder: "h", origin: "0b9f3f3c-0000-4000-8000-000000000001", user: "ann" };
  expect((await startRun("runLab", { ...REQUEST, receipt })).status).toBe(202);
  put("outcome", FINISHED);
  executions.executionState.mockResolvedValue("finished");
  expect(await startRun("runLab", { ...REQUEST, receipt })).toEqual(ANSWER);
  expect(executions.startExecution).toHaveBeenCalledOnce();
});

test("a request whose lab has no Linux node that is on is carried out at once; other errors stay", async () => {
  const needsGuests = failureOf(GUEST_ERRORS, "node.needs-guests", { name: "L1" });
  const operations = {
    here: async (_request: object): Promise<unknown> => "done",
    there: async (_request: object) => Promise.reject(needsGuests),
    broken: async (_request: object) => Promise.reject(new Error("broken")),
  };
  const later = withGuestRuns(load(async () => operations, ["here", "there", "broken"]));
  const [here, there, broken] = [
    await later.here.load(),
    await later.there.load(),
    await later.broken.load(),
  ];
  executions.startExecution.mockImplementation(async () => put("outcome", FINISHED));
  expect(await here(REQUEST)).toBe("done");
  await expect(broken(REQUEST)).rejects.toThrow("broken");
  expect(executions.startExecution).not.toHaveBeenCalled();
  expect(await there(REQUEST)).toEqual(ANSWER);
});
