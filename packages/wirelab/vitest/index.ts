/**
 * Tests of labs with vitest:
 *
 *     import { expect, test } from "wirelab/vitest";
 *     test("pc1 reaches pc2", ({ lab }) => {
 *       const net = lab({ nodes: { pc1: "10.0.0.1/24", pc2: "10.0.0.2/24" }, links: ["pc1 -- pc2"] });
 *       expect(net).toReach("pc1 -> pc2");
 *     });
 */
import { dirname } from "node:path";
import { expect, type TestAPI, test as vitestTest } from "vitest";
import { openLab } from "./lab.ts";
import { matchers } from "./matchers.ts";
import type { Lab, LabMatchers, LabSpec } from "./types.ts";

declare module "vitest" {
  interface Matchers<R extends void | Promise<void>, T> extends LabMatchers<R> {}
}

expect.extend(matchers as never);

export interface LabFixtures {
  /** Reads a lab: an object, or the name of a lab file relative to the test. @throws LabFileError */
  readonly lab: (source: LabSpec | string) => Lab;
}

export const test: TestAPI<LabFixtures> = vitestTest.extend<LabFixtures>({
  lab: async ({ task }, use) => {
    await use((source) => openLab(source, dirname(task.file.filepath)));
  },
});
export { describe } from "vitest";
export type * from "./types.ts";
export { expect };
