import { describe, expect, test } from "vitest";
import { addLink, addNode, client, end, makeLab, makePair, uuid } from "../helpers/lab.ts";
import { makePcap, parsePcap } from "../helpers/pcap.ts";

const start = (link: string, body: unknown = {}) => client.post(`${link}/start_capture`, body);
const replay = (link: string, pcap: Buffer, query = "") =>
  client.call("POST", `${link}/replay${query}`, { raw: pcap });

describe("starting a capture", () => {
  test("on a link that joins no nodes answers 201 with the link as it is", async () => {
    const lab = await makeLab();
    const link = `${lab.path}/links/${await addLink(lab, [])}`;
    const { status, json } = await start(link);
    expect(status).toBe(201);
    expect(json).toMatchObject({
      capturing: false,
      capture_file_name: null,
      capture_file_path: null,
      capture_compute_id: null,
      filters: {},
      nodes: [],
      suspend: false,
      link_type: "ethernet",
    });
  });

  test("names the file by the link's ends", async () => {
    const lab = await makeLab();
    const ends = [end(await addNode(lab, { name: "PC1" })), end(await addNode(lab, { name: "én.1" }))];
    const link = `${lab.path}/links/${await addLink(lab, ends)}`;
    const { status, json } = await start(link);
    expect(status).toBe(201);
    const [running] = (await client.get(`${link}/captures`)).json;
    expect(json).toMatchObject({
      capturing: true,
      capture_file_name: "PC1_0-0_to_n1_0-0.pcap",
      capture_compute_id: "local",
    });
    expect(json.capture_file_path).toMatch(
      new RegExp(`^s3://[a-z0-9.-]+/captures/${lab.projectId}/${running.capture_id}/PC1_0-0_to_n1_0-0.pcap$`),
    );
  });

  test("again while it runs answers the same capture, or 409 when something else is asked for", async () => {
    const pair = await makePair();
    const { json: first } = await start(pair.link, { capture_file_name: "my file.pcap" });
    expect(first.capture_file_name).toBe("my file.pcap");
    for (const body of [{}, { capture_file_name: "my file.pcap" }, { data_link_type: "DLT_EN10MB" }]) {
      const again = await start(pair.link, body);
      expect([again.status, again.json]).toEqual([201, first]);
    }
    for (const body of [{ capture_file_name: "other.pcap" }, { data_link_type: "DLT_C_HDLC" }]) {
      expect((await start(pair.link, body)).status).toBe(409);
    }
    expect((await client.get(`${pair.link}/captures`)).json).toHaveLength(1);
  });

  test("many times at once starts one", async () => {
    const pair = await makePair();
    const answers = await Promise.all(Array.from({ length: 10 }, () => start(pair.link)));
    expect(new Set(answers.map(({ json }) => json.capture_file_path)).size).toBe(1);
    expect((await client.get(`${pair.link}/captures`)).json).toHaveLength(1);
  });

  test.each([
    { nosuch: 1 },
    { data_link_type: "DLT_RAW" },
    { capture_file_name: null },
    { capture_file_name: "a/b.pcap" },
    { capture_file_name: "a\\b.pcap" },
    { capture_file_name: "../x" },
    { capture_file_name: ".." },
    { capture_file_name: "line\nbreak" },
    { capture_file_name: "\u0000" },
    { capture_file_name: "é".repeat(128) },
    [],
  ])("%j is refused", async (body) => {
    const pair = await makePair();
    expect((await start(pair.link, body)).status).toBe(400);
    expect((await client.get(pair.link)).json.capturing).toBe(false);
  });

  test("an empty name counts as none, and a name of 255 bytes is taken", async () => {
    const pair = await makePair();
    expect((await start(pair.link, { capture_file_name: "" })).json.capture_file_name).toMatch(
      /^PC1_0-0_to_PC2/,
    );
    const other = await makePair();
    const name = `${"é".repeat(125)}.pcap`;
    expect((await start(other.link, { capture_file_name: name })).json.capture_file_name).toBe(name);
    expect((await client.post(`${other.link}/stop_capture`)).status).toBe(201);
  });

  test("an unknown project or link is 404, a malformed id 400", async () => {
    const pair = await makePair();
    expect((await start(`${pair.path}/links/${uuid()}`)).status).toBe(404);
    expect((await start(`/projects/${uuid()}/links/${pair.linkId}`)).status).toBe(404);
    expect((await start(`${pair.path}/links/zz`)).status).toBe(400);
  });
});

describe("stopping a capture", () => {
  test("leaves capturing false and the three fields null, and is 201 when nothing runs", async () => {
    const pair = await makePair();
    expect((await client.post(`${pair.link}/stop_capture`)).status).toBe(201);
    await start(pair.link);
    const { status, json } = await client.post(`${pair.link}/stop_capture`);
    expect(status).toBe(201);
    expect(json).toMatchObject({
      capturing: false,
      capture_file_name: null,
      capture_file_path: null,
      capture_compute_id: null,
    });
  });

  test("makes one file of all runs, in order, downloadable until it is deleted", async () => {
    const pair = await makePair();
    await start(pair.link);
    for (const count of [3, 0, 5, 2]) await replay(pair.link, makePcap(count));
    const [running] = (await client.get(`${pair.link}/captures`)).json;
    expect(running).toMatchObject({
      status: "capturing",
      packets: 10,
      bytes: 24 + 10 * 76,
      stopped_at: null,
    });
    const path = `${pair.link}/captures/${running.capture_id}`;
    const before = await client.get(`${path}/pcap`);
    expect((await client.delete(path)).status).toBe(409);
    await client.post(`${pair.link}/stop_capture`);

    const stopped = await client.get(path);
    expect(stopped.json).toMatchObject({ status: "stopped", packets: 10, bytes: 24 + 10 * 76 });
    const after = await client.get(`${path}/pcap`);
    expect(after.headers["content-type"]).toBe("application/vnd.tcpdump.pcap");
    expect(after.headers["content-disposition"]).toContain('filename="PC1_0-0_to_PC2_0-0.pcap"');
    expect(after.bytes.equals(before.bytes)).toBe(true);
    const times = parsePcap(after.bytes).map((record) => record.timeUs);
    expect(times).toHaveLength(10);
    expect(times).toEqual([...times].sort((a, b) => a - b));

    expect((await client.delete(path)).status).toBe(204);
    expect((await client.get(path)).status).toBe(404);
    expect((await client.get(`${path}/pcap`)).status).toBe(404);
    expect((await client.get(`${pair.link}/captures`)).json).toEqual([]);
  });

  test("of many runs at once loses and doubles no packet", async () => {
    const pair = await makePair();
    await start(pair.link);
    await Promise.all(Array.from({ length: 20 }, () => replay(pair.link, makePcap(7))));
    await client.post(`${pair.link}/stop_capture`);
    const [{ capture_id, packets }] = (await client.get(`${pair.link}/captures`)).json;
    expect(packets).toBe(140);
    const records = parsePcap((await client.get(`${pair.link}/captures/${capture_id}/pcap`)).bytes);
    const numbers = records.map((record) => record.data.readUInt32BE(0));
    expect(numbers).toEqual(Array.from({ length: 20 }, () => [0, 1, 2, 3, 4, 5, 6]).flat());
    const times = records.map((record) => record.timeUs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  }, 60_000);

  test("while runs go on keeps each run in one capture or none", async () => {
    const pair = await makePair();
    await start(pair.link);
    const runs = Array.from({ length: 8 }, () => replay(pair.link, makePcap(5)));
    const stop = await client.post(`${pair.link}/stop_capture`);
    expect(stop.status).toBe(201);
    const answers = await Promise.all(runs);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const [{ capture_id, packets }] = (await client.get(`${pair.link}/captures`)).json;
    expect(packets % 5).toBe(0);
    const file = await client.get(`${pair.link}/captures/${capture_id}/pcap`);
    expect(parsePcap(file.bytes)).toHaveLength(packets);
  });

  test("a capture has the data link type that was asked for", async () => {
    const pair = await makePair();
    await start(pair.link, { data_link_type: "DLT_PPP_SERIAL" });
    expect((await replay(pair.link, makePcap(1))).status).toBe(409);
    expect((await replay(pair.link, makePcap(1, { linkType: 50 }))).status).toBe(200);
    await client.post(`${pair.link}/stop_capture`);
    const [{ capture_id, data_link_type }] = (await client.get(`${pair.link}/captures`)).json;
    expect(data_link_type).toBe("DLT_PPP_SERIAL");
    const { bytes } = await client.get(`${pair.link}/captures/${capture_id}/pcap`);
    expect(bytes.subarray(0, 24).toString("hex")).toBe("d4c3b2a1020004000000000000000000ffff000032000000");
  });

  test("deleting the link deletes its captures", async () => {
    const pair = await makePair();
    await start(pair.link);
    await replay(pair.link, makePcap(2));
    await client.post(`${pair.link}/stop_capture`);
    await start(pair.link);
    expect((await client.delete(pair.link)).status).toBe(204);
    expect((await client.get(`${pair.link}/captures`)).status).toBe(404);
  });
});
