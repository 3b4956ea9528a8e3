import { randomFillSync } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { SERVICE } from "../../functions/shared/edge/access.ts";
import {
  hasProgram,
  LAB_PACKETS,
  LAB_PCAP,
  makePcap,
  parsePcap,
  readWith,
} from "../helpers/captures/pcap.ts";
import { parsePcapng } from "../helpers/captures/pcapng.ts";
import { linesOf, withFile } from "../helpers/engine/programs.ts";
import { makeSerial } from "../helpers/engine/serial-link.ts";
import { addLink, addNode, client, end, makeLab, makePair, uuid } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

const start = (link: string, body: unknown = {}) => client.post(`${link}/start_capture`, body);
const replay = (link: string, pcap: Buffer, query = "") =>
  client.call("POST", `${link}/replay${query}`, { raw: pcap });

describe("starting a capture", () => {
  test("on a link without nodes returns 201 with the unchanged link", async () => {
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

  test("names the file after the link's ends", async () => {
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

  test("again while it runs returns the same capture, or 409 if the options differ", async () => {
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
    { bpf: "icmp or" },
    { bpf: "x".repeat(4097) },
    { bpf: null },
    { max_packets: 0 },
    { max_packets: "5" },
    { max_bytes: 0 },
    { max_bytes: 1.5 },
    { snaplen: 0 },
    { snaplen: 262_145 },
    { tap: "between" },
  ])("rejects %j", async (body) => {
    const pair = await makePair();
    const { status, json } = await start(pair.link, body);
    expect(status).toBe(400);
    const [field] = Object.keys(body);
    if (field !== undefined && field !== "nosuch") expect(json.errors[0].path).toBe(`body.${field}`);
    expect((await client.get(pair.link)).json.capturing).toBe(false);
  });

  test("with an expression that does not compile reports the position, for the capture's data link type", async () => {
    const pair = await makePair();
    const { json } = await start(pair.link, { bpf: "icmp or\n(tcp port" });
    expect(json.errors).toEqual([
      { path: "body.bpf", message: expect.stringMatching(/^line 2, column \d+: /) },
    ]);
    await makeSerial(pair);
    const ether = { bpf: "ether host 02:00:00:00:00:01" };
    expect((await start(pair.link, { ...ether, data_link_type: "DLT_C_HDLC" })).status).toBe(400);
    expect((await start(pair.link, ether)).status).toBe(201);
  });

  test("on an ethernet link takes DLT_EN10MB and rejects other types with the reason", async () => {
    const pair = await makePair();
    for (const data_link_type of ["DLT_ATM_RFC1483", "DLT_FRELAY", "DLT_C_HDLC", "DLT_PPP_SERIAL"]) {
      const { status, json } = await start(pair.link, { data_link_type });
      expect([status, json.message]).toEqual([
        409,
        `A link of type ethernet carries DLT_EN10MB; its packets cannot be captured as ${data_link_type}`,
      ]);
    }
    expect((await start(pair.link, { data_link_type: "DLT_EN10MB" })).status).toBe(201);
  });

  test("returns the given options during and after the capture, and the defaults without options", async () => {
    const pair = await makePair();
    const options = { bpf: "icmp or arp", max_packets: 5, max_bytes: 10_000, snaplen: 96, tap: "before" };
    await start(pair.link, options);
    expect((await client.get(`${pair.link}/captures`)).json).toMatchObject([
      { ...options, limit_reached: false },
    ]);
    await client.post(`${pair.link}/stop_capture`);
    await start(pair.link, { bpf: " " });
    expect((await client.get(`${pair.link}/captures`)).json).toMatchObject([
      { ...options, limit_reached: false },
      { bpf: null, max_packets: null, max_bytes: null, snaplen: 65_535, tap: "after", limit_reached: false },
    ]);
  });

  test("again with equal options returns the same capture, and with any other value 409", async () => {
    const pair = await makePair();
    const options = { bpf: "icmp", max_packets: 5, snaplen: 96 };
    const { json: first } = await start(pair.link, options);
    for (const body of [options, {}, { bpf: "icmp", tap: "after" }, { snaplen: 96 }]) {
      const again = await start(pair.link, body);
      expect([again.status, again.json]).toEqual([201, first]);
    }
    for (const body of [
      { ...options, bpf: "arp" },
      { bpf: "" },
      { max_packets: 6 },
      { max_bytes: 1 },
      { snaplen: 65_535 },
      { tap: "before" },
    ]) {
      const { status, json } = await start(pair.link, body);
      expect([status, json.message]).toEqual([
        409,
        expect.stringContaining("A capture is running on this link: its "),
      ]);
    }
    expect((await client.get(`${pair.link}/captures`)).json).toHaveLength(1);
  });

  test("replaces an empty name with the default, and accepts a name of 255 bytes", async () => {
    const pair = await makePair();
    expect((await start(pair.link, { capture_file_name: "" })).json.capture_file_name).toMatch(
      /^PC1_0-0_to_PC2/,
    );
    const other = await makePair();
    const name = `${"é".repeat(125)}.pcap`;
    expect((await start(other.link, { capture_file_name: name })).json.capture_file_name).toBe(name);
    expect((await client.post(`${other.link}/stop_capture`)).status).toBe(201);
  });

  test("returns 404 for an unknown project or link, and 400 for a malformed id", async () => {
    const pair = await makePair();
    expect((await start(`${pair.path}/links/${uuid()}`)).status).toBe(404);
    expect((await start(`/projects/${uuid()}/links/${pair.linkId}`)).status).toBe(404);
    expect((await start(`${pair.path}/links/zz`)).status).toBe(400);
  });
});

describe("stopping a capture", () => {
  test("sets capturing to false and the three fields to null, and returns 201 when no capture runs", async () => {
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
    expect(after.bytes.equals(before.bytes)).toBe(true);
    const times = parsePcap(after.bytes).map((record) => record.timeUs);
    expect(times).toHaveLength(10);
    expect(times).toEqual([...times].sort((a, b) => a - b));

    expect((await client.delete(path)).status).toBe(204);
    expect((await client.get(path)).status).toBe(404);
    expect((await client.get(`${path}/pcap`)).status).toBe(404);
    expect((await client.get(`${pair.link}/captures`)).json).toEqual([]);
  });

  test("of many concurrent runs neither loses nor duplicates a packet", async () => {
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
  });

  test("during runs stores each run in one capture or none", async () => {
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

  test("keeps the requested data link type", async () => {
    const pair = await makePair();
    await makeSerial(pair);
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

/** Starts a capture, replays the files, and stops it. @returns the capture and its path. */
async function capture(options: Record<string, unknown>, files: readonly Buffer[], fields = {}) {
  const pair = await makePair(fields);
  await start(pair.link, options);
  for (const file of files) await replay(pair.link, file);
  const [{ capture_id }] = (await client.get(`${pair.link}/captures`)).json;
  const path = `${pair.link}/captures/${capture_id}`;
  const running = (await client.get(path)).json;
  await client.post(`${pair.link}/stop_capture`);
  const { json } = await client.get(path);
  expect(json).toEqual({ ...running, status: "stopped", stopped_at: json.stopped_at });
  const file = (await client.get(`${path}/pcap`)).bytes;
  expect(file).toHaveLength(json.bytes);
  return { pair, path, json, file, records: parsePcap(file) };
}
const numbers = (records: ReturnType<typeof parsePcap>) => records.map(({ data }) => data.readUInt32BE(0));

describe("a capture with options", () => {
  test("records what its expression matches", async () => {
    const { records, json } = await capture({ bpf: "icmp" }, [LAB_PCAP]);
    const icmp = parsePcap(LAB_PCAP).filter(({ data }) => data.readUInt16BE(12) === 0x0800 && data[23] === 1);
    expect(icmp.length).toBeGreaterThan(0);
    expect(records.map(({ data }) => data)).toEqual(icmp.map(({ data }) => data));
    expect(json.packets).toBe(icmp.length);
  });

  test("ends after max_packets, over several runs", async () => {
    const { records, json } = await capture({ max_packets: 7 }, [makePcap(5), makePcap(5), makePcap(5)]);
    expect(numbers(records)).toEqual([0, 1, 2, 3, 4, 0, 1]);
    expect(json).toMatchObject({ packets: 7, limit_reached: true });
  });

  test("ends before the first packet that would exceed max_bytes, and records none after it", async () => {
    const options = { max_bytes: 3 * 76 + 75 };
    const { records, json } = await capture(options, [makePcap(2), makePcap(2), makePcap(2)]);
    expect(numbers(records)).toEqual([0, 1, 0]);
    expect(json).toMatchObject({ packets: 3, bytes: 24 + 3 * 76, limit_reached: true });
  });

  test("has reached its limit with no packet if the first one does not fit", async () => {
    const { records, json } = await capture({ max_bytes: 1 }, [makePcap(2), makePcap(2)]);
    expect(records).toEqual([]);
    expect(json).toMatchObject({ packets: 0, bytes: 24, limit_reached: true });
  });

  test("has not reached a limit that is not used up", async () => {
    const { json } = await capture({ max_packets: 3, max_bytes: 1000 }, [makePcap(2)]);
    expect(json).toMatchObject({ packets: 2, limit_reached: false });
  });

  test("cuts packets to the snaplen, and writes it to the file's header", async () => {
    const { records, file, json } = await capture({ snaplen: 20 }, [makePcap(3)]);
    expect(file.readUInt32LE(16)).toBe(20);
    expect(records.map(({ data, originalLength }) => [data.length, originalLength])).toEqual(
      Array(3).fill([20, 60]),
    );
    expect(json.bytes).toBe(24 + 3 * 36);
  });

  test("before the filters records packets that enter the link, at that time", async () => {
    const fields = { filters: { packet_loss: [100], delay: [500] } };
    const entering = await capture({ tap: "before" }, [makePcap(4)], fields);
    expect(numbers(entering.records)).toEqual([0, 1, 2, 3]);
    const times = entering.records.map(({ timeUs }) => timeUs - entering.records[0]!.timeUs);
    expect(times).toEqual([0, 1000, 2000, 3000]);
    const leaving = await capture({ tap: "after" }, [makePcap(4)], fields);
    expect(leaving.records).toEqual([]);
  });

  test("before the filters records packets out of order at their own offsets", async () => {
    const file = makePcap(3);
    const [first, second, third] = [0, 1, 2].map((index) =>
      file.subarray(24 + index * 76, 24 + (index + 1) * 76),
    );
    const swapped = Buffer.concat([file.subarray(0, 24), first!, third!, second!]);
    const { records } = await capture({ tap: "before", max_packets: 2 }, [swapped]);
    expect(numbers(records)).toEqual([0, 1]);
  });

  test("keeps its snaplen in the file when closing the project stops it", async () => {
    const pair = await makePair();
    await start(pair.link, { snaplen: 99 });
    await client.post(`${pair.path}/close`);
    const [{ capture_id }] = (await client.get(`${pair.link}/captures`)).json;
    const { bytes } = await client.get(`${pair.link}/captures/${capture_id}/pcap`);
    expect(bytes.readUInt32LE(16)).toBe(99);
  });
});

describe("the packets of a capture", () => {
  test("are listed in order and decoded, during the capture and after it", async () => {
    const pair = await makePair();
    await start(pair.link);
    await replay(pair.link, LAB_PCAP, "?start=1700000000.25");
    const [{ capture_id }] = (await client.get(`${pair.link}/captures`)).json;
    const path = `${pair.link}/captures/${capture_id}/packets`;
    const { status, json } = await client.get(path);
    expect(status).toBe(200);
    expect(json).toMatchObject({ total: LAB_PACKETS, matched: LAB_PACKETS, more: true });
    expect(json.packets).toHaveLength(100);
    expect(json.packets[0]).toMatchObject({ number: 1, time: "2023-11-14T22:13:20.250000Z", relative_s: 0 });
    const sent = parsePcap(LAB_PCAP);
    for (const [index, packet] of json.packets.entries()) {
      expect(packet.number).toBe(index + 1);
      expect(packet.captured_length).toBe(sent[index]!.data.length);
      expect(packet.relative_s).toBeCloseTo((sent[index]!.timeUs - sent[0]!.timeUs) / 1e6, 5);
    }
    await client.post(`${pair.link}/stop_capture`);
    expect((await client.get(path)).json).toEqual(json);
  });

  test("can be filtered and paged", async () => {
    const { path } = await capture({}, [LAB_PCAP]);
    const page = async (query: string) => (await client.get(`${path}/packets?${query}`)).json;
    const all = (await page("limit=1000")).packets;
    expect(all).toHaveLength(LAB_PACKETS);
    const icmp = all.filter(({ protocol }: { protocol: string }) => protocol === "ICMP");
    expect(await page("filter=icmp&limit=1000")).toEqual({
      packets: icmp,
      total: LAB_PACKETS,
      matched: icmp.length,
      more: false,
    });
    const count = icmp.length;
    expect(await page(`filter=icmp&limit=2&offset=${count - 3}`)).toEqual({
      packets: icmp.slice(-3, -1),
      total: LAB_PACKETS,
      matched: count,
      more: true,
    });
    expect(await page(`limit=5&offset=${LAB_PACKETS - 5}`)).toMatchObject({
      packets: all.slice(-5),
      more: false,
    });
    expect(await page(`offset=${LAB_PACKETS}`)).toMatchObject({
      packets: [],
      matched: LAB_PACKETS,
      more: false,
    });
    expect(await page("filter=vlan")).toMatchObject({ packets: [], matched: 0, more: false });
  });

  test("are an empty list if the capture is empty", async () => {
    const { path } = await capture({}, []);
    expect((await client.get(`${path}/packets`)).json).toEqual({
      packets: [],
      total: 0,
      matched: 0,
      more: false,
    });
  });

  test("are decoded by the capture's data link type", async () => {
    const pair = await makePair();
    await makeSerial(pair);
    await start(pair.link, { data_link_type: "DLT_C_HDLC" });
    await replay(pair.link, makePcap(1, { linkType: 104 }));
    const [{ capture_id }] = (await client.get(`${pair.link}/captures`)).json;
    const path = `${pair.link}/captures/${capture_id}/packets`;
    expect((await client.get(path)).json.packets).toMatchObject([{ protocol: "CHDLC", source: null }]);
    const wrong = await client.get(`${path}?filter=ether%20host%2002:00:00:00:00:01`);
    expect([wrong.status, wrong.json.errors]).toEqual([
      400,
      [{ path: "query.filter", message: expect.stringMatching(/^line 1, column \d+: /) }],
    ]);
  });

  test.each([
    ["filter=icmp%20or", "query.filter"],
    [`filter=${"x".repeat(4097)}`, "query.filter"],
    ["limit=0", "query.limit"],
    ["limit=1001", "query.limit"],
    ["limit=x", "query.limit"],
    ["offset=-1", "query.offset"],
    ["offset=1.5", "query.offset"],
  ])("rejects %s", async (query, field) => {
    const { path } = await capture({}, []);
    const { status, json } = await client.get(`${path}/packets?${query}`);
    expect([status, json.errors[0].path]).toEqual([400, field]);
  });

  test("returns 404 for an unknown capture", async () => {
    const pair = await makePair();
    expect((await client.get(`${pair.link}/captures/${uuid()}/packets`)).status).toBe(404);
  });
});

describe("the pcapng of a project", () => {
  /** A switch between two PCs, with a capture on each link. */
  async function twoLinks(options: readonly Record<string, unknown>[] = [{}, {}]) {
    const lab = await makeLab();
    const [first, second] = [await addNode(lab, { name: "PC1" }), await addNode(lab, { name: "PC2" })];
    const middle = await addNode(lab, { name: "SW1", node_type: "ethernet_switch" });
    const ids = [
      await addLink(lab, [end(first), end(middle, 2)]),
      await addLink(lab, [end(middle, 3), end(second)]),
    ];
    const links = ids.map((id) => `${lab.path}/links/${id}`);
    for (const [index, link] of links.entries()) await start(link, options[index]);
    return { lab, ids, links };
  }
  const pcapng = (lab: { path: string }, query = "") => client.get(`${lab.path}/pcapng${query}`);

  test("has an interface for each link, named after its ends, and all packets in order of time", async () => {
    const { lab, links } = await twoLinks([{ snaplen: 50, bpf: "ether[0] = 0" }, {}]);
    await replay(links[0]!, makePcap(3, { intervalUs: 2000 }), "?start=1000");
    await replay(links[1]!, makePcap(3, { intervalUs: 2000 }), "?start=1000.001");
    await client.post(`${links[1]}/stop_capture`);
    const { status, headers, bytes } = await pcapng(lab);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/x-pcapng");
    expect(headers["content-disposition"]).toMatch(/^attachment; filename="lab-.*\.pcapng"/);
    const { interfaces, packets } = parsePcapng(bytes);
    expect(interfaces).toEqual([
      { linkType: 1, snaplen: 50, name: "PC1 0/0 - SW1 0/2", filter: "ether[0] = 0" },
      { linkType: 1, snaplen: 65_535, name: "SW1 0/3 - PC2 0/0", filter: undefined },
    ]);
    expect(packets.map(({ timeUs, interfaceId, data }) => [timeUs - 1e9, interfaceId, data.length])).toEqual([
      [0, 0, 50],
      [1000, 1, 60],
      [2000, 0, 50],
      [3000, 1, 60],
      [4000, 0, 50],
      [5000, 1, 60],
    ]);
  });

  test("takes the running or else the latest capture of each link, and any capture by id", async () => {
    const { lab, ids, links } = await twoLinks();
    await replay(links[0]!, makePcap(1));
    await client.post(`${links[0]}/stop_capture`);
    const [{ capture_id }] = (await client.get(`${links[0]}/captures`)).json;
    await start(links[0]!);
    await replay(links[0]!, makePcap(2));
    await replay(links[1]!, makePcap(4));
    const count = async (query: string) => {
      const { interfaces, packets } = parsePcapng((await pcapng(lab, query)).bytes);
      return interfaces.map((_, index) => packets.filter(({ interfaceId }) => interfaceId === index).length);
    };
    expect(await count("")).toEqual([2, 4]);
    await client.post(`${links[0]}/stop_capture`);
    expect(await count("")).toEqual([2, 4]);
    expect(await count(`?links=${ids[1]}`)).toEqual([4]);
    expect(await count(`?links=${ids[1]},${ids[0]},${ids[1]}`)).toEqual([2, 4]);
    expect(await count(`?captures=${capture_id}`)).toEqual([1]);
    expect(await count(`?captures=${capture_id}&links=${ids[0]}`)).toEqual([1, 2]);
  });

  test("of many runs holds each packet once, during the capture and after it", async () => {
    const { lab, links } = await twoLinks();
    for (let run = 0; run < 5; run++) {
      await replay(links[run % 2]!, LAB_PCAP, `?start=${1000 + run}`);
    }
    await client.post(`${links[0]}/stop_capture`);
    const { packets } = parsePcapng((await pcapng(lab)).bytes);
    expect(packets).toHaveLength(5 * LAB_PACKETS);
    const bytes = (of: readonly { data: Buffer }[]) => of.reduce((sum, { data }) => sum + data.length, 0);
    expect(bytes(packets)).toBe(5 * bytes(parsePcap(LAB_PCAP)));
  });

  test("is empty for a project without captures; unknown ids are 404, malformed ones 400", async () => {
    const pair = await makePair();
    const { status, bytes } = await pcapng(pair);
    expect([status, parsePcapng(bytes)]).toEqual([200, { interfaces: [], packets: [] }]);
    expect(parsePcapng((await pcapng(pair, `?links=${pair.linkId}`)).bytes).interfaces).toEqual([]);
    expect((await client.get(`/projects/${uuid()}/pcapng`)).status).toBe(404);
    expect((await pcapng(pair, `?links=${pair.linkId},${uuid()}`)).status).toBe(404);
    expect((await pcapng(pair, `?captures=${uuid()}`)).status).toBe(404);
    expect((await pcapng(pair, "?links=")).status).toBe(400);
    expect((await pcapng(pair, "?links=a,b")).status).toBe(400);
  });

  test.skipIf(!hasProgram("tshark"))(
    "is read by tshark, interface by interface, without malformed packets (skipped without tshark)",
    async () => {
      const { lab, links } = await twoLinks();
      for (const link of links) await replay(link, LAB_PCAP, "?start=1000");
      const { bytes } = await pcapng(lab);
      const names = readWith("tshark", bytes, "-T", "fields", "-e", "frame.interface_name");
      const of = (name: string) => names.filter((each) => each === name).length;
      expect([of("PC1 0/0 - SW1 0/2"), of("SW1 0/3 - PC2 0/0")]).toEqual([LAB_PACKETS, LAB_PACKETS]);
      expect(readWith("tshark", bytes, "-Y", "_ws.malformed || frame.time_delta < 0")).toEqual([]);
    },
  );

  test.skipIf(!hasProgram("capinfos"))("is accepted by capinfos (skipped without capinfos)", async () => {
    const { lab, links } = await twoLinks();
    await replay(links[0]!, LAB_PCAP);
    const facts = withFile((await pcapng(lab)).bytes, (path) => linesOf("capinfos", [path])).join("\n");
    expect(facts).toMatch(/Number of interfaces in file: 2/);
    expect(facts).toMatch(/Strict time order: +True/);
  });
});

/** Reads as the export of several captures does. The store is called in the test's process. */
describe("a capture read in blocks", () => {
  beforeAll(() => {
    const stack = localStack();
    Object.assign(process.env, {
      AWS_REGION: stack.region,
      AWS_ACCESS_KEY_ID: stack.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: stack.credentials.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: stack.dynamodbEndpoint,
      AWS_ENDPOINT_URL_S3: stack.s3Endpoint,
      TABLE_NAME: stack.tableName,
      BUCKET_NAME: stack.bucketName,
    });
  });

  async function findIt(pair: { projectId: string; linkId: string; link: string }) {
    const { readItems } = await import("../../functions/shared/store/contents/read.ts");
    const [{ capture_id: captureId }] = (await client.get(`${pair.link}/captures`)).json;
    const wanted = { links: [pair.linkId], capture: { linkId: pair.linkId, captureId } };
    const found = await readItems(SERVICE, pair.projectId, wanted);
    const pcap = (await client.get(`${pair.link}/captures/${captureId}/pcap`)).bytes;
    return { capture: found.capture!, running: found.links.get(pair.linkId)!.capture, pcap };
  }

  const FRAME_BYTES = 1_100;
  const RECORD_BYTES = FRAME_BYTES + 16;

  /** The first run's packets are an object, those of the others are items. */
  async function capturing() {
    const pair = await makePair();
    await start(pair.link);
    const random = { frameBytes: FRAME_BYTES, fill: (frame: Buffer) => randomFillSync(frame) };
    for (const count of [3, 1, 2]) await replay(pair.link, makePcap(count, random));
    return pair;
  }

  test.each([100, RECORD_BYTES, 2_000, 24 + 6 * RECORD_BYTES, 10_000])(
    "of %d bytes is the whole file, running and stopped",
    async (blockBytes) => {
      const { readCapture } = await import("../../functions/shared/store/lab/capture-file.ts");
      const { BlockReader } = await import("../../functions/shared/store/base/block-reader.ts");
      const pair = await capturing();
      for (const stop of [false, true]) {
        if (stop) await client.post(`${pair.link}/stop_capture`);
        const { capture, running, pcap } = await findIt(pair);
        expect(capture.stored ?? false).toBe(stop);
        const pieces: Uint8Array[] = [];
        const blocks = new BlockReader(blockBytes, 3);
        for await (const piece of readCapture(capture, running, pcap.subarray(0, 24), blocks))
          pieces.push(piece);
        expect(Buffer.concat(pieces).equals(pcap)).toBe(true);
        expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(
          Math.max(2 * RECORD_BYTES, blockBytes),
        );
      }
    },
  );

  test("continues in the stored object when the capture stops between two blocks", async () => {
    const { readCapture } = await import("../../functions/shared/store/lab/capture-file.ts");
    const { BlockReader } = await import("../../functions/shared/store/base/block-reader.ts");
    const { deletePrefix } = await import("../../functions/shared/store/base/objects.ts");
    const pair = await capturing();
    const { capture, running, pcap } = await findIt(pair);
    const pieces: Uint8Array[] = [];
    const blocks = new BlockReader(50, 1);
    for await (const piece of readCapture(capture, running, pcap.subarray(0, 24), blocks)) {
      pieces.push(piece);
      if (pieces.length !== 3) continue;
      await client.post(`${pair.link}/stop_capture`);
      await deletePrefix(`segments/${pair.projectId}/`);
    }
    expect(Buffer.concat(pieces).equals(pcap)).toBe(true);
  });
});
