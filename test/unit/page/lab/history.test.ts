import { expect, test } from "vitest";
import { makeHistory } from "../../../../page/src/lab/history.ts";

const change = (name: string, log: string[]) => ({
  name,
  undo: async () => log.push(`undo ${name}`),
  redo: async () => log.push(`redo ${name}`),
});

test("undoes and repeats changes, the last one first", async () => {
  const history = makeHistory();
  const log: string[] = [];
  history.note(change("one", log));
  history.note(change("two", log));
  await Promise.all([history.undo(), history.undo(), history.redo()]);
  expect(log).toEqual(["undo two", "undo one", "redo one"]);
  expect([history.lastDone.value?.name, history.lastUndone.value?.name]).toEqual(["one", "two"]);
});

test("undoes a change that is still being made when the key is pressed, and not the one before", async () => {
  const history = makeHistory();
  const log: string[] = [];
  history.note(change("one", log));
  const { promise: response, resolve: respond } = Promise.withResolvers<void>();
  history.follow(response.then(() => history.note(change("two", log))));
  const undone = history.undo();
  await new Promise(setImmediate);
  expect(log).toEqual([]);
  respond();
  await undone;
  expect(log).toEqual(["undo two"]);
});

test("goes on after a change that has failed", async () => {
  const history = makeHistory();
  const log: string[] = [];
  history.note(change("one", log));
  const failed = Promise.reject(new Error("no"));
  history.follow(failed);
  await expect(failed).rejects.toThrow("no");
  await history.undo();
  expect(log).toEqual(["undo one"]);
});
