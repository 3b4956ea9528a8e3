/**
 * Overlapping deletions of projects: with each other, with the sweeper's, and with a new project that takes the id at once,
 * as in CI jobs that always use the same id.
 */
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { beforeAll, describe, expect, test } from "vitest";
import { makePcap } from "../helpers/captures/pcap.ts";
import { type Caller, user } from "../helpers/service/callers.ts";
import { end, freshName, uuid } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";
import { danglingReferences } from "../helpers/stores/store-checker.ts";

type Modules = {
  access: typeof import("../../functions/shared/edge/access.ts");
  project: typeof import("../../functions/shared/store/project/project.ts");
  remove: typeof import("../../functions/shared/store/contents/remove-project.ts");
  sweep: typeof import("../../functions/sweeper/sweep.ts");
  metrics: typeof import("../../functions/shared/edge/metrics.ts");
};
let modules: Modules;
const stack = localStack();
const database = new DynamoDBClient({
  endpoint: stack.dynamodbEndpoint,
  region: stack.region,
  credentials: stack.credentials,
});

beforeAll(async () => {
  modules = {
    access: await import("../../functions/shared/edge/access.ts"),
    project: await import("../../functions/shared/store/project/project.ts"),
    remove: await import("../../functions/shared/store/contents/remove-project.ts"),
    sweep: await import("../../functions/sweeper/sweep.ts"),
    metrics: await import("../../functions/shared/edge/metrics.ts"),
  };
});

/** Creates the same project each time: its id, its name, its nodes' ids and names, its link's id. */
class Job {
  readonly id = uuid();
  readonly name = freshName();
  readonly owner: string;
  readonly caller: Caller;
  readonly #nodes = [uuid(), uuid(), uuid(), uuid()];
  readonly #link = uuid();

  constructor() {
    this.owner = freshName("user");
    this.caller = user(this.owner, "editor");
  }

  get path(): string {
    return `/projects/${this.id}`;
  }

  create = () => this.caller.post("/projects", { name: this.name, project_id: this.id });

  async build(): Promise<void> {
    expect((await this.create()).status).toBe(201);
    for (const [index, node_id] of this.#nodes.entries()) {
      const node = { name: `PC${index + 1}`, node_type: "vpcs", compute_id: "local", node_id };
      expect((await this.caller.post(`${this.path}/nodes`, node)).status).toBe(201);
    }
    const ends = [end(this.#nodes[0]!), end(this.#nodes[1]!)];
    const link = { link_id: this.#link, nodes: ends };
    expect((await this.caller.post(`${this.path}/links`, link)).status).toBe(201);
    expect((await this.caller.post(`${this.path}/links/${this.#link}/start_capture`, {})).status).toBe(201);
    const replay = `${this.path}/links/${this.#link}/replay`;
    expect((await this.caller.call("POST", replay, { raw: makePcap(3) })).status).toBe(200);
  }

  read = async () => (await modules.project.getProject(modules.access.SERVICE, this.id))!;

  /** The owner's counted quota. */
  async counted(): Promise<number> {
    const Key = { pk: { S: `USAGE#${this.owner}` }, sk: { S: "PROJECTS" } };
    const { Item } = await database.send(
      new GetItemCommand({ TableName: stack.tableName, Key, ConsistentRead: true }),
    );
    return Number(Item?.project_count?.N ?? 0);
  }

  async expectWhole(): Promise<void> {
    expect((await this.caller.get(this.path)).json).toMatchObject({ name: this.name, owner: this.owner });
    expect((await this.caller.get(`${this.path}/stats`)).json).toMatchObject({ nodes: 4, links: 1 });
    const [capture] = (await this.caller.get(`${this.path}/links/${this.#link}/captures`)).json;
    expect(capture).toMatchObject({ packets: 3, status: "capturing" });
    const file = await this.caller.get(
      `${this.path}/links/${this.#link}/captures/${capture.capture_id}/pcap`,
    );
    expect(file.bytes.length).toBe(capture.bytes);
    expect((await this.caller.post("/projects", { name: this.name })).status).toBe(409);
    expect(await this.counted()).toBe(1);
    expect(await this.dangling()).toEqual([]);
  }

  /** Dangling references of this project; other tests leave theirs in the same table. */
  async dangling(): Promise<string[]> {
    const own = [this.id, this.name, this.#link, ...this.#nodes];
    return (await danglingReferences(stack)).filter((problem) => own.some((id) => problem.includes(id)));
  }

  /** Marks the project as the first step of a deletion does. @returns the project as that deletion has read it. */
  async mark() {
    const project = await this.read();
    expect(await modules.project.markProjectDeleting(project)).toBe(true);
    return project;
  }
}

async function sweep(): Promise<Record<string, number>> {
  const counts = {};
  await modules.metrics.countInto(counts, () =>
    modules.sweep.sweep({ nowMs: Date.now(), abandonedMs: 86_400_000, remainingTimeMs: () => 600_000 }),
  );
  return counts;
}

describe("the id of a deleted project", () => {
  test("can be used again, with everything in it, as soon as the deletion returns", async () => {
    const job = new Job();
    for (let round = 0; round < 3; round++) {
      await job.build();
      await job.expectWhole();
      expect((await job.caller.delete(job.path)).status).toBe(204);
      expect(await job.counted()).toBe(0);
    }
  });
});

describe("a deletion that finishes late", () => {
  test("does not touch a new project with the same id", async () => {
    const job = new Job();
    await job.build();
    const late = await job.mark();
    expect((await job.caller.delete(job.path)).status).toBe(204);
    await job.build();

    await modules.remove.finishRemoval(late);
    await job.expectWhole();
  });

  test("does not touch it when the new project comes after any of its steps", async () => {
    for (let round = 0; round < 4; round++) {
      const job = new Job();
      await job.build();
      const marked = await job.mark();
      const deletions = Array.from({ length: 4 }, () => modules.remove.finishRemoval(marked));
      await Promise.race(deletions);
      await job.build();
      await Promise.all(deletions);
      await job.expectWhole();
    }
  });

  test("marks only the project that it has read", async () => {
    const job = new Job();
    await job.create();
    const read = await job.read();
    await job.caller.delete(job.path);
    await job.build();
    expect((await job.read()).revision).toBe(read.revision);

    expect(await modules.project.markProjectDeleting(read)).toBe(false);
    await job.expectWhole();
  });
});

test("concurrent deletions all return 204 or 404 and leave neither name nor count", async () => {
  const job = new Job();
  await job.build();
  const answers = await Promise.all(Array.from({ length: 6 }, () => job.caller.delete(job.path)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses).toContain(204);
  for (const status of statuses) expect([204, 404]).toContain(status);
  expect(await job.counted()).toBe(0);
  expect(await job.dangling()).toEqual([]);
  await job.build();
  await job.expectWhole();
});

test("concurrent deletions and creations leave a whole project or none, with its name and count", async () => {
  const job = new Job();
  await job.build();
  const deletions = Array.from({ length: 4 }, () => job.caller.delete(job.path));
  await Promise.race(deletions);
  expect([201, 409]).toContain((await job.create()).status);
  await Promise.all(deletions);

  const isThere = (await job.caller.get(job.path)).status === 200;
  expect(await job.counted()).toBe(isThere ? 1 : 0);
  expect(await job.dangling()).toEqual([]);
  expect((await job.caller.post("/projects", { name: job.name })).status).toBe(isThere ? 409 : 201);
});

describe("the sweeper", () => {
  test("leaves alone a project that only the stale index lists as deleted", async () => {
    const job = new Job();
    await job.build();
    const { ProjectEntity } = modules.project;
    const setListing = (listing: "PROJECTS" | "DELETING") =>
      ProjectEntity.build(UpdateItemCommand).item({ project_id: job.id, listing }).send();
    await setListing("DELETING");

    // It may finish the deletions of other tests meanwhile.
    await sweep();
    await setListing("PROJECTS");
    await job.expectWhole();
  });

  test("finishes a deletion beside the request that started it", async () => {
    const job = new Job();
    await job.build();
    const marked = await job.mark();
    await Promise.all([sweep(), modules.remove.finishRemoval(marked)]);
    expect((await job.caller.get(job.path)).status).toBe(404);
    await job.build();
    await job.expectWhole();
  });
});
