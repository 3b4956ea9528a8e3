/**
 * The tests of test/integration/call-faults: each route, with a fault at each of its calls to the stores. An error that the client
 * may retry says so. The state afterwards is the one before the request or the one after it, without dangling references.
 *
 * Most calls are the same in several routes, so each call gets one of the faults that it can have, in rotation over calls and routes.
 * A run of the tests draws the calls; with CASES=all, each call gets a fault. With FAULTS=full, each call gets every fault, which takes three times as long.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GROUPS } from "../../../functions/routes.ts";
import { REFUSING } from "../../bench/recipes.ts";
import { drawOf } from "../cases/draw.ts";
import { localStack } from "../stack/this-stack.ts";
import { allFaults, conditionsOf, conflict, type Fault, refuse, throttle } from "../stores/call-faults.ts";
import type { StoreCall } from "../stores/store-proxy.ts";
import { type Answer, CUT_OFF, FaultyService } from "./faulty-service.ts";

/** Groups that one file tests; a third file tests the routes of all other groups. */
export const LAB_GROUPS = ["nodes", "links", "runs", "captures", "follow"];
export const PROJECT_GROUPS = ["projects", "drawings", "snapshots", "copies", "files", "archives"];

export const routesOf = (isTested: (group: string) => boolean): string[] =>
  GROUPS.filter(({ name }) => isTested(name)).flatMap(({ routes }) => Object.keys(routes));

const ROUTES = routesOf(() => true);

const draw = allFaults ? drawOf(1) : drawOf(16);

let service: FaultyService;

let wrong: string[] = [];

/** Sends a request of the route, injects the fault at call number `index`, and checks the response and the state afterwards. */
async function strike(name: string, index: number, what: string, fault: Fault): Promise<void> {
  const shot = await service.freshShot(name);
  const changes = shot.method !== "GET";
  const key = crypto.randomUUID();
  const before = changes && (await service.look(shot.path));
  service.plan.strike(index, fault);
  const answer = await service.shoot(shot, key);
  const { name: call = "none" } = service.plan.calls[index] ?? {};
  service.plan.clear();
  const place = `${name}: ${what} at call ${index} (${call}): ${answer.status}`;
  const complain = (message: string): void => void wrong.push(`${place}: ${message}`);
  // These routes refuse every request, once they have counted it.
  const isRefused = ({ status }: Answer): boolean => REFUSING.has(name) && [403, 404, 409].includes(status);
  if (answer.status === CUT_OFF && changes) complain("the response was cut off");
  if (!isRefused(answer)) checkAnswer(answer, what, complain);
  if (!changes) return;
  const between = await service.look(shot.path);
  const again = await service.shootUntilServed(shot, key);
  if (![200, 201, 202, 204, 404, 409].includes(again.status) && !isRefused(again))
    complain(`repeated: ${again.status} ${again.bytes}`);
  const after = await service.look(shot.path);
  const is = (state: unknown): boolean => JSON.stringify(between) === JSON.stringify(state);
  const allowed = answer.status < 300 ? is(after) : is(before) || is(after);
  if (!allowed) {
    const [toBefore, toAfter] = [before, after].map((state) => differences(state, between).join(", "));
    complain(`is between: other than before in ${toBefore}; other than after in ${toAfter}`);
  }
}

/** Paths of the first few differences, with both values. */
function differences(one: unknown, other: unknown, path = ""): string[] {
  if (JSON.stringify(one) === JSON.stringify(other)) return [];
  if (!isObject(one) || !isObject(other)) {
    return [`${path} (${JSON.stringify(one)} is ${JSON.stringify(other)})`.slice(0, 200)];
  }
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].flatMap((key) => differences(one[key], other[key], `${path}.${key}`)).slice(0, 5);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** A failed condition may be reported as a conflict. All other faults are the stores': 503. */
function checkAnswer(
  { status, bytes, retryAfter }: Answer,
  what: string,
  complain: (m: string) => void,
): void {
  if (status < 300) return;
  if (what === "refused" && [403, 404, 409, 429].includes(status)) return;
  const { message, code, ...rest } = JSON.parse(bytes.toString());
  const isKnown = /^(store\.(busy|unavailable)|request\.out-of-time)$/.test(code);
  const saysSo = /try again/.test(message) && isKnown && JSON.stringify(rest) === '{"status":503}';
  if (status !== 503 || retryAfter !== "1" || !saysSo) complain(`${bytes}`);
}

/**
 * Returns the index of the transaction that makes a large commit valid. What follows writes its changes out; such a write is refused
 * only if a later change exists, so a refusal without one is not a fault that can occur.
 */
function indexOfCommit(calls: readonly StoreCall[]): number {
  const stored = calls.findIndex(({ name }) => name.startsWith("PUT /") && name.includes("/commits/"));
  return stored === -1 ? Number.POSITIVE_INFINITY : stored + 1;
}

/** @param canBeRefused whether a condition of the call can fail when the request is the only one. */
function faultsOf(call: StoreCall, canBeRefused: boolean): readonly (readonly [string, Fault])[] {
  const conditions = conditionsOf(call);
  const refusals = canBeRefused ? [...conditions.keys()] : [];
  const faults: (readonly [string, Fault] | undefined)[] = [
    ["throttled", throttle],
    ["unanswered", () => "hang-after"],
    call.changes ? ["cut after", () => "cut-after"] : undefined,
    conditions.length > 0 ? ["conflict", conflict] : undefined,
    ...refusals.map((nth) => ["refused", refuse(nth)] as const),
  ];
  return faults.filter((fault) => fault !== undefined);
}

/** @param names of routes. The usage counts all projects in batches of a few, so `getUsage` is first: then there are few projects. */
export function testFaults(names: readonly string[]): void {
  beforeAll(async () => {
    // Each fault reaches the service: the SDK does not retry.
    const environment = { AWS_MAX_ATTEMPTS: "1", STORE_TIMEOUT_MS: "600" };
    service = await FaultyService.start(environment, localStack().assembly);
  }, 300_000);

  afterAll(() => service?.stop());

  describe(`a fault at any call to a store${draw.note}`, () => {
    test.each(names)(
      "%s: returns a retryable error or succeeds, and leaves nothing half done",
      async (name) => {
        wrong = [];
        const calls = await service.callsOf(name);
        const committed = indexOfCommit(calls);
        for (const [index, call] of calls.entries()) {
          const turn = ROUTES.indexOf(name) + index;
          if (!draw.takes(turn)) continue;
          const faults = faultsOf(call, index <= committed);
          const chosen = allFaults ? faults : [faults[turn % faults.length]!];
          for (const [what, fault] of chosen) await strike(name, index, what, fault);
        }
        wrong.push(...(await service.dangling()));
        expect(wrong.join("\n")).toBe("");
      },
      900_000,
    );
  });
}
