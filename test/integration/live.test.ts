/** Streaming a capture while packets arrive. */
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { describe, expect, test } from "vitest";
import { makePcap, parsePcap } from "../helpers/captures/pcap.ts";
import { client, makePair } from "../helpers/service/lab.ts";
import { startLab } from "../helpers/service/running-lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

/** Reads a stream; `until` waits for a number of bytes, `ended` for its end. */
async function follow(path: string) {
  const url = new URL(`${localStack().baseUrl}${path}`);
  const chunks: Buffer[] = [];
  let waiting: (() => void) | undefined;
  const outgoing: ClientRequest = request(url);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on("response", resolve).on("error", reject).end();
  });
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    waiting?.();
  });
  const ended = new Promise<void>((resolve) => response.on("close", () => resolve()));
  return {
    response,
    bytes: () => Buffer.concat(chunks),
    ended,
    close: () => outgoing.destroy(),
    until: async (size: number) => {
      while (Buffer.concat(chunks).length < size) await new Promise<void>((resolve) => (waiting = resolve));
    },
  };
}

const size = (packets: number): number => 24 + packets * 76;

describe("following a capture", () => {
  test("sends the header, the packets so far, then each run's as they arrive, and ends when the capture stops", async () => {
    const pair = await makePair();
    await client.post(`${pair.link}/start_capture`, {});
    const run = (count: number) => client.call("POST", `${pair.link}/replay`, { raw: makePcap(count) });
    await run(2);
    const stream = await follow(`${pair.link}/pcap`);
    expect(stream.response.statusCode).toBe(200);
    expect(stream.response.headers["content-type"]).toBe("application/vnd.tcpdump.pcap");
    await stream.until(size(2));
    await run(3);
    await stream.until(size(5));
    await run(1);
    await client.post(`${pair.link}/stop_capture`);
    await stream.ended;
    expect(parsePcap(stream.bytes())).toHaveLength(6);
    const [{ capture_id }] = (await client.get(`${pair.link}/captures`)).json;
    const file = await client.get(`${pair.link}/captures/${capture_id}/pcap`);
    expect(stream.bytes().equals(file.bytes)).toBe(true);
  });

  test("with a snaplen and a limit sends the same bytes as its file, header included", async () => {
    const pair = await makePair();
    await client.post(`${pair.link}/start_capture`, { snaplen: 20, max_packets: 3 });
    const stream = await follow(`${pair.link}/pcap`);
    await client.call("POST", `${pair.link}/replay`, { raw: makePcap(5) });
    await stream.until(24 + 3 * 36);
    await client.post(`${pair.link}/stop_capture`);
    await stream.ended;
    const [{ capture_id }] = (await client.get(`${pair.link}/captures`)).json;
    const file = await client.get(`${pair.link}/captures/${capture_id}/pcap`);
    expect(stream.bytes().equals(file.bytes)).toBe(true);
    expect(stream.bytes().readUInt32LE(16)).toBe(20);
  });

  test("by several clients sends each the same; a client that disconnects does not affect the others", async () => {
    const pair = await makePair();
    await client.post(`${pair.link}/start_capture`, {});
    const streams = await Promise.all([1, 2, 3].map(() => follow(`${pair.link}/pcap`)));
    await Promise.all(streams.map((stream) => stream.until(24)));
    streams[0]!.close();
    await client.call("POST", `${pair.link}/replay`, { raw: makePcap(4) });
    await Promise.all(streams.slice(1).map((stream) => stream.until(size(4))));
    await client.post(`${pair.link}/stop_capture`);
    await Promise.all(streams.slice(1).map((stream) => stream.ended));
    expect(streams[1]!.bytes().equals(streams[2]!.bytes())).toBe(true);
  });

  test("sends the packets of its own link only, of runs with captures on several links", async () => {
    const lab = await startLab("star");
    await lab.captureAll();
    const ends = ["PC1-SW1", "PC8-HUB1", "SW1-HUB1"];
    const streams = await Promise.all(ends.map((each) => follow(`${lab.link(each)}/pcap`)));
    for (const n of [5, 6, 7]) await lab.console("PC1", `ping 10.0.0.${n} -c 2`);
    for (const [i, stream] of streams.entries()) {
      await client.post(`${lab.link(ends[i]!)}/stop_capture`);
      await stream.ended;
      const [{ capture_id, packets }] = (await client.get(`${lab.link(ends[i]!)}/captures`)).json;
      const file = await client.get(`${lab.link(ends[i]!)}/captures/${capture_id}/pcap`);
      expect(packets).toBeGreaterThan(0);
      expect(parsePcap(file.bytes)).toHaveLength(packets);
      expect(stream.bytes().equals(file.bytes)).toBe(true);
    }
  });

  test("ends when the link is deleted", async () => {
    const pair = await makePair();
    await client.post(`${pair.link}/start_capture`, {});
    const stream = await follow(`${pair.link}/pcap`);
    await stream.until(24);
    await client.delete(pair.link);
    await stream.ended;
    expect(stream.bytes()).toHaveLength(24);
  });

  test("is 409 while no capture runs", async () => {
    const pair = await makePair();
    const { status, json } = await client.get(`${pair.link}/pcap`);
    expect([status, json.message]).toEqual([409, "This link has no active packet capture"]);
  });
});
