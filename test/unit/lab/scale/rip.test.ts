import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { runLab } from "@wirelab/lab/run-lab";
import { expect, test } from "vitest";
import { countSteps } from "../../../helpers/count-steps.ts";
import { ripGrid } from "../../../helpers/rip-grid.ts";

test("RIP among 100 routers takes few steps for an event, and its frames are what they were", () => {
  const model = parseLabFile(ripGrid(10), { name: "x" });
  let report: ReturnType<typeof runLab> | undefined;
  const steps = countSteps(() => {
    report = runLab(model);
  }, "/router/rip/");
  expect(report).toMatchObject({ events: 12_108, digest: "fa1e95be0dfdfb8ba42245bc14729d4a" });
  // They were 931 for an event while each change sorted the table and looked through all deadlines.
  expect(steps / report!.events).toBeLessThan(600);
});
