/** Impairments of a link: the resource, and its effect on runs. */
import { beforeEach, describe, expect, test } from "vitest";
import { makePcap } from "../helpers/captures/pcap.ts";
import { client, freshName, makePair, type Pair, uuid } from "../helpers/service/lab.ts";
import { startLab } from "../helpers/service/running-lab.ts";

describe("the resource", () => {
  let pair: Pair;
  let path: string;
  beforeEach(async () => {
    pair = await makePair();
    path = `${pair.link}/impairments`;
  });

  test("is empty at first, keeps what it gets, and can be removed", async () => {
    expect(await client.get(path)).toMatchObject({ status: 200, json: {} });
    const settings = {
      both: { delay: "12.5ms", loss: { random: { chance: "0.1%" } } },
      a_to_b: { rate: "10mbit" },
    };
    expect(await client.put(path, settings)).toMatchObject({ status: 200, json: settings });
    expect((await client.get(path)).json).toEqual(settings);
    expect((await client.put(path, { b_to_a: { broken: true } })).status).toBe(200);
    expect((await client.get(path)).json).toEqual({ b_to_a: { broken: true } });
    expect((await client.delete(path)).status).toBe(204);
    expect((await client.get(path)).json).toEqual({});
    expect((await client.delete(path)).status).toBe(204);
  });

  test("is no field of the link, and stays when the link changes", async () => {
    const before = (await client.get(pair.link)).json;
    await client.put(path, { both: { delay: "1ms" } });
    expect((await client.get(pair.link)).json).toEqual(before);
    const { json } = await client.put(pair.link, { filters: { delay: [10] } });
    expect(json).toEqual({ ...before, filters: { delay: [10] } });
    expect((await client.get(path)).json).toEqual({ both: { delay: "1ms" } });
  });

  test.each([
    [{ both: { delay: "fast" } }, "body.both.delay"],
    [{ a_to_b: { loss: "101%" } }, "body.a_to_b.loss"],
    [{ both: { drop: "tcp prot 80" } }, "body.both.drop"],
    [{ up: {} }, "body.up"],
    [{ carrier: "off" }, "body.carrier"],
  ])("refuses %j, with the path, and keeps what it had", async (settings, where) => {
    await client.put(path, { both: { delay: "1ms" } });
    const { status, json } = await client.put(path, settings);
    expect([status, json.message]).toEqual([400, expect.stringContaining(`${where}`)]);
    expect((await client.get(path)).json).toEqual({ both: { delay: "1ms" } });
  });

  test("needs a link, in an opened project", async () => {
    const other = `/projects/${pair.projectId}/links/${uuid()}/impairments`;
    for (const status of [await client.get(other), await client.put(other, {}), await client.delete(other)])
      expect(status.status).toBe(404);
    await client.post(`/projects/${pair.projectId}/close`);
    expect((await client.put(path, { both: { delay: "1ms" } })).status).toBe(403);
  });
});

const rtts = (output: string): number[] =>
  [...output.matchAll(/time=([\d.]+) ms/g)].map(([, ms]) => Math.floor(Number(ms)));

describe("a run", () => {
  test("delays each direction as it says, and no more after the removal", async () => {
    const lab = await startLab("pair");
    const path = `${lab.link("PC1-PC2")}/impairments`;
    await client.put(path, { a_to_b: { delay: "20ms" }, b_to_a: { delay: "5ms" } });
    expect(rtts(await lab.type("PC1", "ping 10.0.0.2 -c 2"))).toEqual([25, 25]);
    const { links } = await lab.run({ consoles: { PC1: ["ping 10.0.0.2 -c 1"] } });
    expect(links[0]!.directions[0]!.impairments!.counts.delay!.seen).toBeGreaterThan(0);
    await client.delete(path);
    expect(rtts(await lab.type("PC1", "ping 10.0.0.2 -c 1"))).toEqual([0]);
  });

  test("continues at the packet where the last run ended", async () => {
    const lab = await startLab("pair");
    await lab.type("PC1", "ping 10.0.0.2 -c 1");
    await client.put(`${lab.link("PC1-PC2")}/impairments`, { a_to_b: { loss: { listed: [2] } } });
    const outputs: string[] = [];
    for (let run = 0; run < 3; run++) outputs.push(await lab.type("PC1", "ping 10.0.0.2 -c 1"));
    expect(outputs.map((output) => rtts(output).length)).toEqual([1, 0, 1]);
  });
});

describe("the action set_impairments", () => {
  test("changes a link at its time, stays after the run, and is removed by an empty set", async () => {
    const lab = await startLab("pair");
    const link_id = lab.linkId("PC1-PC2");
    const path = `${lab.link("PC1-PC2")}/impairments`;
    const set = (at: number, impairments: object) => ({
      at,
      action: "set_impairments",
      link_id,
      impairments,
    });
    const settings = {
      both: { delay: "20ms" },
      schedule: [{ at: "2s", set: { both: { delay: "50ms" } } }],
    };
    const first = await lab.run({
      consoles: { PC1: ["ping 10.0.0.2 -c 5"] },
      actions: [set(1.5, settings)],
    });
    expect(rtts(first.consoles[0]!.output)).toEqual([0, 0, 40, 40, 100]);
    expect((await client.get(path)).json).toEqual(settings);
    // The schedule began at the action, so it is over in the next run.
    const second = await lab.run({
      consoles: { PC1: ["ping 10.0.0.2 -c 3"] },
      actions: [set(1.5, {})],
    });
    expect(rtts(second.consoles[0]!.output)).toEqual([100, 100, 0]);
    expect((await client.get(path)).json).toEqual({});
    expect(rtts(await lab.type("PC1", "ping 10.0.0.2 -c 1"))).toEqual([0]);
  });

  test("is refused with the path of what is wrong, and then has no effect", async () => {
    const lab = await startLab("pair");
    const link_id = lab.linkId("PC1-PC2");
    const run = (fields: object) =>
      client.post(`${lab.path}/run`, { actions: [{ at: 0, action: "set_impairments", ...fields }] });
    const wrong = await run({ link_id, impairments: { both: { delay: "fast" } } });
    expect(wrong.status).toBe(400);
    expect(wrong.json.errors[0].path).toBe("body.actions.0.impairments.both.delay.delay");
    expect((await run({ link_id })).status).toBe(400);
    expect((await run({ link_id: uuid(), impairments: {} })).status).toBe(404);
    expect((await client.get(`${lab.link("PC1-PC2")}/impairments`)).json).toEqual({});
  });
});

describe("a replay", () => {
  test("passes the impairments, and reports them", async () => {
    const pair = await makePair();
    await client.put(`${pair.link}/impairments`, {
      a_to_b: { delay: "20ms", loss: { listed: [2] } },
      b_to_a: { broken: true },
    });
    const raw = makePcap(3);
    const replay = (from: string) =>
      client.call("POST", `${pair.link}/replay?from=${from}`, {
        raw,
        headers: { accept: "application/json" },
      });
    const { json } = await replay(pair.first);
    expect(json).toMatchObject({ packets_in: 3, packets_delivered: 2, packets_dropped: 1 });
    expect(json.impairments.counts["loss.listed"]).toMatchObject({ seen: 3, dropped: 1 });
    expect(json.delay_ms).toMatchObject({ min: 20, max: 20 });
    expect((await replay(pair.second)).json).toMatchObject({ packets_in: 3, packets_delivered: 0 });
  });
});

describe("a copy of the project", () => {
  const settings = { both: { delay: "20ms" } };

  test.each(["duplicate", "export and import"])("has them after %s", async (how) => {
    const lab = await startLab("pair");
    await client.put(`${lab.link("PC1-PC2")}/impairments`, settings);
    await lab.type("PC1", "ping 10.0.0.2 -c 1");
    await client.post(`${lab.path}/nodes/stop`);
    let copy = `/projects/${uuid()}`;
    if (how === "duplicate") {
      const { json } = await client.post(`${lab.path}/duplicate`, { name: freshName() });
      copy = `/projects/${json.project_id}`;
    } else {
      const { bytes: raw } = await client.get(`${lab.path}/export`);
      expect((await client.call("POST", `${copy}/import`, { raw })).status).toBe(201);
    }
    await client.post(`${copy}/open`);
    const [{ link_id }] = (await client.get(`${copy}/links`)).json;
    expect((await client.get(`${copy}/links/${link_id}/impairments`)).json).toEqual(settings);
  });
});
