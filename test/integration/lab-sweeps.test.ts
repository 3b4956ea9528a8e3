/** POST /labs/sweep: the state machine of the stack plays the cases of a lab file. */
import { expect, test } from "vitest";
import { client } from "../helpers/service/lab.ts";
import { settles } from "../helpers/settles.ts";

const LAB = [
  "nodes: {a: 10.0.0.1/24, b: 10.0.0.2/24, s: switch}",
  "links: [a -- s, b -- s]",
  "expect: [reach: a -> b]",
].join("\n");

const start = (query: string) => client.call("POST", `/labs/sweep${query}`, { raw: LAB });

/** Starts a sweep as soon as no other one of this stack's caller runs. */
const startInTurn = (query: string) =>
  settles(
    async () => {
      const answer = await start(query);
      expect(answer.status).toBe(202);
      return answer;
    },
    { timeout: 40_000, interval: 500 },
  );

test("plays each failure, and reports those that the lab does not survive", async () => {
  const { status, json } = await startInTurn("?links=2");
  expect({ status, json }).toEqual({ status: 202, json: { sweep_id: expect.any(String), cases: 4 } });
  const path = `/labs/sweep/${json.sweep_id}`;
  await settles(async () => expect((await client.get(path)).json.status).toBe("finished"));
  const { failing, ...sums } = (await client.get(path)).json;
  expect(sums).toMatchObject({ cases: 4, done: 4, passed: 1, failed: 3, undecided: 0 });
  const failures = ["a-s", "b-s"].map((name) => `link:${name}`);
  expect(failing.map((each: { failures: string[] }) => each.failures)).toEqual([
    [failures[0]],
    [failures[1]],
    failures,
  ]);
  expect(failing[0]).toMatchObject({ status: "failed", verdicts: [{ status: "failed", got: "no reply" }] });
});

test("two requests at once start one sweep, which can be cancelled", async () => {
  const { json: before } = await startInTurn("?seeds=2");
  await client.delete(`/labs/sweep/${before.sweep_id}`);
  const answers = await Promise.all([start("?seeds=1000"), start("?seeds=1000")]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409]);
  const { json: started } = answers.find(({ status }) => status === 202)!;
  const { json: refused } = answers.find(({ status }) => status === 409)!;
  expect(refused).toMatchObject({
    code: "sweep.running",
    message: expect.stringContaining(started.sweep_id),
  });
  const path = `/labs/sweep/${started.sweep_id}`;
  expect((await client.delete(path)).status).toBe(204);
  await settles(async () => expect((await client.get(path)).json).toMatchObject({ status: "cancelled" }));
});

test("refuses more cases than its limit, and a sweep that is not the caller's", async () => {
  expect(await start("?seeds=1000&links=2")).toMatchObject({
    status: 400,
    json: { message: expect.stringContaining("makes 4000 cases; the limit is 2000") },
  });
  const path = `/labs/sweep/${crypto.randomUUID()}`;
  for (const method of ["GET", "DELETE"]) {
    expect(await client.call(method, path)).toMatchObject({ status: 404, json: { code: "sweep.not-found" } });
  }
});
