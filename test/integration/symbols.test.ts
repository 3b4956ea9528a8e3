/** Symbols over HTTP: the store, the gateway and the route group together. */
import { describe, expect, test } from "vitest";
import { entityTag } from "../../functions/shared/edge/http/entity-tag.ts";
import { client, freshName } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";
import { danglingReferences, objectKeys } from "../helpers/stores/store-checker.ts";
import { PNG, RASTERS, svg, utf8 } from "../unit/symbols/images.ts";

const LIMIT_BYTES = 4_194_304;

/** Path of an id with every character percent-encoded. */
const pathOf = (id: string): string => `/symbols/${encodeURIComponent(id)}`;
const upload = (id: string, raw: Uint8Array, headers = {}) =>
  client.call("POST", `${pathOf(id)}/raw`, { raw, headers });
const read = (id: string, headers: Record<string, string> = {}) =>
  client.get(`${pathOf(id)}/raw`, { headers });
const freshId = (): string => `${freshName("symbol")}.svg`;

interface Item {
  readonly symbol_id: string;
  readonly builtin: boolean;
}
const symbolObjects = async (): Promise<string[]> =>
  (await objectKeys(localStack())).filter((key) => key.startsWith("symbols/"));
const listed = async (): Promise<Item[]> => (await client.get("/symbols")).json;

describe("ids", () => {
  /** The path of a client that does not encode the id: only characters that HTTP does not allow in a path are encoded. */
  const unencoded = (id: string): string => id.replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent);
  const FORMS: Readonly<Record<string, (id: string) => string>> = {
    raw: unencoded,
    "with its slashes raw": (id) => encodeURIComponent(id).replaceAll("%2F", "/"),
    "encoded once": encodeURIComponent,
    "encoded twice": (id) => encodeURIComponent(encodeURIComponent(id)),
  };

  test.each([
    ["a plain name", "*"],
    ["slashes", "dir/sub/*"],
    ["a colon and slashes", ":/symbols/mine/*"],
    ["two slashes in a row", "a//b//*"],
    ["a slash at the start", "/etc/*"],
    ["a slash at the end", "*/"],
    ["dots", "./.hidden/*"],
    ["two dots", "../../etc/*"],
    ["two dots in the middle", "a/../b/../../*"],
    ["two dots alone at the end", "*/.."],
    ["spaces", "s p a c e/* x"],
    ["letters of all kinds", "café/网络/🖧/*"],
    ["percent signs", "100%/%/*%"],
    ["a plus sign", "a+b/*"],
    ["marks", "a&b=c;d,e@f!$'()~/*"],
    ["the names of its own routes", "raw/dimensions/raw/*/raw"],
  ])("with %s identify one symbol in every form, and no other", async (_what, pattern) => {
    const name = freshName("id");
    const id = pattern.replace("*", name);
    const before = (await listed()).length;
    for (const [form, write] of Object.entries(FORMS)) {
      const image = svg(7, 9, `${id} ${form}`);
      expect((await client.call("POST", `/symbols/${write(id)}/raw`, { raw: image })).status, form).toBe(204);
      for (const [other, ask] of Object.entries(FORMS)) {
        const answer = await client.get(`/symbols/${ask(id)}/raw`);
        expect(answer.status, `${form}, ${other}`).toBe(200);
        expect(answer.bytes.equals(image), `${form}, ${other}`).toBe(true);
        const { json } = await client.get(`/symbols/${ask(id)}/dimensions`);
        expect(json).toEqual({ width: 7, height: 9 });
      }
    }
    const items = await listed();
    expect(items.filter((item) => item.symbol_id.includes(name)).map((item) => item.symbol_id)).toEqual([id]);
    expect(items).toHaveLength(before + 1);
    if (id !== name) expect((await read(name)).status).toBe(404);
  });

  test("an id that is too long is 400", async () => {
    expect((await upload("x".repeat(513), PNG)).status).toBe(400);
    expect((await read("é".repeat(257))).status).toBe(400);
  });
});

describe("reading", () => {
  test.each([":/symbols/classic/router.svg", ":/symbols/router.svg", "x/y/router.svg"])(
    "%s returns the built-in router",
    async (id) => {
      const { status, headers, bytes } = await read(id);
      expect([status, headers["content-type"]]).toEqual([200, "image/svg+xml"]);
      expect(headers.etag).toBe(entityTag(bytes));
      const { json } = await client.get(`${pathOf(id)}/dimensions`);
      expect(json).toEqual({ width: 66, height: 45 });
    },
  );

  test("every default symbol exists", async () => {
    const { json } = await client.get("/default_symbols");
    const ids = new Set(Object.values(json as Record<string, Record<string, string>>).flatMap(Object.values));
    for (const id of ids) expect((await read(id)).status, id).toBe(200);
  });

  test("an unknown id is 404", async () => {
    const id = `:/symbols/classic/${freshId()}`;
    expect((await read(id)).json).toEqual({
      code: "symbol.not-found",
      message: `Symbol ${id} doesn't exist`,
      status: 404,
    });
    expect((await client.get(`${pathOf(id)}/dimensions`)).status).toBe(404);
  });

  test("an uploaded symbol with the name of a built-in one is returned for its own id only", async () => {
    const image = svg(5, 5, "mine");
    const stock = (await read(":/symbols/affinity/circle/blue/switch_multilayer.svg")).bytes;
    expect((await upload("switch_multilayer.svg", image)).status).toBe(204);
    expect((await read("switch_multilayer.svg")).bytes.equals(image)).toBe(true);
    expect((await read(":/symbols/switch_multilayer.svg")).bytes.equals(stock)).toBe(true);
  });

  test.each(["uploaded", "built-in"])(
    "an %s image is served as a picture, even when opened as a page",
    async (kind) => {
      const id = kind === "uploaded" ? freshId() : ":/symbols/classic/cloud.svg";
      const hostile = utf8('<svg onload="alert(1)"><script>alert(2)</script></svg>');
      if (kind === "uploaded") expect((await upload(id, hostile)).status).toBe(204);
      const full = await read(id);
      const notModified = await read(id, { "if-none-match": full.headers.etag as string });
      for (const { headers } of [full, notModified]) {
        expect(headers).toMatchObject({
          "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
          "x-content-type-options": "nosniff",
          "cache-control": "no-cache",
        });
      }
    },
  );

  test("If-None-Match with the tag is 304 without a body, until the symbol is replaced", async () => {
    const id = freshId();
    await upload(id, svg(1, 1, "old"));
    const etag = (await read(id)).headers.etag as string;
    for (const field of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const { status, headers, bytes } = await read(id, { "if-none-match": field });
      expect([status, headers.etag, bytes.length]).toEqual([304, etag, 0]);
    }
    await upload(id, svg(1, 1, "new"));
    const { status, headers } = await read(id, { "if-none-match": etag });
    expect(status).toBe(200);
    expect(headers.etag).not.toBe(etag);
  });
});

describe("uploading", () => {
  test.each(RASTERS)(
    "$name keeps its bytes and gets the type of its content",
    async ({ bytes, contentType }) => {
      const id = freshId();
      expect((await upload(id, bytes, { "content-type": "text/html" })).status).toBe(204);
      const answer = await read(id);
      expect(answer.headers["content-type"]).toBe(contentType);
      expect(answer.bytes.equals(bytes)).toBe(true);
      const { json } = await client.get(`${pathOf(id)}/dimensions`);
      expect(json).toEqual({ width: 3, height: 2 });
    },
  );

  test("lists the symbol once, after any number of replacements", async () => {
    const id = `dir/${freshId()}`;
    await upload(id, svg(1, 1));
    await upload(id, PNG);
    expect((await listed()).filter((item) => item.symbol_id === id)).toEqual([
      { builtin: false, filename: id.slice(4), symbol_id: id, theme: "Custom symbols" },
    ]);
  });

  test("a built-in symbol cannot be overwritten: 409", async () => {
    const id = ":/symbols/classic/computer.svg";
    const before = (await read(id)).bytes;
    expect((await upload(id, svg(1, 1))).status).toBe(409);
    expect((await read(id)).bytes.equals(before)).toBe(true);
  });

  test.each([
    ["an empty body", utf8("")],
    ["text", utf8("hello")],
    ["a page", utf8("<!DOCTYPE html><html></html>")],
    ["an SVG cut off", utf8("<svg><g>")],
    ["a PNG cut off", PNG.subarray(0, 20)],
    ["any bytes", Uint8Array.of(0, 1, 2, 0xff)],
  ])("rejects %s with 400, and stores nothing", async (_what, bytes) => {
    const id = freshId();
    const { status, json } = await upload(id, bytes, { "content-type": "image/svg+xml" });
    expect(status).toBe(400);
    expect(json.message).toMatch(/expected an SVG, PNG, JPEG, GIF or WebP image, found /);
    expect((await read(id)).status).toBe(404);
  });

  test("accepts 4 MiB and returns the same bytes; one byte more is 413", async () => {
    const id = freshId();
    const frame = svg(1, 1).length;
    const largest = svg(1, 1, "x".repeat(LIMIT_BYTES - frame));
    expect(largest).toHaveLength(LIMIT_BYTES);
    expect((await upload(id, largest)).status).toBe(204);
    expect((await read(id)).bytes.equals(largest)).toBe(true);
    expect((await upload(id, svg(1, 1, "x".repeat(LIMIT_BYTES - frame + 1)))).status).toBe(413);
    expect((await read(id)).bytes.equals(largest)).toBe(true);
  });

  test("the size is that of the latest image; an image without a size is 404", async () => {
    const id = freshId();
    const size = async () => client.get(`${pathOf(id)}/dimensions`);
    await upload(id, svg(10, 20));
    expect((await size()).json).toEqual({ width: 10, height: 20 });
    await upload(id, svg(30, 40));
    expect((await size()).json).toEqual({ width: 30, height: 40 });
    await upload(id, utf8("<svg/>"));
    expect((await size()).status).toBe(404);
    expect((await read(id)).status).toBe(200);
  });
});

describe("deleting", () => {
  const remove = (id: string, form = encodeURIComponent(id)) => client.call("DELETE", `/symbols/${form}/raw`);

  test("removes the image, its size and its entry in the list for all readers", async () => {
    const id = `dir/sub/${freshId()}`;
    await upload(id, svg(1, 2));
    expect((await remove(id, id)).status).toBe(204);
    const missing = { code: "symbol.not-found", message: `Symbol ${id} doesn't exist`, status: 404 };
    expect((await read(id)).json).toEqual(missing);
    expect((await client.get(`${pathOf(id)}/dimensions`)).json).toEqual(missing);
    expect((await listed()).map(({ symbol_id }) => symbol_id)).not.toContain(id);
    expect((await remove(id)).json).toEqual(missing);
  });

  test("restores the built-in symbol of the same file name", async () => {
    const id = `${freshName("theme")}/router.svg`;
    const stock = (await read(id)).bytes;
    await upload(id, svg(1, 2));
    expect((await read(id)).bytes.equals(stock)).toBe(false);
    expect((await remove(id)).status).toBe(204);
    expect((await read(id)).bytes.equals(stock)).toBe(true);
    expect((await remove(id)).status).toBe(404);
  });

  test("leaves the id free for a new upload", async () => {
    const id = freshId();
    await upload(id, svg(1, 2));
    await remove(id);
    const image = svg(3, 4);
    expect((await upload(id, image)).status).toBe(204);
    expect((await read(id)).bytes.equals(image)).toBe(true);
  });

  test("rejects a built-in symbol with 409", async () => {
    const id = ":/symbols/classic/computer.svg";
    const { status, json } = await remove(id);
    expect([status, json.message]).toEqual([409, `${id} is a built-in symbol and cannot be deleted`]);
    expect((await read(id)).status).toBe(200);
  });

  test("returns 404 for an id without an uploaded symbol", async () => {
    for (const id of [freshId(), ":/symbols/router.svg"]) expect((await remove(id)).status, id).toBe(404);
  });

  test("removes the object, and only one of several concurrent requests does so", async () => {
    const id = freshId();
    await upload(id, svg(1, 2));
    const keys = await symbolObjects();
    const statuses = (await Promise.all([remove(id), remove(id), remove(id)])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([204, 404, 404]);
    expect((await symbolObjects()).length).toBe(keys.length - 1);
  });

  test("beside uploads and reads of the same id: each read returns one version, or none", async () => {
    const id = freshId();
    const image = svg(7, 9, "x".repeat(50_000));
    let left = 12;
    const change = async (act: () => Promise<{ status: number }>) => {
      while (left > 0) {
        left -= 1;
        expect([204, 404]).toContain((await act()).status);
      }
    };
    const reader = async () => {
      do {
        const { status, bytes } = await read(id);
        expect([200, 404]).toContain(status);
        if (status === 200) expect(bytes.equals(image)).toBe(true);
      } while (left > 0);
    };
    await Promise.all([change(() => upload(id, image)), change(() => remove(id)), reader(), reader()]);
    await upload(id, image);
    expect((await remove(id)).status).toBe(204);
    expect((await danglingReferences(localStack())).filter((line) => /symbol/i.test(line))).toEqual([]);
  });
});

describe("replacing under concurrent readers", () => {
  const WRITERS = 4;
  const WRITES = 6;
  const READERS = 6;

  test("every read returns one version, with the entity tag of that version", async () => {
    const id = `race/${freshId()}`;
    const versions = Array.from({ length: WRITERS * WRITES }, (_, i) =>
      svg(i + 1, i + 1, String(i % 10).repeat(20_000 + 5_000 * i)),
    );
    const known = new Map(versions.map((version) => [entityTag(version), version]));
    await upload(id, versions[0]!);
    let writing = WRITERS;
    const writer = async (index: number) => {
      for (let i = 0; i < WRITES; i++) {
        expect((await upload(id, versions[index * WRITES + i]!)).status).toBe(204);
      }
      writing--;
    };
    const seen = new Set<string>();
    const reader = async () => {
      do {
        const { status, headers, bytes } = await read(id);
        expect(status).toBe(200);
        const etag = entityTag(bytes);
        expect(headers.etag).toBe(etag);
        expect(known.has(etag)).toBe(true);
        seen.add(etag);
      } while (writing > 0);
    };
    const writers = Array.from({ length: WRITERS }, (_, i) => writer(i));
    await Promise.all([...writers, ...Array.from({ length: READERS }, reader)]);
    expect(seen.size).toBeGreaterThan(1);
    const { bytes } = await read(id);
    const { json } = await client.get(`${pathOf(id)}/dimensions`);
    expect(svgSide(bytes)).toBe(json.width);
  });

  const svgSide = (bytes: Uint8Array): number =>
    Number(/width="(\d+)"/.exec(new TextDecoder().decode(bytes.subarray(0, 200)))?.[1]);
});
