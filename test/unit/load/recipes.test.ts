/** The requests of test/bench/recipes.ts, which several tests and measurements send. */
import { describe, expect, test } from "vitest";
import { RECIPES, type Send } from "../../bench/recipes.ts";

const created = { project_id: "p", node_id: "n", link_id: "l", drawing_id: "d", compute_id: "c" };

/** Collects the values of PUT requests: those of two preparations, and what resources had from their creation. */
async function valuesOf(routes: readonly string[]): Promise<unknown[]> {
  const values: unknown[] = [];
  const send: Send = async () => created;
  for (let round = 0; round < 2; round++) {
    for (const route of routes) {
      const shots = await RECIPES[route]!(send, 3);
      values.push(...shots.map(({ body }) => Object.values(JSON.parse(String(body)))[0]));
    }
  }
  return values;
}

describe("each request changes what is stored", () => {
  test.each([
    { routes: ["updateSimVm", "updateGns3Vm"], stored: 2048 },
    { routes: ["updateProject"], stored: 100 },
    { routes: ["updateNode"], stored: 0 },
    { routes: ["updateDrawing"], stored: 0 },
    { routes: ["updateCompute"], stored: 1 },
  ])("$routes", async ({ routes, stored }) => {
    const values = await valuesOf(routes);
    expect(new Set([stored, ...values]).size).toBe(values.length + 1);
  });
});
