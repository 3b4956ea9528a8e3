/** Captures of links between nodes of registered computes, against computes in this process. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parsePcap } from "../helpers/captures/pcap.ts";
import { FakeCompute } from "../helpers/compute/fake-compute.ts";
import { addLink, addNode, client, end, freshName, type Lab, makeLab } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

const near = new FakeCompute();
const far = new FakeCompute();
let nearPort = 0;
let nearId = "";
let farId = "";
let lab: Lab;
let ids: readonly [string, string];
let link = "";

async function register(port: number): Promise<string> {
  const body = { protocol: "http", host: "127.0.0.1", port, name: freshName("compute") };
  return (await client.post("/computes", body)).json.compute_id;
}

beforeAll(async () => {
  nearPort = await near.start();
  nearId = await register(nearPort);
  farId = await register(await far.start());
});

afterAll(async () => {
  for (const id of [nearId, farId]) await client.delete(`/computes/${id}`);
  await Promise.all([near.stop(), far.stop()]);
});

beforeEach(async () => {
  lab = await makeLab();
  ids = [
    await addNode(lab, { name: "PC1", compute_id: nearId }),
    await addNode(lab, { name: "PC2", compute_id: farId }),
  ];
  const linkId = await addLink(
    lab,
    ids.map((id) => end(id)),
  );
  link = `${lab.path}/links/${linkId}`;
});

afterEach(() => {
  for (const compute of [near, far]) {
    compute.accept();
    compute.forget();
    compute.captures.files.clear();
    compute.calls.length = 0;
  }
});

const switchTo = (power: string, id: string) => client.post(`${lab.path}/nodes/${id}/${power}`);
const start = (body: object = {}) => client.post(`${link}/start_capture`, body);
const stop = () => client.post(`${link}/stop_capture`);
const captures = async () => (await client.get(`${link}/captures`)).json;

/** Starts the first node and a capture on it. */
async function startFirst(body: object = {}): Promise<string> {
  await switchTo("start", ids[0]);
  expect((await start(body)).status).toBe(201);
  return (await captures())[0].capture_id;
}

/** Ethernet frames of 60 bytes, which end with their number. */
const packets = (...numbers: number[]) =>
  numbers.map((number) => ({
    seconds: 1_700_000_000 + number,
    nanoseconds: 5_000,
    data: new Uint8Array(60).fill(number, 59),
    originalLength: 60,
  }));

/** Returns the numbers of the packets in a file. */
const numbersIn = (file: Buffer): number[] =>
  file.length === 0 ? [] : parsePcap(file).map(({ data }) => data[59]!);

const url = (path: string): string => `${localStack().baseUrl}${path}`;

async function download(captureId: string): Promise<Buffer> {
  const response = await fetch(url(`${link}/captures/${captureId}/pcap`));
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** Returns status and code; the client of the tests takes a status from 500 up for a fault. */
async function send(method: string, path: string, body?: object): Promise<[number, string]> {
  const response = await fetch(url(path), { method, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  return [response.status, text === "" ? "" : JSON.parse(text).code];
}

const PORT = "/adapters/0/ports/0";

describe("a capture of a link between nodes of computes", () => {
  test("runs on the first node that runs, and is stored when it is stopped", async () => {
    await switchTo("start", ids[1]);
    const started = await start();
    expect(started.json).toMatchObject({
      capturing: true,
      capture_compute_id: farId,
      capture_file_name: "PC1_0-0_to_PC2_0-0.pcap",
    });
    const [capture] = await captures();
    expect(far.captures.running).toEqual([`${ids[1]}${PORT}`]);
    expect(far.captures.files.has(`${lab.projectId}/${capture.capture_id}.pcap`)).toBe(true);
    far.captures.record(ids[1], packets(1, 2, 3));

    const stopped = await stop();
    expect([stopped.status, stopped.json.capturing, stopped.json.capture_compute_id]).toEqual([
      201,
      false,
      null,
    ]);
    expect(far.captures.running).toEqual([]);
    const bytes = 3 * (16 + 60);
    expect(await captures()).toMatchObject([
      { status: "stopped", packets: 3, bytes: 24 + bytes, limit_reached: false, capture_compute_id: farId },
    ]);
    // The compute is not needed any more.
    far.captures.files.clear();
    expect(numbersIn(await download(capture.capture_id))).toEqual([1, 2, 3]);
    const page = (await client.get(`${link}/captures/${capture.capture_id}/packets?limit=2`)).json;
    expect([page.total, page.matched, page.packets.length, page.more]).toEqual([3, 3, 2, true]);
    const pcapng = await fetch(url(`${lab.path}/pcapng`));
    expect(pcapng.status).toBe(200);
    expect((await pcapng.arrayBuffer()).byteLength).toBeGreaterThan(3 * 60);
  });

  test("prefers a device that is always on", async () => {
    const hub = await addNode(lab, { name: "HUB", node_type: "ethernet_hub", compute_id: farId });
    const pc = await addNode(lab, { name: "PC3", compute_id: nearId });
    const linkId = await addLink(lab, [end(pc), end(hub, 3)]);
    await switchTo("start", pc);
    expect((await client.post(`${lab.path}/links/${linkId}/start_capture`, {})).json.capture_compute_id).toBe(
      farId,
    );
    expect(far.captures.running).toEqual([`${hub}/adapters/0/ports/3`]);
  });

  test("needs a node that runs", async () => {
    expect((await start()).json.code).toBe("capture.no-running-node");
    await switchTo("start", ids[0]);
    near.forget();
    expect((await start()).json.code).toBe("capture.no-running-node");
    expect(await captures()).toEqual([]);
    expect((await client.get(link)).json.capturing).toBe(false);
  });

  test("is the running one when it is started again, and 409 with another name", async () => {
    await startFirst();
    expect((await start()).status).toBe(201);
    expect((await start({ capture_file_name: "other.pcap" })).json.code).toBe("capture.running");
    expect((await start({ data_link_type: "DLT_C_HDLC" })).json.code).toBe("capture.running");
    expect(near.calls.filter((call) => call.endsWith("start_capture"))).toHaveLength(1);
    expect(await captures()).toHaveLength(1);
  });

  test("has its options: an expression, limits and a length", async () => {
    const id = await startFirst({ bpf: "greater 60", max_packets: 2, snaplen: 20 });
    near.captures.record(ids[0], [{ ...packets(9)[0]!, data: new Uint8Array(40), originalLength: 40 }]);
    near.captures.record(ids[0], packets(1, 2, 3));
    await stop();
    expect(await captures()).toMatchObject([{ packets: 2, bytes: 24 + 2 * (16 + 20), limit_reached: true }]);
    const file = await download(id);
    expect(file.readUInt32LE(16)).toBe(20);
    expect(parsePcap(file).map(({ data }) => data.length)).toEqual([20, 20]);
    expect((await start({ tap: "before" })).json.code).toBe("link.real");
  });

  test("can be read and listed while it runs", async () => {
    const id = await startFirst();
    near.captures.record(ids[0], packets(1, 2));
    expect(numbersIn(await download(id))).toEqual([1, 2]);
    const page = (await client.get(`${link}/captures/${id}/packets?limit=1`)).json;
    expect([page.total, page.matched, page.packets.length, page.more]).toEqual([2, 2, 1, true]);
  });

  test("replaces one that an earlier attempt has left running there", async () => {
    await switchTo("start", ids[0]);
    near.captures.start(`${ids[0]}${PORT}`, "left.pcap");
    expect((await start()).status).toBe(201);
    expect(near.captures.running).toEqual([`${ids[0]}${PORT}`]);
  });

  test("is not there when the compute refuses it", async () => {
    await switchTo("start", ids[0]);
    near.refuse(/start_capture$/, 409, "uBridge is not available");
    const answer = await start();
    expect([answer.status, answer.json.code]).toEqual([409, "compute.refused"]);
    expect(answer.json.message).toContain("uBridge is not available");
    expect(await captures()).toEqual([]);
    near.accept();
    expect((await start()).status).toBe(201);
  });

  test("keeps the packets before the end of a file that is cut off", async () => {
    const id = await startFirst();
    near.captures.record(ids[0], packets(1));
    near.captures.append(ids[0], Buffer.from([1, 2, 3]));
    await stop();
    expect(numbersIn(await download(id))).toEqual([1]);
  });

  test("whose file is damaged is reported, and stays on the compute", async () => {
    const id = await startFirst();
    near.captures.append(ids[0], Buffer.alloc(16, 0xff));
    expect((await stop()).json.code).toBe("compute.refused");
    expect((await client.get(link)).json.capturing).toBe(false);
    expect((await stop()).json.code).toBe("compute.refused");
    expect((await client.delete(`${link}/captures/${id}`)).status).toBe(204);
    expect((await stop()).status).toBe(201);
  });

  test("whose file is gone is reported until it is deleted", async () => {
    const id = await startFirst();
    near.captures.files.clear();
    expect((await stop()).json.code).toBe("compute.refused");
    expect((await client.get(`${link}/captures/${id}/packets`)).json.code).toBe("compute.refused");
    await client.delete(`${link}/captures/${id}`);
    expect((await stop()).status).toBe(201);
  });
});

describe("a follower of such a capture", () => {
  test("gets the packets while they are recorded, and all of them when it is stopped", async () => {
    await startFirst();
    near.captures.record(ids[0], packets(1));
    const response = await fetch(url(`${link}/pcap`));
    expect(response.headers.get("content-type")).toBe("application/vnd.tcpdump.pcap");
    const reader = response.body!.getReader();
    let file = Buffer.alloc(0);
    const readUntil = async (count: number) => {
      while (numbersIn(file).length < count) {
        const { done, value } = await reader.read();
        if (done) break;
        file = Buffer.concat([file, value]);
      }
    };
    await readUntil(1);
    near.captures.record(ids[0], packets(2, 3));
    await readUntil(3);
    expect(numbersIn(file)).toEqual([1, 2, 3]);
    await stop();
    await readUntil(4);
    expect(numbersIn(file)).toEqual([1, 2, 3]);
    expect((await reader.read()).done).toBe(true);
  });

  test("goes on after a break, without a packet twice", async () => {
    await startFirst();
    near.captures.record(ids[0], packets(1, 2));
    const response = await fetch(url(`${link}/pcap`));
    const whole = response.arrayBuffer();
    near.captures.hangUp();
    near.captures.record(ids[0], packets(3));
    await stop();
    expect(numbersIn(Buffer.from(await whole))).toEqual([1, 2, 3]);
  });

  test("is refused when the compute does not answer, or records nothing", async () => {
    await startFirst();
    near.captures.stopAll();
    expect(await send("GET", `${link}/pcap`)).toEqual([409, "compute.refused"]);
    await stop();
    expect(await send("GET", `${link}/pcap`)).toEqual([409, "capture.not-running"]);
  });
});

describe("a compute that is away", () => {
  test("keeps the capture, which is stopped when the compute is back", async () => {
    const id = await startFirst();
    near.captures.record(ids[0], packets(1, 2));
    await near.stop();
    expect(await send("POST", `${link}/stop_capture`)).toEqual([503, "compute.unreachable"]);
    expect((await client.get(link)).json.capturing).toBe(true);
    expect(await send("GET", `${link}/captures/${id}/packets`)).toEqual([503, "compute.unreachable"]);
    expect(await send("GET", `${link}/pcap`)).toEqual([503, "compute.unreachable"]);
    await near.start(nearPort);
    expect((await stop()).status).toBe(201);
    expect(numbersIn(await download(id))).toEqual([1, 2]);
  });

  test("has the file when it refuses to send it, until a stop or a download", async () => {
    const id = await startFirst();
    near.captures.record(ids[0], packets(1, 2));
    near.refuse(/files/, 503, "too busy");
    expect(await send("POST", `${link}/stop_capture`)).toEqual([503, "compute.unreachable"]);
    expect((await client.get(link)).json.capturing).toBe(false);
    near.accept();
    expect(numbersIn(await download(id))).toEqual([1, 2]);
    expect((await captures())[0].packets).toBe(0);
    expect((await stop()).status).toBe(201);
    expect((await captures())[0].packets).toBe(2);
    near.captures.files.clear();
    expect(numbersIn(await download(id))).toEqual([1, 2]);
  });

  test("that was restarted has the file, and records no more", async () => {
    const id = await startFirst();
    near.captures.record(ids[0], packets(1, 2));
    near.forget();
    expect((await switchTo("start", ids[0])).json.status).toBe("started");
    expect((await client.get(link)).json.capturing).toBe(false);
    expect(near.captures.running).toEqual([]);
    expect((await start()).status).toBe(201);
    near.captures.record(ids[0], packets(3));
    await stop();
    const [, second] = await captures();
    expect(numbersIn(await download(id))).toEqual([1, 2]);
    expect(numbersIn(await download(second.capture_id))).toEqual([3]);
  });

  test("that was restarted gives the file to a stop", async () => {
    const id = await startFirst();
    near.captures.record(ids[0], packets(7));
    near.forget();
    expect((await stop()).status).toBe(201);
    expect(numbersIn(await download(id))).toEqual([7]);
  });
});

describe("the end of what records", () => {
  test.each(["stop", "suspend", "reload"])("%s of the node stops the capture", async (power) => {
    const id = await startFirst();
    near.captures.record(ids[0], packets(1));
    expect((await switchTo(power, ids[0])).status).toBe(200);
    expect((await client.get(link)).json.capturing).toBe(false);
    expect(near.captures.running).toEqual([]);
    expect(numbersIn(await download(id))).toEqual([1]);
  });

  test("the other node may stop", async () => {
    await startFirst();
    await switchTo("start", ids[1]);
    await switchTo("stop", ids[1]);
    expect((await client.get(link)).json.capturing).toBe(true);
    expect(near.captures.running).toHaveLength(1);
  });

  test("deleting the link, a node or the project deletes the capture, there as well", async () => {
    await startFirst();
    expect((await client.delete(link)).status).toBe(204);
    expect(near.captures.running).toEqual([]);

    const again = await addLink(
      lab,
      ids.map((id) => end(id)),
    );
    link = `${lab.path}/links/${again}`;
    expect((await start()).status).toBe(201);
    expect((await client.delete(`${lab.path}/nodes/${ids[1]}`)).status).toBe(204);
    expect(near.captures.running).toEqual([]);

    const other = await addNode(lab, { name: "PC3", compute_id: nearId });
    link = `${lab.path}/links/${await addLink(lab, [end(ids[0]), end(other)])}`;
    expect((await start()).status).toBe(201);
    expect((await client.delete(lab.path)).status).toBe(204);
    expect([near.captures.running, [...near.captures.files.keys()]]).toEqual([[], []]);
  });

  test("closing the project stores the capture, which stays readable", async () => {
    const id = await startFirst();
    near.captures.record(ids[0], packets(1, 2));
    expect((await client.post(`${lab.path}/close`)).status).toBe(204);
    expect(near.captures.running).toEqual([]);
    near.captures.files.clear();
    expect(numbersIn(await download(id))).toEqual([1, 2]);
  });

  test("closing the project leaves a file that the compute does not send now, which a download reads", async () => {
    const id = await startFirst();
    near.captures.record(ids[0], packets(1, 2));
    near.refuse(/files/, 503, "too busy");
    expect((await client.post(`${lab.path}/close`)).status).toBe(204);
    near.accept();
    expect(numbersIn(await download(id))).toEqual([1, 2]);
  });
});
