/** The HTTP edge: what is no request of any route, and what no request may cause. */
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { GROUPS } from "../../functions/routes.ts";
import { client, freshName, makePair, uuid } from "../helpers/lab.ts";

describe("errors", () => {
  test.each([
    "/nosuch",
    "/",
    "/version/",
    "/projects/x/nosuch",
    "/symbols/raw",
    "/symbols//raw",
    "/symbols/x",
  ])("%s is no route: 404", async (path) => {
    const { status, json } = await client.get(path);
    expect([status, json.status]).toEqual([404, 404]);
  });

  test.each([
    ["PATCH", "/version", "GET"],
    ["DELETE", "/projects", "GET, POST"],
    ["POST", `/projects/${uuid()}`, "GET, PUT, DELETE"],
    ["PUT", "/symbols/x.svg/raw", "GET, POST"],
    ["GET", `/projects/${uuid()}/links/${uuid()}/replay`, "POST"],
  ])("%s %s is 405 and tells what is allowed", async (method, path, allow) => {
    const { status, headers } = await client.call(method, path);
    expect([status, headers.allow]).toEqual([405, allow]);
  });

  test.each([
    "{",
    "nul",
    '{"a":1,}',
    "\u0000",
    '{"name": "\\ud800"}',
    `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
  ])("a body that is no JSON is 400", async (raw) => {
    const { status, json } = await client.call("POST", "/projects", { raw });
    expect(status).toBe(400);
    expect(json.message).toMatch(/^Invalid JSON: /);
  });

  test("a body that is not UTF-8 is 400", async () => {
    const raw = Buffer.concat([Buffer.from('{"name": "'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    expect((await client.call("POST", "/projects", { raw })).status).toBe(400);
  });

  test.each(["[]", '"x"', "null", "5"])("a body of %s, which is no object, is 400", async (raw) => {
    expect((await client.call("POST", "/projects", { raw })).status).toBe(400);
  });

  test("a body over the limit is 413, before anything else about it", async () => {
    const raw = `{"name": "${"x".repeat(1_048_577)}`;
    expect((await client.call("POST", "/projects", { raw })).status).toBe(413);
    expect((await client.call("POST", "/projects", { raw: Buffer.alloc(12_000_000, "x") })).status).toBe(413);
  });

  test("an invalid body on an unknown project is 400: what is wrong with the request comes first", async () => {
    const { status, json } = await client.post(`/projects/${uuid()}/nodes`, { nosuch: 1 });
    expect(status).toBe(400);
    expect(json.errors.length).toBeGreaterThan(1);
  });

  test("every answer forbids sniffing and framing", async () => {
    for (const path of ["/version", `/projects/${uuid()}`]) {
      const { headers } = await client.get(path);
      expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "x-frame-options": "DENY" });
    }
  });
});

describe("no input, however odd, makes a fault of ours", () => {
  const routes = GROUPS.flatMap((group) =>
    Object.entries(group.routes).map(([name, route]) => ({ name: `${group.name}.${name}`, route })),
  );
  const runs = Number(process.env.PROPERTY_RUNS ?? 25);

  /** Other tests look at the settings. */
  afterAll(async () => {
    const defaults = { allocate_vcpus_ram: true, enable: false, engine: "remote", headless: false, port: 80 };
    await client.put("/simvm", { ...defaults, ram: 2048, vcpus: 1, vmname: null, when_exit: "stop" });
  });

  /** Values of a path's variables: right ones, wrong ones, hostile ones. */
  const oddSegment = (real: Record<string, string>, name: string) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant(real[name] ?? "local") },
      {
        weight: 1,
        arbitrary: fc.constantFrom(uuid(), "..", "%2e%2e", "%00", "%zz", "%25", "a%2Fb", "%F0%9F%98%80", "'"),
      },
      { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 20 }).map(encodeURIComponent) },
    );

  const oddJson = fc.oneof(
    fc.json({ maxDepth: 3 }),
    fc.constantFrom("", "{}", "[]", "{", '{"__proto__": {"x": 1}}', '{"constructor": 1}', "1e999", "-0"),
    fc.string({ unit: "binary" }),
  );

  /** Bodies that are nearly right, so that they come past the schema. */
  const nearlyRight = (name: string) => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.constantFrom("{0}", "%s", "PC1", "../x"),
    );
    const integer = fc.oneof(fc.integer(), fc.constantFrom(-1, 0, 2 ** 53 - 1, -(2 ** 53)), fc.double());
    const shapes: Record<string, fc.Arbitrary<unknown>> = {
      createProject: fc.record(
        { name: text, zoom: integer, variables: fc.array(fc.record({ name: text, value: text })) },
        { requiredKeys: ["name"] },
      ),
      createNode: fc.record(
        {
          name: text,
          node_type: fc.constantFrom("vpcs", "ethernet_hub"),
          compute_id: fc.constantFrom("local", "x"),
          x: integer,
          symbol: text,
          label: fc.record({ text, x: integer }),
        },
        { requiredKeys: ["name", "node_type", "compute_id"] },
      ),
      updateLink: fc.record(
        {
          filters: fc.dictionary(
            fc.constantFrom("delay", "corrupt", "packet_loss", "bpf", "frequency_drop", "__proto__", "x"),
            fc.array(fc.oneof(integer, text)),
          ),
          link_style: fc.dictionary(text, fc.jsonValue()),
        },
        { requiredKeys: [] },
      ),
      startCapture: fc.record({ capture_file_name: text }, { requiredKeys: [] }),
      createCompute: fc.record({ protocol: fc.constant("http"), host: text, port: integer, name: text }),
      updateSimVm: fc.record({ vmname: text, ram: integer, enable: fc.boolean() }, { requiredKeys: [] }),
    };
    const shape = shapes[name.split(".")[1]!];
    return shape
      ? fc.oneof(
          oddJson,
          shape.map((value) => JSON.stringify(value)),
        )
      : oddJson;
  };

  test.each(routes)(
    "$name",
    async ({ name, route }) => {
      const pair = await makePair();
      const { json: compute } = await client.post("/computes", {
        protocol: "http",
        host: "h",
        port: 1,
        name: freshName(),
      });
      const real: Record<string, string> = {
        project_id: pair.projectId,
        node_id: pair.first,
        link_id: pair.linkId,
        compute_id: compute.compute_id,
        engine: "remote",
        symbol_id: "odd.svg",
      };
      const variables = [...route.path.matchAll(/\{(\w+)\+?\}/g)].map((match) => match[1]!);
      const segments = fc.tuple(...variables.map((variable) => oddSegment(real, variable)));
      const query = fc.oneof(
        fc.constant(""),
        fc
          .string({ unit: "binary", maxLength: 30 })
          .map((text) => `?from=${encodeURIComponent(text.toWellFormed())}`),
        fc.constantFrom("?%", "?=&&", "?start=1e9", "?a=1&a=2", "?seed=%ff"),
      );
      await fc.assert(
        fc.asyncProperty(segments, query, nearlyRight(name), async (values, search, body) => {
          let path = route.path;
          for (const [index, variable] of variables.entries()) {
            path = path.replace(new RegExp(`\\{${variable}\\+?\\}`), () => values[index]!);
          }
          if (route.path.endsWith("/pcap")) return;
          // The client fails on any status of 500 and over, and on any that is not declared.
          await client.call(route.method, `${path}${search}`, { raw: Buffer.from(body) });
        }),
        { numRuns: runs },
      );
    },
    120_000,
  );
});
