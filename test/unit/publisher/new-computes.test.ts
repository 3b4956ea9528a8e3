/** Which changes concern a compute that clients may want to be followed from now on. */
import { expect, test } from "vitest";
import { streamOfNew } from "../../../functions/publisher/new-computes.ts";

const on = (compute_id: string) => ({ project_id: "p1", document: { compute_id } });

test.each([
  ["a new compute", "compute", undefined, { compute_id: "c1" }, ""],
  ["a changed compute", "compute", { compute_id: "c1" }, { compute_id: "c1" }, undefined],
  ["a new node on a compute", "node", undefined, on("c1"), "p1"],
  ["a new simulated node", "node", undefined, on("local"), undefined],
  ["a changed node", "node", on("c1"), on("c1"), undefined],
  ["a deleted node", "node", on("c1"), undefined, undefined],
  ["a new link", "link", undefined, { project_id: "p1" }, undefined],
] as const)("%s", (_title, source, before, after, stream) => {
  expect(streamOfNew({ source, before, after, sequenceNumber: "1", changedS: 0 })).toBe(stream);
});
