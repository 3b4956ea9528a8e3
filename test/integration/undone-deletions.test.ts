/** Deletions of parts of a lab, which can be undone for an hour. */
import { DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { makeBulkyPcap, makePcap } from "../helpers/captures/pcap.ts";
import { addLink, addNode, client, end, type Lab, makeLab, makePair, uuid } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";
import { useLocalStores } from "../helpers/stores/local-stores.ts";
import { danglingReferences } from "../helpers/stores/store-checker.ts";

const HOUR_MS = 3_600_000;

/** Files that ran before in the same stack may damage what they test. */
let leftByOthers: ReadonlySet<string>;
let sweep: typeof import("../../functions/sweeper/sweep.ts").sweep;
beforeAll(async () => {
  useLocalStores();
  leftByOthers = new Set(await danglingReferences(localStack()));
  ({ sweep } = await import("../../functions/sweeper/sweep.ts"));
});

const expectSound = async () =>
  expect((await danglingReferences(localStack())).filter((line) => !leftByOthers.has(line))).toEqual([]);

const sweepIn = (hours: number) =>
  sweep({
    nowMs: Date.now() + hours * HOUR_MS,
    abandonedMs: 1000 * HOUR_MS,
    remainingTimeMs: () => 600_000,
  });

/** All that clients can read of a lab. */
async function everythingOf({ path }: Lab): Promise<Record<string, string>> {
  const read: Record<string, string> = {};
  const get = async (address: string) => {
    const answer = await client.get(address);
    read[address] = `${answer.status} ${answer.bytes.toString("latin1")}`;
    return answer;
  };
  const list = async (address: string) => (await get(address)).json;
  for (const { node_id } of await list(`${path}/nodes`)) {
    for (const suffix of ["", "/links", "/startup", "/files/startup.vpc"])
      await get(`${path}/nodes/${node_id}${suffix}`);
  }
  for (const { link_id } of await list(`${path}/links`)) {
    await get(`${path}/links/${link_id}/impairments`);
    for (const { capture_id } of await list(`${path}/links/${link_id}/captures`))
      await get(`${path}/links/${link_id}/captures/${capture_id}/pcap`);
  }
  for (const suffix of ["/drawings", "/links/impairments", "/links/counters", ""]) await get(path + suffix);
  return read;
}

/** Two running PCs on a switch, with packets, captures, impairments and a saved configuration. */
async function makeBusyLab() {
  const lab = await makeLab();
  const first = await addNode(lab, { properties: { startup_script: "ip 10.0.0.1/24" }, x: 17 });
  const second = await addNode(lab, { properties: { startup_script: "ip 10.0.0.2/24" } });
  const hub = await addNode(lab, { name: "SW1", node_type: "ethernet_switch" });
  const links = [
    await addLink(lab, [end(first), end(hub)], { filters: { delay: [7] } }),
    await addLink(lab, [end(second), end(hub, 1)]),
  ];
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="4"/>';
  const drawing = (await client.post(`${lab.path}/drawings`, { svg })).json.drawing_id as string;
  await client.put(`${lab.path}/links/${links[0]}/impairments`, { both: { loss: "1%" } });
  await client.post(`${lab.path}/nodes/start`);
  await client.post(`${lab.path}/links/${links[0]}/start_capture`, {});
  await client.post(`${lab.path}/nodes/${first}/console`, { commands: ["ping 10.0.0.2 -c 2", "save"] });
  await client.post(`${lab.path}/links/${links[0]}/stop_capture`);
  await client.post(`${lab.path}/links/${links[0]}/start_capture`, {});
  await client.call("POST", `${lab.path}/links/${links[0]}/replay`, { raw: makePcap(3) });
  await client.call("POST", `${lab.path}/links/${links[0]}/replay`, { raw: makeBulkyPcap(3) });
  return { lab, first, second, hub, links, drawing };
}

const remove = async ({ path }: Lab, body: object, headers = {}) =>
  client.call("POST", `${path}/deletions`, { body, headers });
const undo = ({ path }: Lab, { deletion_id }: { deletion_id: string }) =>
  client.post(`${path}/deletions/${deletion_id}/undo`);

describe("a deletion", () => {
  test("removes parts with their links, and its undo brings all back as it was", async () => {
    const { lab, first, links, drawing } = await makeBusyLab();
    const before = await everythingOf(lab);
    const { status, json } = await remove(lab, { nodes: [first, uuid()], drawings: [drawing] });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      nodes: [{ node_id: first, name: "PC1" }],
      links: [links[0]],
      drawings: [drawing],
      captures: 2,
    });
    expect((await client.get(`${lab.path}/nodes/${first}`)).status).toBe(404);
    expect((await client.get(`${lab.path}/links`)).json).toHaveLength(1);
    expect((await client.get(`${lab.path}/deletions`)).json).toEqual([json]);
    await expectSound();
    const undone = await undo(lab, json);
    expect([undone.status, undone.json.nodes.length, undone.json.links.length]).toEqual([201, 1, 1]);
    expect(await everythingOf(lab)).toEqual(before);
    await expectSound();
    expect((await undo(lab, json)).json).toMatchObject({ status: 404, code: "deletion.not-found" });
    // The capture that was running goes on, and the device answers.
    const { json: pinged } = await client.post(`${lab.path}/nodes/${first}/console`, {
      commands: ["ping 10.0.0.2 -c 1"],
    });
    expect(pinged.output).toContain("84 bytes from 10.0.0.2");
  });

  test("of several nodes is one, and its numbers are free at once", async () => {
    const { lab, first, second, hub } = await makeBusyLab();
    const before = await everythingOf(lab);
    const { json } = await remove(lab, { nodes: [first, second, hub] });
    const another = await addNode(lab, { name: "PC{0}" });
    expect((await client.get(`${lab.path}/nodes/${another}`)).json).toMatchObject({
      name: "PC1",
      console: 5000,
    });
    const { status, json: refused } = await undo(lab, json);
    expect([status, refused.code]).toEqual([409, "deletion.in-the-way"]);
    await client.delete(`${lab.path}/nodes/${another}`);
    expect((await undo(lab, json)).status).toBe(201);
    expect(await everythingOf(lab)).toEqual(before);
    await expectSound();
  });

  test("is carried out once for a key", async () => {
    const pair = await makePair();
    const headers = { "idempotency-key": uuid() };
    const [one, two] = [
      await remove(pair, { nodes: [pair.first] }, headers),
      await remove(pair, { nodes: [pair.first] }, headers),
    ];
    expect(two.json).toEqual(one.json);
  });
});

describe("an undo changes nothing, and says why, if", () => {
  let pair: Awaited<ReturnType<typeof makePair>>;
  const refusal = async (json: { deletion_id: string }): Promise<string> => {
    const before = await everythingOf(pair);
    const answer = await undo(pair, json);
    expect(answer.status).toBe(409);
    expect(await everythingOf(pair)).toEqual(before);
    return answer.json.message;
  };

  test("a port has another link", async () => {
    pair = await makePair();
    const { json } = await remove(pair, { links: [pair.linkId] });
    await addLink(pair, [end(pair.second), end(await addNode(pair))]);
    expect(await refusal(json)).toMatch(/port Ethernet0 of PC2 has another link$/);
  });

  test("a name is taken", async () => {
    pair = await makePair();
    const { json } = await remove(pair, { nodes: [pair.first] });
    await client.put(`${pair.path}/nodes/${pair.second}`, { name: "PC1" });
    expect(await refusal(json)).toMatch(/another node has the name PC1; rename it first$/);
  });

  test("the other end of a link is gone", async () => {
    pair = await makePair();
    const { json } = await remove(pair, { nodes: [pair.first] });
    await client.delete(`${pair.path}/nodes/${pair.second}`);
    expect(await refusal(json)).toMatch(/to which a link leads, was deleted$/);
  });
});

test.each([
  [{}, 404, "deletion.nothing-there"],
  [{ nodes: [uuid()] }, 404, "deletion.nothing-there"],
  [{ nodes: ["x"] }, 400, "request.invalid"],
])("refuses %j", async (body, status, code) => {
  expect((await remove(await makeLab(), body)).json).toMatchObject({ status, code });
});

test("refuses a locked node, and more than a transaction holds, and deletes nothing", async () => {
  const lab = await makeLab();
  const locked = await addNode(lab, { locked: true });
  expect((await remove(lab, { nodes: [locked] })).json.code).toBe("node.locked");
  const many = [];
  for (let count = 0; count < 26; count++) many.push(await addNode(lab, { name: "PC{0}" }));
  expect((await remove(lab, { nodes: many })).json.code).toBe("deletion.too-large");
  expect((await client.get(`${lab.path}/nodes`)).json).toHaveLength(27);
});

describe("the sweeper", () => {
  /** Keeps a deletion for longer than objects without a reference are kept. */
  async function keepForDays({ projectId }: Lab, deletionId: string): Promise<void> {
    const { dynamodbEndpoint, region, credentials, tableName } = localStack();
    const dynamodb = new DynamoDBClient({ endpoint: dynamodbEndpoint, region, credentials });
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: tableName,
        Key: { pk: { S: `PROJECT#${projectId}` }, sk: { S: `DELETED#${deletionId}` } },
        UpdateExpression: "SET expires_ms = :later",
        ExpressionAttributeValues: { ":later": { N: String(Date.now() + 1000 * HOUR_MS) } },
      }),
    );
    dynamodb.destroy();
  }

  test("keeps all that a deletion needs, and forgets it with its bytes after an hour", async () => {
    const { lab, first } = await makeBusyLab();
    const before = await everythingOf(lab);
    const { json } = await remove(lab, { nodes: [first] });
    await keepForDays(lab, json.deletion_id);
    await sweepIn(72);
    expect((await undo(lab, json)).status).toBe(201);
    expect(await everythingOf(lab)).toEqual(before);
    const { json: second } = await remove(lab, { nodes: [first] });
    await sweepIn(0.9);
    expect((await client.get(`${lab.path}/deletions`)).json).toEqual([second]);
    await sweepIn(1.1);
    expect((await client.get(`${lab.path}/deletions`)).json).toEqual([]);
    expect((await undo(lab, second)).status).toBe(404);
    await expectSound();
  });
});
