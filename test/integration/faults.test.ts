/**
 * Every route, cut off from its stores at each of its calls, before or after the call took effect, in turn; with FAULTS=full, both.
 * A run of the tests draws the calls.
 * Afterwards no reference dangles, the response exposes no internals, and the same request or its counterpart succeeds.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GROUPS } from "../../functions/routes.ts";
import type { LocalStack } from "../../infra/local/local-stack.ts";
import { NOT_MEASURED, RECIPES, type Send, type Shot } from "../bench/recipes.ts";
import { drawOf } from "../helpers/cases/draw.ts";
import { startInMemory } from "../helpers/stack/in-memory.ts";
import { localStack } from "../helpers/stack/this-stack.ts";
import { allFaults } from "../helpers/stores/call-faults.ts";
import { FaultPlan, type FaultProxy, startFaultProxy } from "../helpers/stores/fault-proxy.ts";
import { danglingReferences } from "../helpers/stores/store-checker.ts";

const plan = new FaultPlan();
const proxies: FaultProxy[] = [];
let stack: LocalStack;

beforeAll(async () => {
  stack = await startInMemory({
    synth: localStack().assembly,
    endpoints: async ({ dynamodb, s3 }) => {
      proxies.push(await startFaultProxy(dynamodb, plan), await startFaultProxy(s3, plan));
      return { dynamodb: proxies[0]!.url, s3: proxies[1]!.url };
    },
  });
});

afterAll(async () => {
  await stack.stop();
  for (const proxy of proxies) proxy.close();
});

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

async function shoot({ method, path, body }: Shot): Promise<Answer> {
  const url = `${stack.url}/${stack.stage}${path}`;
  const response = await fetch(url, { method, body: body ?? null });
  const text = Buffer.from(await response.arrayBuffer()).toString();
  return { status: response.status, text, retryAfter: response.headers.get("retry-after") };
}

const send: Send = async (shot) => {
  const { status, text } = await shoot(shot);
  if (status >= 300) throw new Error(`${shot.method} ${shot.path}: ${status} ${text}`);
  return text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : undefined;
};

/** Counts the calls of one request that change something. */
async function countCalls(shot: Shot): Promise<number> {
  plan.clear();
  expect((await shoot(shot)).status).toBeLessThan(300);
  const { length } = plan.passed;
  plan.clear();
  return length;
}

const NAMES = GROUPS.flatMap((group) => Object.entries(group.routes))
  .filter(([name, route]) => route.method !== "GET" && !NOT_MEASURED.has(name))
  .map(([name]) => name);

const MOMENTS = ["before", "after"] as const;

const draw = allFaults ? drawOf(1) : drawOf(16);

describe(`a request that is cut off from its stores${draw.note}`, () => {
  test.each(NAMES)("%s leaves no dangling reference, and can be repeated", async (name) => {
    const recipe = RECIPES[name];
    if (recipe === undefined) throw new Error(`test/bench/recipes.ts has no request for ${name}`);
    const [counted] = await recipe(send, 1);
    const calls = await countCalls(counted!);
    for (let index = 0; index < calls; index++) {
      const turn = NAMES.indexOf(name) + index;
      if (!draw.takes(turn)) continue;
      for (const moment of allFaults ? MOMENTS : [MOMENTS[turn % 2]!]) {
        const [shot] = await recipe(send, 1);
        plan.killAt(index, moment);
        const { status, text, retryAfter } = await shoot(shot!);
        const place = `${name}, call ${index}, ${moment}: ${status} ${text}`;
        plan.clear();
        if (status >= 300) {
          expect(status, place).toBe(503);
          expect(retryAfter, place).toBe("1");
          expect(Object.keys(JSON.parse(text)).toSorted(), place).toEqual(["code", "message", "status"]);
          expect(text, place).not.toMatch(/dynamodb|127\.0\.0\.1|ECONN|socket/i);
        }
        expect(await danglingReferences(stack), place).toEqual([]);
        const again = await shoot(shot!);
        // The request took effect before, or does now; it never fails.
        expect([200, 201, 204, 404, 409], `${place}, repeated: ${again.status} ${again.text}`).toContain(
          again.status,
        );
      }
    }
    expect(await danglingReferences(stack), `${name}, repeated`).toEqual([]);
  });
});
