/**
 * Functions that die at each call to a compute, before the compute got it or after the compute did it. A client that repeats its requests
 * gets the lab that it wanted, and the computes have that lab and nothing else.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CallCount, type Moment } from "../helpers/rig/compute-proxy.ts";
import { computePrograms, NEEDED } from "../helpers/rig/programs.ts";
import { Rig } from "../helpers/rig/rig.ts";

/** Shorter than the patience of a function with a compute, and longer than all that a request does. */
const TIMEOUT_SECONDS = 6;
const ATTEMPTS = 4;

describe.skipIf(computePrograms === undefined)(`functions that die at calls to computes (${NEEDED})`, () => {
  const count = new CallCount();
  let rig: Rig;
  beforeAll(async () => {
    rig = await Rig.start(2, { count, timeoutSeconds: TIMEOUT_SECONDS });
  });
  afterAll(() => rig?.stop());

  /** Repeats a request as a careful client does, until it succeeds. @returns the body of the last response. */
  async function insist(method: string, path: string, body?: unknown) {
    for (let attempt = 1; ; attempt++) {
      const { status, json } = await rig.call(method, path, body);
      if (status < 300) return json;
      // The request before has deleted it.
      if (method === "DELETE" && status === 404) return undefined;
      if (attempt === ATTEMPTS) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
    }
  }

  const uuid = (): string => crypto.randomUUID();

  /** Makes two linked nodes, starts them, changes a filter, and removes all of it. */
  async function scenario(): Promise<{ during: unknown; after: unknown }> {
    const { project_id } = await rig.done("POST", "/projects", { name: uuid() });
    const project = `/projects/${project_id}`;
    const ids = [uuid(), uuid()];
    for (const [index, node_id] of ids.entries())
      await insist("POST", `${project}/nodes`, {
        name: `PC${index}`,
        node_id,
        node_type: "vpcs",
        compute_id: rig.ids[index],
      });
    const nodes = ids.map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
    const { status, json } = await rig.call("POST", `${project}/links`, { nodes });
    let link = json?.link_id;
    if (status >= 300) {
      const [left] = await rig.done("GET", `${project}/links`);
      link = left?.link_id ?? (await insist("POST", `${project}/links`, { nodes })).link_id;
    }
    for (const id of ids) await insist("POST", `${project}/nodes/${id}/start`);
    await insist("PUT", `${project}/links/${link}`, { filters: { delay: [10, 0] } });
    const during = await stateOf(project_id, ids);
    await insist("DELETE", `${project}/links/${link}`);
    for (const id of ids) await insist("DELETE", `${project}/nodes/${id}`);
    const after = await stateOf(project_id, ids);
    await insist("DELETE", project);
    return { during, after };
  }

  /** What the computes have of a lab. */
  const stateOf = (project_id: string, ids: readonly string[]) =>
    Promise.all(
      rig.computes.map(async (compute, index) => {
        const node = await compute.call("GET", `/projects/${project_id}/vpcs/nodes/${ids[index]}`);
        const { status } = (await node.json()) as { status: string | number };
        return { status };
      }),
    );

  const WHOLE = {
    during: [{ status: "started" }, { status: "started" }],
    after: [{ status: 404 }, { status: 404 }],
  };

  test("leave no lab between before and after", { timeout: 1_800_000 }, async () => {
    count.reset();
    expect(await scenario()).toEqual(WHOLE);
    const calls = count.calls;
    expect(calls.length).toBeGreaterThan(10);
    const broken: unknown[] = [];
    for (const index of calls.keys()) {
      for (const moment of ["before", "after"] as Moment[]) {
        count.reset(index, moment);
        try {
          expect(await scenario()).toEqual(WHOLE);
        } catch (error) {
          broken.push(`${moment} ${calls[index]}: ${(error as Error).message}`);
        }
      }
    }
    expect(broken).toEqual([]);
  });
});
