/** Requests repeated under their idempotency key, at once or later, also after their function died. */
import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Receipt, RequestLedger } from "../../functions/shared/edge/idempotency.ts";
import { makePcap, parsePcap } from "../helpers/captures/pcap.ts";
import type { Answer } from "../helpers/service/client.ts";
import { perform, useServiceStores } from "../helpers/service/in-process.ts";
import {
  addNode,
  client,
  end,
  freshName,
  makeLab,
  makePair,
  type Pair,
  uuid,
} from "../helpers/service/lab.ts";

const VPCS = { name: "PC", node_type: "vpcs", compute_id: "local" };
/** Sends three packets: ARP requests for an address. */
const TYPED = { commands: ["ip 10.0.0.1/24"] };

interface Sent {
  readonly path: string;
  readonly body?: unknown;
  readonly raw?: Uint8Array;
}

const send = (key: string, { path, ...payload }: Sent): Promise<Answer> =>
  client.call("POST", path, { ...payload, headers: { "Idempotency-Key": key } });

/** A started pair with a running capture. */
async function capturing(): Promise<Pair> {
  const pair = await makePair();
  await client.post(`${pair.path}/nodes/start`);
  await client.post(`${pair.link}/start_capture`, {});
  return pair;
}

const capturedPackets = async (pair: Pair): Promise<number> =>
  (await client.get(`${pair.link}/captures`)).json.reduce(
    (sum: number, { packets }: { packets: number }) => sum + packets,
    0,
  );

/** For each route that takes a key: a request, and a count of its effects. */
const ROUTES: Record<string, () => Promise<{ request: Sent; effects: () => Promise<number> }>> = {
  "a project": async () => {
    const name = freshName();
    return {
      request: { path: "/projects", body: { name } },
      effects: async () =>
        (await client.get("/projects")).json.filter((project: { name: string }) => project.name === name)
          .length,
    };
  },
  "a node": async () => {
    const { path } = await makeLab();
    return {
      request: { path: `${path}/nodes`, body: VPCS },
      effects: async () => (await client.get(`${path}/nodes`)).json.length,
    };
  },
  "a link": async () => {
    const lab = await makeLab();
    const nodes = [end(await addNode(lab)), end(await addNode(lab))];
    return {
      request: { path: `${lab.path}/links`, body: { nodes } },
      effects: async () => (await client.get(`${lab.path}/links`)).json.length,
    };
  },
  "a compute": async () => {
    const host = `${freshName()}.example`;
    return {
      request: { path: "/computes", body: { protocol: "http", host, port: 80, user: uuid() } },
      effects: async () =>
        (await client.get("/computes")).json.filter((compute: { host: string }) => compute.host === host)
          .length,
    };
  },
  "a template": async () => {
    const name = freshName();
    return {
      request: { path: "/templates", body: { name, template_type: "vpcs", compute_id: "local" } },
      effects: async () =>
        (await client.get("/templates")).json.filter((template: { name: string }) => template.name === name)
          .length,
    };
  },
  "a capture": async () => {
    const pair = await makePair();
    return {
      request: { path: `${pair.link}/start_capture`, body: {} },
      effects: async () => (await client.get(`${pair.link}/captures`)).json.length,
    };
  },
  "a console": async () => {
    const pair = await capturing();
    return {
      request: { path: `${pair.path}/nodes/${pair.first}/console`, body: TYPED },
      effects: async () => (await capturedPackets(pair)) / 3,
    };
  },
  "a run": async () => {
    const pair = await capturing();
    const consoles = [{ node_id: pair.first, ...TYPED }];
    return {
      request: { path: `${pair.path}/run`, body: { consoles } },
      effects: async () => (await capturedPackets(pair)) / 3,
    };
  },
  "a replay": async () => {
    const pair = await capturing();
    return {
      request: { path: `${pair.link}/replay`, raw: makePcap(3) },
      effects: async () => (await capturedPackets(pair)) / 3,
    };
  },
};

describe.each(Object.keys(ROUTES))("%s", (name) => {
  test("repeated under its key returns the same response, and takes effect once", async () => {
    const { request, effects } = await ROUTES[name]!();
    const key = uuid();
    const first = await send(key, request);
    expect(first.status).toBeLessThan(300);
    const second = await send(key, request);
    expect([second.status, second.bytes.equals(first.bytes)]).toEqual([first.status, true]);
    expect(second.headers["content-type"]).toBe(first.headers["content-type"]);
    expect([first, second].map(({ headers }) => headers["idempotency-replayed"])).toEqual([
      undefined,
      "true",
    ]);
    expect(await effects()).toBe(1);
  });

  test("sent many times at once under one key takes effect once, and all responses name the same result", async () => {
    const { request, effects } = await ROUTES[name]!();
    const key = uuid();
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(key, request)));
    expect(await effects()).toBe(1);
    const carriedOut = answers.filter(({ status }) => status < 300);
    expect(carriedOut.length).toBeGreaterThan(0);
    expect(new Set(carriedOut.map(({ bytes }) => bytes.toString("latin1"))).size).toBe(1);
    for (const { status, headers } of answers.filter((answer) => answer.status >= 300)) {
      expect([status, headers["retry-after"]]).toEqual([409, "1"]);
    }
    const later = await send(key, request);
    expect(later.bytes.equals(carriedOut[0]!.bytes)).toBe(true);
  });

  test("sent without a key or under two keys takes effect twice", async () => {
    const { request } = await ROUTES[name]!();
    const answers = [await send(uuid(), request), await send(uuid(), request)];
    for (const { headers } of answers) expect(headers["idempotency-replayed"]).toBeUndefined();
  });
});

describe("a key", () => {
  test("that belongs to another request is 422, and the request has no effect", async () => {
    const { path } = await makeLab();
    const key = uuid();
    await send(key, { path: `${path}/nodes`, body: VPCS });
    const other = await send(key, { path: `${path}/nodes`, body: { ...VPCS, name: "Other" } });
    expect([other.status, other.json.message]).toEqual([
      422,
      "This Idempotency-Key belongs to another request",
    ]);
    expect((await send(key, { path: "/projects", body: { name: freshName() } })).status).toBe(422);
    expect((await client.get(`${path}/nodes`)).json).toHaveLength(1);
  });

  test("of a rejected request is free for the corrected one", async () => {
    const { path } = await makeLab();
    const key = uuid();
    const refused = await send(key, { path: `${path}/nodes`, body: { ...VPCS, compute_id: "elsewhere" } });
    expect(refused.status).toBe(404);
    expect((await send(key, { path: `${path}/nodes`, body: VPCS })).status).toBe(201);
  });

  test("with the quotes of a structured header equals the one without", async () => {
    const { path } = await makeLab();
    const key = uuid();
    const first = await send(key, { path: `${path}/nodes`, body: VPCS });
    const second = await send(`"${key}"`, { path: `${path}/nodes`, body: VPCS });
    expect(second.json).toEqual(first.json);
    expect((await client.get(`${path}/nodes`)).json).toHaveLength(1);
  });

  test.each(["", '""', "two words", "x".repeat(256), "\u00e9"])("of %j is 400", async (key) => {
    const { path } = await makeLab();
    const { status, json } = await send(key, { path: `${path}/nodes`, body: VPCS });
    expect([status, json.errors?.[0].path]).toEqual([400, "headers.idempotency-key"]);
    expect((await client.get(`${path}/nodes`)).json).toEqual([]);
  });

  test("is ignored by a route that is idempotent anyway", async () => {
    const { path } = await makeLab();
    const key = uuid();
    for (let round = 0; round < 2; round++) {
      const { status, headers } = await send(key, { path: `${path}/nodes/start` });
      expect([status, headers["idempotency-replayed"]]).toEqual([204, undefined]);
    }
  });

  test("keeps the node as it was created, after any later changes to it", async () => {
    const { path } = await makeLab();
    const key = uuid();
    const first = await send(key, { path: `${path}/nodes`, body: VPCS });
    await client.delete(`${path}/nodes/${first.json.node_id}`);
    const second = await send(key, { path: `${path}/nodes`, body: VPCS });
    expect([second.status, second.json]).toEqual([201, first.json]);
    expect((await client.get(`${path}/nodes`)).json).toEqual([]);
  });
});

describe("a request whose function died", () => {
  let ledger: RequestLedger;
  let operations: typeof import("../../functions/nodes/create-node.ts") &
    typeof import("../../functions/links/create-link.ts") &
    typeof import("../../functions/links/capture.ts") &
    typeof import("../../functions/links/replay.ts") &
    typeof import("../../functions/runs/console.ts") &
    typeof import("../../functions/projects/create-project.ts") &
    typeof import("../../functions/templates/write-templates.ts");

  beforeAll(async () => {
    useServiceStores();
    ledger = (await import("../../functions/shared/store/idempotency/idempotency.ts")).requestLedger;
    operations = {
      ...(await import("../../functions/nodes/create-node.ts")),
      ...(await import("../../functions/links/create-link.ts")),
      ...(await import("../../functions/links/capture.ts")),
      ...(await import("../../functions/links/replay.ts")),
      ...(await import("../../functions/runs/console.ts")),
      ...(await import("../../functions/projects/create-project.ts")),
      ...(await import("../../functions/templates/write-templates.ts")),
    };
  });

  /** Lets a receipt expire at once. */
  async function begin(key: string, holdMs = 0): Promise<Receipt> {
    const begun = await ledger.begin("local", key, "the request", holdMs);
    if (begun.state !== "begun") throw new Error(begun.state);
    return begun.receipt;
  }

  test("before it took effect is carried out by the next request", async () => {
    const [lab, key] = [await makeLab(), uuid()];
    await begin(key);
    await perform(operations.createNode, {
      params: { project_id: lab.projectId },
      body: VPCS,
      receipt: await begin(key),
    });
    expect((await client.get(`${lab.path}/nodes`)).json).toHaveLength(1);
  });

  test("after it made a project, a node or a link: the next request returns the same one", async () => {
    const lab = await makeLab();
    const params = { project_id: lab.projectId };
    const nodes = [end(await addNode(lab)), end(await addNode(lab))];
    for (const again of [
      (receipt: Receipt) => perform(operations.createNode, { params, body: VPCS, receipt }),
      (receipt: Receipt) => perform(operations.createLink, { params, body: { nodes }, receipt }),
      (
        (body) => (receipt: Receipt) =>
          perform(operations.createProject, { body, receipt })
      )({
        name: freshName(),
      }),
    ]) {
      const key = uuid();
      const first = await again(await begin(key));
      expect(await again(await begin(key))).toEqual(first);
    }
    expect((await client.get(`${lab.path}/nodes`)).json).toHaveLength(3);
    expect((await client.get(`${lab.path}/links`)).json).toHaveLength(1);
  });

  test("after it created a link under the client's own id: the next request returns that link, and another request gets 409", async () => {
    const lab = await makeLab();
    const params = { project_id: lab.projectId };
    const link_id = uuid();
    const body = { nodes: [end(await addNode(lab)), end(await addNode(lab))], link_id };
    const create = async (key: string) =>
      perform(operations.createLink, { params, body, receipt: await begin(key) });
    const key = uuid();
    const first = await create(key);
    expect(first).toMatchObject({ link_id });
    expect(await create(key)).toEqual(first);
    await expect(create(uuid())).rejects.toMatchObject({ code: "link.id-taken" });
    await client.delete(`${lab.path}/links/${link_id}`);
    expect((await client.post(`${lab.path}/links`, body)).status).toBe(201);
    await expect(create(key)).rejects.toMatchObject({ code: "link.id-taken" });
  });

  test("after it made a template: the next request returns that template, also if another user changed it", async () => {
    const body = { name: freshName(), template_type: "vpcs", compute_id: "local" };
    const create = async (key: string, own = {}) =>
      perform(operations.createTemplate, { body: { ...body, ...own }, receipt: await begin(key) });
    const key = uuid();
    const { template_id } = (await create(key)) as { template_id: string };
    const { json: changed } = await client.put(`/templates/${template_id}`, { category: "firewall" });
    expect(await create(key)).toEqual(changed);
    const params = { template_id };
    const copyKey = uuid();
    const duplicate = async () =>
      perform(operations.duplicateTemplate, { params, receipt: await begin(copyKey) });
    expect(await duplicate()).toEqual(await duplicate());
    const given = { template_id: uuid() };
    const ownKey = uuid();
    expect(await create(ownKey, given)).toEqual(await create(ownKey, given));
    await expect(create(uuid(), given)).rejects.toMatchObject({ code: "template.id-taken" });
    const { json } = await client.get("/templates");
    expect(json.filter(({ name }: { name: string }) => name === body.name)).toHaveLength(3);
  });

  test("after it started a capture: the next request starts no second one, though the first was stopped", async () => {
    const [pair, key] = [await makePair(), uuid()];
    const start = async () =>
      perform(operations.startCapture, {
        params: { project_id: pair.projectId, link_id: pair.linkId },
        receipt: await begin(key),
      });
    expect(await start()).toMatchObject({ capturing: true });
    expect(await start()).toMatchObject({ capturing: true });
    await client.call("POST", `${pair.link}/replay`, { raw: makePcap(2) });
    await client.post(`${pair.link}/stop_capture`);
    expect(await start()).toMatchObject({ capturing: false });
    const captures = (await client.get(`${pair.link}/captures`)).json;
    expect(captures).toHaveLength(1);
    const { bytes } = await client.get(`${pair.link}/captures/${captures[0].capture_id}/pcap`);
    expect(parsePcap(bytes)).toHaveLength(2);
  });

  test("after its run or replay was committed: the next request does not repeat it", async () => {
    const pair = await capturing();
    const params = { project_id: pair.projectId, link_id: pair.linkId, node_id: pair.first };
    for (const carryOut of [
      (receipt: Receipt) => perform(operations.runConsole, { params, body: TYPED, receipt }),
      (receipt: Receipt) => perform(operations.replay, { params, body: makePcap(3), receipt }),
    ]) {
      const key = uuid();
      await carryOut(await begin(key));
      expect(await ledger.begin("local", key, "the request", 0)).toEqual({ state: "carried-out" });
    }
    expect(await capturedPackets(pair)).toBe(6);
  });

  test("after its run was committed: the next request waits as long as the response can come", async () => {
    const [pair, key] = [await capturing(), uuid()];
    const params = { project_id: pair.projectId, link_id: pair.linkId, node_id: pair.first };
    const receipt = await begin(key, 30_000);
    await perform(operations.runConsole, { params, body: TYPED, receipt });
    const next = () => ledger.begin("local", key, "the request", 0);
    expect(await next()).toEqual({ state: "in-progress" });
    await ledger.handBack(receipt);
    expect(await next()).toEqual({ state: "carried-out" });
    await ledger.keep(receipt, { status: 200, headers: {}, body: Buffer.from("{}") });
    expect(await next()).toMatchObject({ state: "answered", answer: { status: 200 } });
  });

  test("but still runs finds its receipt taken over, and has no effect", async () => {
    const [pair, key] = [await capturing(), uuid()];
    const params = { project_id: pair.projectId, link_id: pair.linkId, node_id: pair.first };
    const slow = await begin(key);
    const quick = await begin(key);
    const carryOut = (receipt: Receipt) => perform(operations.runConsole, { params, body: TYPED, receipt });
    const replay = (receipt: Receipt) => perform(operations.replay, { params, body: makePcap(3), receipt });
    await expect(carryOut(slow)).rejects.toMatchObject({ code: "idempotency.in-progress" });
    await expect(replay(slow)).rejects.toMatchObject({ code: "idempotency.in-progress" });
    expect(await capturedPackets(pair)).toBe(0);
    await ledger.release(slow);
    await carryOut(quick);
    expect(await capturedPackets(pair)).toBe(3);
  });

  test("is waited for as long as its function can run", async () => {
    const key = uuid();
    const receipt = await begin(key, 30_000);
    expect(await ledger.begin("local", key, "the request", 0)).toEqual({ state: "in-progress" });
    await ledger.handBack(receipt);
    expect((await begin(key)).origin).toBe(receipt.origin);
  });

  test("does not affect another user with the same key", async () => {
    const key = uuid();
    await begin(key, 30_000);
    expect(await ledger.begin("somebody", key, "another request", 0)).toMatchObject({ state: "begun" });
  });

  test("and left a response too large to be stored: the next request learns that it was carried out", async () => {
    const key = uuid();
    const receipt = await begin(key, 30_000);
    await ledger.keep(receipt, { status: 200, headers: {}, body: randomBytes(300_000) });
    expect(await ledger.begin("local", key, "the request", 0)).toEqual({ state: "carried-out" });
  });

  test("stored responses count against a daily limit of bytes per user; small ones do not count", async () => {
    const user = freshName();
    const keep = async (bytes: number) => {
      const key = uuid();
      const begun = await ledger.begin(user, key, "the request", 0);
      if (begun.state !== "begun") throw new Error(begun.state);
      await ledger.keep(begun.receipt, { status: 200, headers: {}, body: randomBytes(bytes) });
      return (await ledger.begin(user, key, "the request", 0)).state;
    };
    vi.stubEnv("QUOTA_KEPT_ANSWER_BYTES", "250000");
    expect(await keep(200_000)).toBe("answered");
    expect(await keep(100_000)).toBe("carried-out");
    expect(await keep(10_000)).toBe("answered");
    expect(await keep(800)).toBe("answered");
    vi.unstubAllEnvs();
  });
});
