/** docs/interface.md, row by row: each describe block names its section. */
import { describe, expect, test } from "vitest";
import { makePcap } from "../helpers/captures/pcap.ts";
import { makeSerial } from "../helpers/engine/serial-link.ts";
import { addLink, client, makeLab, makePair } from "../helpers/service/lab.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const emptyLink = async () => {
  const lab = await makeLab();
  return `${lab.path}/links/${await addLink(lab, [])}`;
};

describe("2.2 link", () => {
  test.each([
    ["capture_compute_id", null, "local"],
    ["capture_file_name", null, "PC1_0-0_to_PC2_0-0.pcap"],
    ["capture_file_path", null, expect.stringMatching(/^s3:\/\/.+\/PC1_0-0_to_PC2_0-0\.pcap$/)],
    ["capturing", false, true],
    ["filters", {}, {}],
    ["link_id", expect.stringMatching(UUID), expect.stringMatching(UUID)],
    ["link_style", {}, {}],
    ["link_type", "ethernet", "ethernet"],
    ["nodes", expect.any(Array), expect.any(Array)],
    ["project_id", expect.stringMatching(UUID), expect.stringMatching(UUID)],
    ["suspend", false, false],
  ])("%s is present, without and with a running capture", async (field, idle, capturing) => {
    const pair = await makePair();
    expect((await client.get(pair.link)).json[field]).toEqual(idle);
    expect((await client.post(`${pair.link}/start_capture`, {})).json[field]).toEqual(capturing);
  });

  test("has these eleven fields and no other", async () => {
    const pair = await makePair();
    expect(Object.keys((await client.get(pair.link)).json)).toHaveLength(11);
  });

  test("filters and nodes are empty by default", async () => {
    expect((await client.get(await emptyLink())).json).toMatchObject({ filters: {}, nodes: [] });
  });
});

describe("2.3 capture request", () => {
  test("capture_file_name, a read-only field of the link, is accepted as the wanted file name", async () => {
    const pair = await makePair();
    const { status, json } = await client.post(`${pair.link}/start_capture`, {
      capture_file_name: "wished.pcap",
    });
    expect([status, json.capture_file_name]).toEqual([201, "wished.pcap"]);
  });

  test.each([
    ["DLT_ATM_RFC1483", 100],
    ["DLT_EN10MB", 1],
    ["DLT_FRELAY", 107],
    ["DLT_C_HDLC", 104],
    ["DLT_PPP_SERIAL", 50],
  ])("data_link_type %s makes a file of link type %d", async (data_link_type, linkType) => {
    const pair = await makePair();
    // Ethernet links accept DLT_EN10MB only.
    if (data_link_type !== "DLT_EN10MB") await makeSerial(pair);
    const { status } = await client.post(`${pair.link}/start_capture`, { data_link_type });
    expect(status).toBe(201);
    expect(
      (await client.call("POST", `${pair.link}/replay`, { raw: makePcap(2, { linkType }) })).status,
    ).toBe(200);
    await client.post(`${pair.link}/stop_capture`);
    const [{ capture_id }] = (await client.get(`${pair.link}/captures`)).json;
    const { bytes } = await client.get(`${pair.link}/captures/${capture_id}/pcap`);
    expect(bytes.readUInt32LE(20)).toBe(linkType);
    expect(bytes).toHaveLength(24 + 2 * 76);
  });

  test("any other data_link_type is 400", async () => {
    const pair = await makePair();
    expect((await client.post(`${pair.link}/start_capture`, { data_link_type: "DLT_NULL" })).status).toBe(
      400,
    );
  });
});

describe("2.4 filter descriptors", () => {
  const integer = (name: string, minimum: number, maximum: number, unit: string) => ({
    name,
    type: "int",
    minimum,
    maximum,
    unit,
  });
  const rows = [
    ["frequency_drop", "Frequency drop", [integer("Frequency", -1, 32_767, "th packet")]],
    ["packet_loss", "Packet loss", [integer("Chance", 0, 100, "%")]],
    ["delay", "Delay", [integer("Latency", 0, 32_767, "ms"), integer("Jitter (-/+)", 0, 32_767, "ms")]],
    ["corrupt", "Corrupt", [integer("Chance", 0, 100, "%")]],
    ["bpf", "Berkeley Packet Filter (BPF)", [{ name: "Filters", type: "text" }]],
  ] as const;

  test.each(rows.map((row, index) => [row[0], index] as const))(
    "%s is number %d of the list",
    async (_type, index) => {
      const { status, json } = await client.get(`${await emptyLink()}/available_filters`);
      expect(status).toBe(200);
      expect(json).toHaveLength(rows.length);
      const [type, name, parameters] = rows[index]!;
      expect(json[index]).toEqual({ type, name, description: expect.stringMatching(/\w+ \w+/), parameters });
    },
  );
});

describe("2.3 a link without ends", () => {
  test("starting a capture on a link without nodes returns the link without a capture", async () => {
    const { status, json } = await client.post(`${await emptyLink()}/start_capture`, {});
    expect(status).toBe(201);
    expect(json).toMatchObject({
      capturing: false,
      capture_compute_id: null,
      capture_file_name: null,
      capture_file_path: null,
      filters: {},
      nodes: [],
      suspend: false,
      link_type: "ethernet",
    });
  });
});

describe("2.1 link operations", () => {
  test.each([
    ["GET", "available_filters", 200],
    ["POST", "start_capture", 201],
  ])("%s %s returns JSON with its status, and 400 for an invalid request", async (method, name, expected) => {
    const link = await emptyLink();
    const { status, headers } = await client.call(method, `${link}/${name}`, { raw: "{}" });
    expect([status, headers["content-type"]]).toEqual([expected, "application/json"]);
    const invalid = await client.call(method, `${link.replace(/.{3}$/, "")}/${name}`, { raw: "{}" });
    expect(invalid.status).toBe(400);
  });
});

describe("5.1 symbol operations", () => {
  test.each(["/default_symbols", "/symbols"])("GET %s returns JSON", async (path) => {
    const { status, headers } = await client.get(path);
    expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
  });

  test("GET and POST /symbols/{symbol_id}/raw take ids with slashes and dots", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="4"/>';
    const path = `/symbols/a/b.c/../${crypto.randomUUID()}.svg/raw`;
    expect((await client.call("POST", path, { raw: svg })).status).toBe(204);
    expect((await client.get(path)).bytes.toString()).toBe(svg);
  });
});

describe("7 helper virtual machine operations", () => {
  test.each([
    ["GET", "/simvm", 200],
    ["PUT", "/simvm", 201],
    ["GET", "/simvm/engines", 200],
    ["GET", "/simvm/engines/remote/vms", 200],
  ])("%s %s returns %d", async (method, path, expected) => {
    expect((await client.call(method, path, { raw: "{}" })).status).toBe(expected);
  });
});

describe("2.4 bounds of filters", () => {
  test.each([
    ["frequency_drop", -1, 32_767],
    ["packet_loss", 0, 100],
    ["corrupt", 0, 100],
    ["delay", 0, 32_767],
  ])("%s accepts %d to %d and nothing beyond", async (filter, minimum, maximum) => {
    const pair = await makePair();
    const put = async (value: number) =>
      (await client.put(pair.link, { filters: { [filter]: [value] } })).status;
    expect(await put(minimum)).toBe(201);
    expect(await put(maximum)).toBe(201);
    expect(await put(minimum - 1)).toBe(400);
    expect(await put(maximum + 1)).toBe(400);
  });

  test("jitter accepts 0 to 32767 and nothing beyond", async () => {
    const pair = await makePair();
    const put = async (jitter: number) =>
      (await client.put(pair.link, { filters: { delay: [1, jitter] } })).status;
    expect(await Promise.all([0, 32_767].map(put))).toEqual([201, 201]);
    expect(await Promise.all([-1, 32_768].map(put))).toEqual([400, 400]);
  });
});
