import { describe, expect, test } from "vitest";
import {
  hasProgram,
  LAB_PACKETS,
  LAB_PCAP,
  makePcap,
  parsePcap,
  readWith,
} from "../helpers/captures/pcap.ts";
import { addLink, addNode, client, end, makeLab, makePair, uuid } from "../helpers/service/lab.ts";

const replay = (link: string, pcap: Uint8Array, query = "", headers: Record<string, string> = {}) =>
  client.call("POST", `${link}/replay${query}`, { raw: pcap, headers });
const report = async (link: string, pcap: Uint8Array, query = "?seed=s&start=1000") =>
  (await replay(link, pcap, query, { accept: "application/json" })).json;

describe("replay", () => {
  test("sends every packet through a link without filters, at its own offset", async () => {
    const pair = await makePair();
    const { status, headers, bytes } = await replay(pair.link, LAB_PCAP, "?start=1000.5");
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "application/vnd.tcpdump.pcap",
      "x-packets-in": String(LAB_PACKETS),
      "x-packets-delivered": String(LAB_PACKETS),
      "x-packets-dropped": "0",
      "x-packets-corrupted": "0",
    });
    const [sent, arrived] = [parsePcap(LAB_PCAP), parsePcap(bytes)];
    expect(arrived.map(({ data }) => data)).toEqual(sent.map(({ data }) => data));
    const offsets = (records: typeof sent) =>
      records.map(({ timeUs }) => Math.round(timeUs - records[0]!.timeUs));
    expect(offsets(arrived)).toEqual(offsets(sent));
    expect(arrived[0]!.timeUs).toBe(1_000_500_000);
  });

  test("with a seed and a start is repeatable to the byte, and without a seed differs", async () => {
    const pair = await makePair({ filters: { packet_loss: [30], delay: [20, 10], corrupt: [20] } });
    const fixed = "?seed=abc&start=2026-01-01T00:00:00Z";
    const [first, second, other] = [
      await replay(pair.link, LAB_PCAP, fixed),
      await replay(pair.link, LAB_PCAP, fixed),
      await replay(pair.link, LAB_PCAP, "?start=2026-01-01T00:00:00Z"),
    ];
    expect(second.bytes.equals(first.bytes)).toBe(true);
    expect(other.bytes.equals(first.bytes)).toBe(false);
    const seed = String(other.headers["x-seed"]);
    const repeated = await replay(pair.link, LAB_PCAP, `?seed=${seed}&start=2026-01-01T00:00:00Z`);
    expect(repeated.bytes.equals(other.bytes)).toBe(true);
  });

  test("in a project with a pinned seed and clock is repeatable, also in a lab that is built again", async () => {
    const variables = [
      { name: "seed", value: "42" },
      { name: "clock", value: "2026-01-01T00:00:00Z" },
    ];
    const fields = { filters: { packet_loss: [30], delay: [20, 10], corrupt: [20] } };
    const build = async (names: readonly [string, string]) => {
      const lab = await makeLab({ variables });
      const [first, second] = [
        await addNode(lab, { name: names[0] }),
        await addNode(lab, { name: names[1] }),
      ];
      return `${lab.path}/links/${await addLink(lab, [end(first), end(second)], fields)}`;
    };
    const [link, anew, other] = [await build(["A", "B"]), await build(["A", "B"]), await build(["A", "C"])];
    const [one, again, two, three] = [
      await replay(link, LAB_PCAP),
      await replay(link, LAB_PCAP),
      await replay(anew, LAB_PCAP),
      await replay(other, LAB_PCAP),
    ];
    expect(one.headers).toMatchObject({ "x-seed": "42", "x-started-at": "2026-01-01T00:00:00.000000000Z" });
    expect(again.bytes.equals(one.bytes)).toBe(true);
    expect(two.bytes.equals(one.bytes)).toBe(true);
    expect(three.bytes.equals(one.bytes)).toBe(false);
    expect((await replay(link, LAB_PCAP, "?seed=43")).bytes.equals(one.bytes)).toBe(false);
  });

  test("drops every Nth packet", async () => {
    const pair = await makePair({ filters: { frequency_drop: [4] } });
    const { bytes } = await replay(pair.link, makePcap(10));
    expect(parsePcap(bytes).map(({ data }) => data.readUInt32BE(0))).toEqual([0, 1, 2, 4, 5, 6, 8, 9]);
    await client.put(pair.link, { filters: { frequency_drop: [-1] } });
    expect(await report(pair.link, makePcap(10))).toMatchObject({
      packets_delivered: 0,
      packets_dropped: 10,
    });
  });

  test("loses about the configured share of packets", async () => {
    const pair = await makePair({ filters: { packet_loss: [10] } });
    const { packets_in, packets_dropped, filters } = await report(pair.link, makePcap(20_000));
    expect(packets_in).toBe(20_000);
    // Six standard deviations of a binomial distribution are 255.
    expect(Math.abs(packets_dropped - 2000)).toBeLessThan(255);
    expect(filters).toEqual({ packet_loss: { seen: 20_000, dropped: packets_dropped, corrupted: 0 } });
    await client.put(pair.link, { filters: { packet_loss: [100] } });
    expect(await report(pair.link, makePcap(500))).toMatchObject({ packets_dropped: 500 });
  });

  test("a delay postpones packets and delivers all of them", async () => {
    const pair = await makePair({ filters: { delay: [10] } });
    const found = await report(pair.link, makePcap(1000, { intervalUs: 1000 }));
    expect(found).toMatchObject({ packets_in: 1000, packets_delivered: 1000 });
    expect(found.delay_ms).toEqual({ min: 10, mean: 10, p50: 10, p90: 10, p99: 10, max: 10 });
    expect(found.duration_s).toBeCloseTo(0.999 + 0.01, 6);
  });

  test("jitter varies the delay in both directions, never below zero", async () => {
    const pair = await makePair({ filters: { delay: [10, 40] } });
    const { delay_ms } = await report(pair.link, makePcap(5000));
    expect(delay_ms.min).toBe(0);
    expect(delay_ms.max).toBeGreaterThan(45);
    expect(delay_ms.max).toBeLessThanOrEqual(50);
  });

  test("corruption flips one bit of a packet", async () => {
    const pair = await makePair({ filters: { corrupt: [100] } });
    const sent = parsePcap(makePcap(50));
    const { bytes, headers } = await replay(pair.link, makePcap(50));
    expect(headers["x-packets-corrupted"]).toBe("50");
    const flipped = parsePcap(bytes).map(({ data }, index) =>
      data.reduce((bits, byte, at) => bits + popCount(byte ^ sent[index]!.data[at]!), 0),
    );
    expect(flipped).toEqual(Array(50).fill(1));
  });

  test("a bpf filter drops exactly the packets that match one of its lines", async () => {
    const pair = await makePair({ filters: { bpf: ["icmp\n\n tcp port 8080 \n"] } });
    const { bytes, headers } = await replay(pair.link, LAB_PCAP);
    const matches = (data: Buffer): boolean => {
      if (data.readUInt16BE(12) !== 0x0800) return false;
      const ports = [data.readUInt16BE(34), data.readUInt16BE(36)];
      return data[23] === 1 || (data[23] === 6 && ports.includes(8080));
    };
    const kept = parsePcap(LAB_PCAP).filter(({ data }) => !matches(data));
    expect(parsePcap(bytes).map(({ data }) => data)).toEqual(kept.map(({ data }) => data));
    expect(kept.length).toBeLessThan(LAB_PACKETS);
    expect(headers["x-packets-dropped"]).toBe(String(LAB_PACKETS - kept.length));
  });

  test("rejects a bpf filter that does not apply to the file's link type", async () => {
    const pair = await makePair({ filters: { bpf: ["ether host 02:00:00:00:00:01"] } });
    for (const linkType of [50, 113]) {
      const { status, json } = await replay(pair.link, makePcap(1, { linkType }));
      expect([status, json.message]).toEqual([409, expect.stringContaining("bpf filter cannot judge")]);
    }
  });

  test.skipIf(!hasProgram("tshark"))(
    "with the filter bpf icmp, tshark finds no ICMP (skipped without tshark)",
    async () => {
      const pair = await makePair({ filters: { bpf: ["icmp"] } });
      await client.post(`${pair.link}/start_capture`, {});
      const { capture_id } = await report(pair.link, LAB_PCAP);
      await client.post(`${pair.link}/stop_capture`);
      const { bytes } = await client.get(`${pair.link}/captures/${capture_id}/pcap`);
      expect(readWith("tshark", bytes, "-Y", "icmp")).toEqual([]);
      const others = readWith("tshark", LAB_PCAP, "-Y", "not icmp").length;
      expect(readWith("tshark", bytes)).toHaveLength(others);
    },
  );

  test("a suspended link delivers nothing, and keeps its filters", async () => {
    const pair = await makePair({ suspend: true, filters: { corrupt: [5] } });
    expect(await report(pair.link, makePcap(10))).toMatchObject({
      packets_delivered: 0,
      packets_dropped: 10,
    });
    expect((await client.put(pair.link, { suspend: false })).json.filters).toEqual({ corrupt: [5] });
    expect(await report(pair.link, makePcap(10))).toMatchObject({ packets_delivered: 10 });
  });

  test("sends from either end", async () => {
    const pair = await makePair({ filters: { packet_loss: [50] } });
    const forth = await report(pair.link, makePcap(100), `?seed=s&from=${pair.first}`);
    const back = await report(pair.link, makePcap(100), `?seed=s&from=${pair.second}`);
    expect(forth).toMatchObject({ from: pair.first, to: pair.second });
    expect(back).toMatchObject({ from: pair.second, to: pair.first });
    // Each direction has its own random stream: it loses different packets, though possibly as many.
    const [there, here] = [
      await replay(pair.link, makePcap(100), `?seed=s&start=5000&from=${pair.first}`),
      await replay(pair.link, makePcap(100), `?seed=s&start=5000&from=${pair.second}`),
    ];
    expect(here.bytes.equals(there.bytes)).toBe(false);
  });

  test("records the delivered packets in the running capture", async () => {
    const pair = await makePair({ filters: { packet_loss: [50], delay: [100, 20] } });
    await client.post(`${pair.link}/start_capture`, {});
    const { bytes } = await replay(pair.link, makePcap(200), "?seed=q&start=5000");
    const found = await report(pair.link, makePcap(1), "?seed=q");
    await client.post(`${pair.link}/stop_capture`);
    const capture = await client.get(`${pair.link}/captures/${found.capture_id}/pcap`);
    const arrived = bytes.subarray(24);
    expect(capture.bytes.subarray(24, 24 + arrived.length).equals(arrived)).toBe(true);
  });

  test.each([
    ["nothing", Buffer.alloc(0)],
    ["text", Buffer.from("this is not a capture file at all")],
    ["a cut header", LAB_PCAP.subarray(0, 20)],
    ["gzip", Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0])],
  ])("rejects %s, which is not a capture file", async (_what, bytes) => {
    const pair = await makePair();
    const { status, json } = await replay(pair.link, bytes);
    expect(status).toBe(400);
    expect(json.message).toMatch(/^The body is not a usable capture file: pcap: /);
  });

  test("a file that ends in the middle of a packet is sent up to its last whole packet, and the response has the offset", async () => {
    const pair = await makePair();
    const cut = LAB_PCAP.subarray(0, 1000);
    const { status, headers, bytes } = await replay(pair.link, cut);
    const message = expect.stringMatching(
      /^pcap: record at byte \d+ claims \d+ bytes, the file ends after \d+$/,
    );
    expect([status, headers["x-cut-off"]]).toEqual([200, message]);
    const whole = parsePcap(LAB_PCAP).slice(0, Number(headers["x-packets-in"]));
    expect(parsePcap(bytes).map(({ data }) => data)).toEqual(whole.map(({ data }) => data));
    expect(whole.length).toBeGreaterThan(0);
    expect(await report(pair.link, cut)).toMatchObject({ packets_in: whole.length, cut_off: message });
    expect((await replay(pair.link, LAB_PCAP)).headers).not.toHaveProperty("x-cut-off");
  });

  test("a file larger than the limit is 413", async () => {
    const pair = await makePair();
    expect((await replay(pair.link, Buffer.alloc(4_194_305))).status).toBe(413);
  });

  test("a link needs two ends, and the given node must be one of them", async () => {
    const lab = await makeLab();
    const node = await addNode(lab);
    const none = await addLink(lab, []);
    const half = await addLink(lab, [end(node)]);
    expect((await replay(`${lab.path}/links/${none}`, makePcap(1))).status).toBe(409);
    expect((await replay(`${lab.path}/links/${half}`, makePcap(1))).status).toBe(409);
    const pair = await makePair();
    expect((await replay(pair.link, makePcap(1), `?from=${uuid()}`)).status).toBe(404);
    expect((await replay(pair.link, makePcap(1), "?from=x")).status).toBe(400);
  });

  test.each([
    "?start=yesterday",
    "?start=-1",
    "?start=99999999999",
    "?start=4102444800",
    "?start=2026-13-01T00:00:00Z",
    "?seed=",
  ])("rejects %s", async (query) => {
    const pair = await makePair();
    expect((await replay(pair.link, makePcap(1), query)).status).toBe(400);
  });

  test.skipIf(!hasProgram("tcpdump"))("tcpdump reads what arrives (skipped without tcpdump)", async () => {
    const pair = await makePair({ filters: { frequency_drop: [2] } });
    const { bytes } = await replay(pair.link, LAB_PCAP);
    expect(readWith("tcpdump", bytes, "-n", "icmp or icmp6")).not.toHaveLength(0);
    expect(readWith("tcpdump", bytes, "-n")).toHaveLength(Math.ceil(LAB_PACKETS / 2));
  });

  test.skipIf(!hasProgram("tshark"))(
    "tshark reads the capture without malformed packets (skipped without tshark)",
    async () => {
      const pair = await makePair({ filters: { packet_loss: [10], delay: [50, 5] } });
      await client.post(`${pair.link}/start_capture`, {});
      const { packets_delivered, capture_id } = await report(pair.link, LAB_PCAP, "?seed=1");
      await client.post(`${pair.link}/stop_capture`);
      const { bytes } = await client.get(`${pair.link}/captures/${capture_id}/pcap`);
      expect(readWith("tshark", bytes)).toHaveLength(packets_delivered);
      expect(readWith("tshark", bytes, "-Y", "_ws.malformed")).toEqual([]);
    },
  );
});

const popCount = (byte: number): number => byte.toString(2).replaceAll("0", "").length;
