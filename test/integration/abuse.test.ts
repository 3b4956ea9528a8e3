/**
 * Attempts of an authorized user to break the service. The client helper fails on every status of 500 and over, on gateway
 * timeouts, and on statuses that the route does not declare.
 */
import { gzipSync } from "node:zlib";
import { paginateListObjectsV2, S3Client } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, test } from "vitest";
import { LAB_PCAP, makePcap } from "../helpers/captures/pcap.ts";
import { client, freshName, makeLab, makePair, type Pair } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

const stack = localStack();
const s3 = new S3Client({
  endpoint: stack.s3Endpoint,
  region: stack.region,
  credentials: stack.credentials,
  forcePathStyle: true,
});

async function objectKeys(): Promise<string[]> {
  const keys: string[] = [];
  const pages = paginateListObjectsV2({ client: s3 }, { Bucket: stack.bucketName });
  for await (const { Contents = [] } of pages) keys.push(...Contents.map(({ Key }) => Key!));
  return keys;
}

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

const hostileNames = [
  "../../etc/passwd",
  "..",
  ".",
  "/etc/passwd",
  "a/b",
  "a\\b",
  "..\\..\\boot.ini",
  "x\u0000.pcap",
  "x\r\nSet-Cookie: a=b",
  "x\u2028y",
];

let pair: Pair;
beforeAll(async () => {
  pair = await makePair();
});

describe("paths in names", () => {
  test.each(hostileNames)("rejects the capture file name %j", async (capture_file_name) => {
    const { status, json } = await client.post(`${pair.link}/start_capture`, { capture_file_name });
    expect(status).toBe(400);
    expect(json.errors[0].path).toBe("body.capture_file_name");
  });

  test.each([
    "%2e%2e%2fx",
    "..%2fx.pcap",
    "C:x.pcap",
    "~root",
    "$(id).pcap",
    "-rf",
    "con",
    "x.pcap\u202Efdp",
  ])(
    "stores a capture called %j in its own folder or rejects it, and lists it under its name",
    async (capture_file_name) => {
      const { link, projectId } = await makePair();
      const started = await client.post(`${link}/start_capture`, { capture_file_name });
      expect([201, 400]).toContain(started.status);
      if (started.status === 400) return;
      await client.call("POST", `${link}/replay`, { raw: makePcap(1) });
      await client.post(`${link}/stop_capture`);
      const { json: captures } = await client.get(`${link}/captures`);
      const keys = (await objectKeys()).filter((key) => key.includes(projectId));
      const [file_key, ...others] = keys.toSorted();
      expect(file_key!.split("/").slice(0, -1)).toEqual(["captures", projectId, captures[0].capture_id]);
      // The others are the replay's packets, under a random name.
      for (const key of others) expect(key).toMatch(new RegExp(`^segments/${projectId}/${UUID}$`));
      expect(captures[0].capture_file_name).toBe(capture_file_name);
      const file = await client.get(`${link}/captures/${captures[0].capture_id}/pcap`);
      expect([file.status, file.bytes.length]).toEqual([200, captures[0].bytes]);
    },
  );

  test("no symbol id reaches a path of the bucket or of a disk", async () => {
    const ids = ["../../captures/x", "/etc/passwd", "..%2f..%2fx", "symbols/x", "\u0000", "x\r\ny"];
    const before = new Set(await objectKeys());
    for (const id of ids) {
      const path = `/symbols/${encodeURIComponent(id)}/raw`;
      expect(
        (await client.call("POST", path, { raw: '<svg xmlns="http://www.w3.org/2000/svg"/>' })).status,
      ).toBe(204);
    }
    const added = (await objectKeys()).filter((key) => !before.has(key));
    expect(added).toHaveLength(ids.length);
    for (const key of added) expect(key).toMatch(new RegExp(`^symbols/${UUID}$`));
  });

  test.each(["/etc/shadow", "captures", "segments/x", `captures/${"0".repeat(8)}`])(
    "no object can be read through the symbol id %s",
    async (id) => {
      for (const form of [id, encodeURIComponent(id), `../${id}`, encodeURIComponent(`../../${id}`)])
        expect((await client.get(`/symbols/${form}/raw`)).status, form).toBe(404);
    },
  );
});

describe("scripts in pictures", () => {
  const upload = async (raw: string) => {
    const path = `/symbols/${freshName("evil")}.svg/raw`;
    return { path, status: (await client.call("POST", path, { raw })).status };
  };

  test.each([
    "<html><script>alert(1)</script></html>",
    "<!doctype html><svg></svg><script>alert(1)</script>",
    "<script>alert(1)</script>",
    "javascript:alert(1)",
    "<svg><script>alert(1)</svg>",
    '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg">&x;</svg>',
    '<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg">&b;</svg>',
  ])(
    "rejects a symbol that a browser could treat as a page, or whose entities it would expand: %s",
    async (raw) => {
      expect((await upload(raw)).status).toBe(400);
    },
  );

  test.each([
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"><foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="//x"/></body></foreignObject></svg>',
    '<?xml-stylesheet href="javascript:alert(1)"?><svg xmlns="http://www.w3.org/2000/svg"/>',
  ])("serves a picture with embedded content as a picture only: %s", async (raw) => {
    const { path, status } = await upload(raw);
    expect(status).toBe(204);
    const { headers, bytes } = await client.get(path);
    expect(bytes.toString()).toBe(raw);
    expect(headers).toMatchObject({
      "content-type": "image/svg+xml",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringMatching(/^default-src 'none';.*; sandbox$/),
    });
  });
});

describe("capture files whose headers claim more than the file holds", () => {
  const replay = (raw: Uint8Array) =>
    client.call("POST", `${pair.link}/replay`, { raw, headers: { accept: "application/json" } });

  /** A pcap file header and one record header, without packet data. */
  function claiming(capturedBytes: number, snaplen = 65_535): Buffer {
    const file = Buffer.from(makePcap(1));
    file.writeUInt32LE(snaplen, 16);
    file.writeUInt32LE(capturedBytes, 24 + 8);
    file.writeUInt32LE(capturedBytes, 24 + 12);
    return file;
  }

  test.each([0xffff_ffff, 0x7fff_ffff, 0x8000_0000, 262_145])(
    "rejects a record with %d missing bytes: 400",
    async (bytes) => {
      for (const snaplen of [0, 65_535, 0xffff_ffff]) {
        const { status, json } = await replay(claiming(bytes, snaplen));
        expect(status).toBe(400);
        expect(json.message).toMatch(/^The body is not a usable capture file: /);
      }
    },
  );

  test("accepts a huge snaplen at no cost", async () => {
    const file = Buffer.from(makePcap(2));
    file.writeUInt32LE(0xffff_ffff, 16);
    expect((await replay(file)).json).toMatchObject({ packets_in: 2 });
  });

  test("counts as many empty packets as fit the limit", async () => {
    const packets = Math.floor((4 * 1024 * 1024 - 24) / 16);
    const header = makePcap(1).subarray(0, 24);
    const file = Buffer.concat([header, Buffer.alloc(packets * 16)]);
    const { status, json } = await replay(file);
    expect([status, json.packets_in]).toEqual([200, packets]);
  });

  test("rejects pcapng blocks with a length that is too large or zero: 400", async () => {
    for (const length of [0, 4, 11, 0x7fff_ffff, 0xffff_fffc, 0xffff_ffff]) {
      const block = Buffer.alloc(28);
      block.writeUInt32LE(0x0a0d_0d0a, 0);
      block.writeUInt32LE(length, 4);
      block.writeUInt32LE(0x1a2b_3c4d, 8);
      block.writeUInt16LE(1, 12);
      expect((await replay(block)).status, String(length)).toBe(400);
    }
  });

  test("a compressed body may expand to the limit of the route, and no further", async () => {
    const headers = { "content-encoding": "gzip" };
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect((await replay(bomb)).status).toBe(400);
    for (const path of [`${pair.link}/replay`, "/projects"]) {
      const { status, json } = await client.call("POST", path, { raw: bomb, headers });
      expect([status, json.code], path).toEqual([413, "request.too-large"]);
    }
    const spaces = Buffer.alloc(1_048_577 - 2, " ");
    const wide = Buffer.concat([Buffer.from("{"), spaces, Buffer.from("}")]);
    const tooWide = await client.call("POST", "/projects", { raw: gzipSync(wide), headers });
    expect(tooWide.status).toBe(413);
    const twice = await client.call("POST", "/projects", { raw: gzipSync(gzipSync("{}")), headers });
    expect(twice.status).toBe(400);
  });

  test("a compressed body is read like a plain one", async () => {
    const name = freshName();
    for (const encoding of ["gzip", "GZIP", " x-gzip "]) {
      const headers = { "content-encoding": encoding.trim() };
      const packed = gzipSync(LAB_PCAP);
      const sent = await client.call("POST", `${pair.link}/replay?seed=1&start=0`, { raw: packed, headers });
      const plain = await client.call("POST", `${pair.link}/replay?seed=1&start=0`, { raw: LAB_PCAP });
      expect([sent.status, sent.bytes.equals(plain.bytes)]).toEqual([200, true]);
    }
    const headers = { "content-encoding": "gzip" };
    const made = await client.call("POST", "/projects", { raw: gzipSync(JSON.stringify({ name })), headers });
    expect([made.status, made.json.name]).toEqual([201, name]);
    const cut = gzipSync(JSON.stringify({ name })).subarray(0, 20);
    const damaged = await client.call("POST", "/projects", { raw: cut, headers });
    expect([damaged.status, damaged.json.errors[0].path]).toEqual([400, "body"]);
  });

  test("rejects a body in any other Content-Encoding", async () => {
    for (const encoding of ["deflate", "br", "zstd", "gzip, gzip", "x".repeat(200)]) {
      const headers = { "content-encoding": encoding };
      const packed = await client.call("POST", `${pair.link}/replay`, { raw: gzipSync(LAB_PCAP), headers });
      expect([packed.status, packed.json.message]).toEqual([
        415,
        `A body in the Content-Encoding ${encoding.slice(0, 40)} is not taken; send it as it is, or in gzip`,
      ]);
      const json = gzipSync(JSON.stringify({ name: freshName(), variables: [] }));
      expect((await client.call("POST", "/projects", { raw: json, headers })).status).toBe(415);
    }
    const plain = { raw: LAB_PCAP, headers: { "content-encoding": "Identity" } };
    expect((await client.call("POST", `${pair.link}/replay`, plain)).status).toBe(200);
  });
});

describe("expressions that cost more to compile than to write", () => {
  /** As many pieces as fit into the length limit of an expression. */
  function fill(piece: (index: number) => string, separator: string): string {
    let text = piece(0);
    for (let index = 1; ; index++) {
      const longer = `${text}${separator}${piece(index)}`;
      if (longer.length > 4096) return text;
      text = longer;
    }
  }
  const bombs: [string, string][] = [
    ["many ports", fill((index) => `port ${index + 1000}`, " or ")],
    ["many ports that are not", fill((index) => `not port ${index + 1000}`, " and ")],
    ["many ranges of ports", fill((index) => `portrange 1-${index + 1}`, " or ")],
    [
      "hosts and networks crossed",
      fill((index) => `(host 10.0.0.${index % 256} or net 10.${index % 250}.0.0/16)`, " and "),
    ],
    ["loads from loaded places", `ip[${"ip[".repeat(150)}0${"]".repeat(151)}=1`],
    ["brackets without end", "(".repeat(4096)],
    ["brackets in pairs", `${"(".repeat(2000)}ip${")".repeat(2000)}`],
    ["nots", `${"not ".repeat(1000)}ip`],
    ["protocol chains", fill((index) => `ip6 protochain ${index % 200}`, " or ")],
    ["unknown words", fill(() => "x", " ")],
  ];

  test.each(bombs)(
    "handles %s in a filter, in a capture and in a packet list without a fault",
    async (_what, bpf) => {
      const { link } = await makePair();
      const set = await client.put(link, { filters: { bpf: [bpf] } });
      expect([201, 400]).toContain(set.status);
      const started = await client.post(`${link}/start_capture`, { bpf });
      expect(started.status).toBe(set.status);
      await client.post(`${link}/start_capture`, {});
      expect((await client.call("POST", `${link}/replay`, { raw: LAB_PCAP })).status).toBe(200);
      await client.post(`${link}/stop_capture`);
      const [capture] = (await client.get(`${link}/captures`)).json;
      const query = `${link}/captures/${capture.capture_id}/packets?filter=${encodeURIComponent(bpf)}`;
      if (query.length < 8_000) expect((await client.get(query)).status).toBe(set.status === 201 ? 200 : 400);
    },
  );

  test("compiles many lines as separate expressions", async () => {
    const { link } = await makePair();
    expect((await client.put(link, { filters: { bpf: [fill(() => "arp", "\n")] } })).status).toBe(201);
    expect((await client.call("POST", `${link}/replay`, { raw: LAB_PCAP })).status).toBe(200);
  });

  test("rejects an expression that is one character too long with 400 before compiling", async () => {
    const bpf = `${"ip or ".repeat(682)}udpxx`;
    expect(bpf.length).toBe(4097);
    expect((await client.put(pair.link, { filters: { bpf: [bpf] } })).status).toBe(400);
    expect((await client.post(`${pair.link}/start_capture`, { bpf })).status).toBe(400);
  });
});

describe("line breaks in values that become headers", () => {
  const INJECTED = "x\r\nX-Injected: yes\r\n\r\n<script>";

  test("are rejected in a project's name; quotes in it stay inside the file name of the header", async () => {
    expect((await client.post("/projects", { name: `${freshName()}${INJECTED}` })).status).toBe(400);
    const name = `${freshName()}"; filename="other \u00e9`;
    const { json } = await client.post("/projects", { name });
    const { status, headers } = await client.get(`/projects/${json.project_id}/pcapng`);
    expect(status).toBe(200);
    expect(headers["content-disposition"]).toMatch(
      /^attachment; filename="[^"]+"; filename\*=UTF-8''[^"; ]+$/,
    );
    expect(decodeURIComponent(String(headers["content-disposition"]).split("UTF-8''")[1]!)).toBe(
      `${name}.pcapng`,
    );
  });

  test("are rejected in a seed, which a header returns", async () => {
    const query = `seed=${encodeURIComponent(INJECTED)}`;
    const { status, headers } = await client.call("POST", `${pair.link}/replay?${query}`, {
      raw: makePcap(1),
    });
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty("x-injected");
    expect(headers["x-seed"]).toBe(encodeURIComponent(INJECTED));
  });

  test("are repeated from an unknown path only in the body of the error", async () => {
    const { status, headers, json } = await client.get(`/symbols/${encodeURIComponent(INJECTED)}/raw`);
    expect([status, headers["content-type"]]).toEqual([404, "application/json"]);
    expect(headers).not.toHaveProperty("x-injected");
    expect(json.message).toContain("doesn't exist");
  });
});

describe("oversized input", () => {
  test("rejects an oversized body before parsing it", async () => {
    const JSON_LIMIT = 1_048_576;
    const raw = Buffer.alloc(JSON_LIMIT + 1, " ");
    for (const [method, path] of [
      ["POST", "/projects"],
      ["PUT", pair.path],
      ["POST", `${pair.path}/nodes`],
      ["PUT", pair.link],
      ["POST", `${pair.path}/run`],
      ["POST", `${pair.path}/nodes/start`],
      ["POST", "/computes"],
      ["PUT", "/simvm"],
    ] as const) {
      expect((await client.call(method, path, { raw })).status, path).toBe(413);
    }
    const upload = Buffer.alloc(4 * 1024 * 1024 + 1);
    expect((await client.call("POST", `${pair.link}/replay`, { raw: upload })).status).toBe(413);
    expect((await client.call("POST", "/symbols/big.svg/raw", { raw: upload })).status).toBe(413);
  });

  test.each([
    ["nested objects", `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`],
    ["nested lists", `{"variables":${"[".repeat(200_000)}${"]".repeat(200_000)}}`],
    [
      "thousands of unknown keys",
      `{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":0`).join()}}`,
    ],
    ["one key a hundred thousand times", `{${'"name":"x",'.repeat(90_000)}"zoom":"no"}`],
    ["a key of a million characters", JSON.stringify({ name: "x", ["k".repeat(1_000_000)]: 0 })],
    [
      "thousands of wrong items",
      JSON.stringify({ name: "x", variables: Array(256).fill({ x: 1 }), shared_with: Array(256).fill(1) }),
    ],
    ["a number of a million digits", `{"name":"x","zoom":${"9".repeat(1_000_000)}}`],
    ["a string of everything allowed", JSON.stringify({ name: "x".repeat(1_000_000) })],
    ["a prototype", '{"name":"x","__proto__":{"role":"admin"}}'],
    ["a constructor", '{"name":"x","constructor":{"prototype":{"role":"admin"}}}'],
    [
      "more users than it is shared with",
      JSON.stringify({
        name: "x",
        shared_with: Array.from({ length: 257 }, (_, index) => ({ user: `u${index}`, role: "viewer" })),
      }),
    ],
  ])("rejects %s in JSON with 400 and a short error body", async (_what, raw) => {
    const { status, bytes } = await client.call("POST", "/projects", { raw });
    expect(status).toBe(400);
    expect(bytes.length).toBeLessThan(100_000);
  });

  test.each([
    `?filter=${"x".repeat(4097)}`,
    "?limit=1000000000",
    "?limit=1e3",
    "?limit=-1",
    "?limit=0",
    `?limit=${"9".repeat(5000)}`,
    `?offset=${"9".repeat(16)}`,
    "?offset=0x10",
  ])("rejects packets%s with 400", async (query) => {
    const capture = `${pair.link}/captures/${crypto.randomUUID()}`;
    expect((await client.get(`${capture}/packets${query}`)).status).toBe(400);
  });

  test("ignores thousands of unknown query parameters", async () => {
    const query = Array.from({ length: 1_500 }, (_, index) => `p${index}=`).join("&");
    expect((await client.get(`/projects?${query}`)).status).toBe(200);
  });

  test("accepts a list of as many ids as a query can hold", async () => {
    const lab = await makeLab();
    const links = Array.from({ length: 200 }, () => crypto.randomUUID()).join();
    expect((await client.get(`${lab.path}/pcapng?links=${links}`)).status).toBe(404);
  });
});
