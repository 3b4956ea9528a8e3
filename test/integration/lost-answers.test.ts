/**
 * Every route that changes something, with each call in turn losing its response after it took effect. The SDK retries the
 * call, and the request must give its usual result. A run of the tests draws the calls. Calls that only read are included with FAULTS=full.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { GROUPS } from "../../functions/routes.ts";
import { REFUSING } from "../bench/recipes.ts";
import { drawOf } from "../helpers/cases/draw.ts";
import { FaultyService } from "../helpers/service/faulty-service.ts";
import { localStack } from "../helpers/stack/this-stack.ts";
import { allFaults } from "../helpers/stores/call-faults.ts";

let service: FaultyService;

beforeAll(async () => {
  service = await FaultyService.start({}, localStack().assembly);
}, 180_000);

afterAll(() => service?.stop());

const NAMES = GROUPS.flatMap((group) => Object.entries(group.routes))
  .filter(([, route]) => route.method !== "GET")
  .map(([name]) => name);

const draw = allFaults ? drawOf(1) : drawOf(16);

test.each(NAMES)(
  `%s gives its usual result when a response of the stores is lost${draw.note}`,
  async (name) => {
    const calls = await service.callsOf(name);
    for (const [index, { changes }] of calls.entries()) {
      if (!changes && !allFaults) continue;
      if (!draw.takes(NAMES.indexOf(name) + index)) continue;
      const shot = await service.freshShot(name);
      service.plan.strike(index, () => "cut-after");
      const answer = await service.shoot(shot, crypto.randomUUID());
      const isStruck = service.plan.struck;
      service.plan.clear();
      const place = `${name}, call ${index} (${calls[index]!.name}): ${answer.status} ${answer.bytes}`;
      expect(isStruck, place).toBe(true);
      if (REFUSING.has(name)) expect([404, 409], place).toContain(answer.status);
      else expect(answer.status, place).toBeLessThan(300);
      const once = await service.look(shot.path);
      // An upload that is written twice replaces itself: its own bytes are not the old ones to be deleted.
      if (/^put(SymbolRaw|ProjectFile|NodeFile)$/.test(name)) expect(once, place).toBe(shot.body);
      if (name === "deleteSymbolRaw") expect(once, place).toBeUndefined();
      if (/\/(start|stop|suspend|open|close|start_capture|stop_capture)$/.test(shot.path)) {
        await service.send(shot);
        expect(await service.look(shot.path), place).toEqual(once);
      }
    }
    expect(await service.dangling()).toEqual([]);
  },
  120_000,
);
