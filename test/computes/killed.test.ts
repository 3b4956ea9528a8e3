/**
 * Functions whose time ends at each call to a compute, before the compute got it or after the compute did it. A client that repeats its
 * requests gets the lab that it wanted, and the computes have that lab and nothing else.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forEachParallel } from "../../functions/shared/store/base/parallel.ts";
import { CallCount, type Moment } from "../helpers/rig/compute-proxy.ts";
import { computePrograms, NEEDED } from "../helpers/rig/programs.ts";
import { Rig } from "../helpers/rig/rig.ts";

/** Shorter than the patience of a function with a compute, and longer than the time that a function reserves for its response. */
const TIMEOUT_SECONDS = 8;
/** Together longer than the time after which another function takes over. */
const ATTEMPTS = 6;
/** Most of a scenario is waiting for that time. */
const PARALLEL = 6;

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

  /** Creates a link as a careful client does, which looks whether a failed request has created it. */
  async function join(project: string, nodes: readonly object[]): Promise<string> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const { status, json } = await rig.call("POST", `${project}/links`, { nodes });
      if (status < 300) return json.link_id;
      const [left] = await rig.done("GET", `${project}/links`);
      // A change waits until what is being done with the link has ended: it may end with no link.
      if (left && (await isSettled(`${project}/links/${left.link_id}`))) return left.link_id;
    }
    throw new Error("No link could be created");
  }

  async function isSettled(link: string): Promise<boolean> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const { status } = await rig.call("PUT", link, { suspend: false });
      if (status < 300) return true;
      if (status === 404) return false;
    }
    throw new Error(`${link} does not settle`);
  }

  const uuid = (): string => crypto.randomUUID();

  /** Makes two linked nodes, starts them, changes a filter, and removes all of it. */
  async function scenario(project_id: string): Promise<{ during: unknown; after: unknown }> {
    await rig.done("POST", "/projects", { name: uuid(), project_id });
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
    const link = await join(project, nodes);
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
    const whole = uuid();
    expect(await scenario(whole)).toEqual(WHOLE);
    const calls = count.callsOf(whole);
    expect(calls.length).toBeGreaterThan(10);
    const deaths = [...calls.keys()].flatMap((index) =>
      (["before", "after"] as Moment[]).map((moment) => ({ index, moment })),
    );
    const broken: unknown[] = [];
    await forEachParallel(deaths, PARALLEL, async ({ index, moment }) => {
      const projectId = uuid();
      count.chooseDeath(projectId, index, moment);
      try {
        expect(await scenario(projectId)).toEqual(WHOLE);
      } catch (error) {
        broken.push(`${moment} ${calls[index]}: ${(error as Error).message}`);
      }
    });
    expect(broken).toEqual([]);
  });
});
