/** Hostile and nearly valid input to each route: none causes a fault of the service. */
import fc from "fast-check";
import { afterAll, describe, test } from "vitest";
import { GROUPS } from "../../functions/routes.ts";
import { LAB_PCAP, makePcap } from "../helpers/captures/pcap.ts";
import { takesAll } from "../helpers/cases/draw.ts";
import { client, freshName, makePair, uuid } from "../helpers/service/lab.ts";

describe("no unusual input causes a 5xx", () => {
  const routes = GROUPS.flatMap((group) =>
    Object.entries(group.routes).map(([name, route]) => ({ name: `${group.name}.${name}`, route })),
  );
  const runs = Number(process.env.PROPERTY_RUNS ?? (takesAll ? 15 : 3));
  /** The streams of events; events.test.ts reads them further. */
  const ENDLESS = new Set(["notifications.followService", "notifications.followProject"]);

  /** Other files of this worker read the settings, and a list waits for computes that are away. */
  afterAll(async () => {
    const defaults = { allocate_vcpus_ram: true, enable: false, engine: "remote", headless: false, port: 80 };
    await client.put("/simvm", { ...defaults, ram: 2048, vcpus: 1, vmname: null, when_exit: "stop" });
    await deleteComputes();
  });

  /** Values of path variables: valid, invalid and hostile ones. */
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

  /** A real file with some bytes changed. */
  const oddPcap = fc
    .array(fc.tuple(fc.nat(LAB_PCAP.length - 1), fc.nat(255)), { maxLength: 4 })
    .map((changes) => {
      const file = Buffer.from(LAB_PCAP);
      for (const [at, byte] of changes) file[at] = byte;
      return file;
    });
  const oddSvg = fc
    .tuple(fc.string({ unit: "binary" }), fc.constantFrom("1".repeat(50_000), "100%", "1e999", "-5", "1px"))
    .map(
      ([text, width]) =>
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}!" height="${width}">${text}</svg>`,
    );

  /** Bodies that are nearly valid, so that they pass the schema. */
  const nearlyRight = (name: string): fc.Arbitrary<string | Uint8Array> => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.constantFrom("{0}", "%s", "PC1", "../x"),
    );
    const integer = fc.oneof(fc.integer(), fc.constantFrom(-1, 0, 2 ** 53 - 1, -(2 ** 53)), fc.double());
    const large = fc.constantFrom("x".repeat(4096), "\u0000".repeat(4000), "é".repeat(250), "水".repeat(255));
    const anyText = fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: large });
    const id = fc.constantFrom(uuid(), "x");
    const label = fc.record({ text: anyText, x: integer, rotation: integer }, { requiredKeys: ["text"] });
    const adapters = fc.array(fc.record({ adapter_number: fc.nat(300), port_name: anyText }), {
      maxLength: 256,
    });
    const node = {
      name: text,
      x: integer,
      symbol: anyText,
      label,
      custom_adapters: adapters,
      locked: fc.boolean(),
    };
    const variables = fc.array(fc.record({ name: anyText, value: anyText }), { maxLength: 256 });
    const project = {
      name: text,
      zoom: integer,
      variables,
      supplier: fc.record({ logo: anyText, url: anyText }),
    };
    const filters = fc.dictionary(
      fc.constantFrom("delay", "corrupt", "packet_loss", "bpf", "frequency_drop", "x"),
      fc.array(fc.oneof(integer, anyText)),
    );
    const link = { filters, link_style: fc.dictionary(text, fc.jsonValue()), suspend: fc.boolean() };
    const end = fc.record({ node_id: id, adapter_number: integer, port_number: integer, label });
    const compute = {
      protocol: fc.constant("http"),
      host: anyText,
      port: integer,
      name: anyText,
      user: anyText,
    };
    const some = { requiredKeys: [] };
    const shapes: Record<string, fc.Arbitrary<unknown>> = {
      createProject: fc.record(project, { requiredKeys: ["name"] }),
      updateProject: fc.record(project, some),
      createNode: fc.record(
        {
          ...node,
          node_type: fc.constantFrom("vpcs", "ethernet_hub"),
          compute_id: fc.constantFrom("local", "x"),
        },
        { requiredKeys: ["name", "node_type", "compute_id"] },
      ),
      updateNode: fc.record(node, some),
      createLink: fc.record({ ...link, nodes: fc.array(end, { maxLength: 3 }) }, { requiredKeys: ["nodes"] }),
      updateLink: fc.record({ ...link, nodes: fc.array(end, { maxLength: 2 }) }, some),
      startCapture: fc.record({ capture_file_name: anyText }, some),
      createCompute: fc.record(compute),
      updateCompute: fc.record(compute, some),
      updateSimVm: fc.record({ vmname: anyText, ram: integer, enable: fc.boolean() }, some),
    };
    const shape = shapes[name.split(".")[1]!];
    if (name === "links.replay") return fc.oneof(oddJson, oddPcap);
    if (name === "symbols.putSymbolRaw") return fc.oneof(oddJson, oddSvg);
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
      const captureId = await stoppedCapture(pair.link);
      await deleteComputes();
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
        capture_id: captureId,
        compute_id: compute.compute_id,
        engine: "remote",
        symbol_id: "odd.svg",
        file_path: "startup.vpc",
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
          // The client helper fails on any status of 500 and over, and on any undeclared one.
          const call = { raw: Buffer.from(body), beginningOnly: ENDLESS.has(name) };
          await client.call(route.method, `${path}${search}`, call);
        }),
        { numRuns: runs },
      );
    },
    120_000,
  );
});

async function stoppedCapture(link: string): Promise<string> {
  await client.post(`${link}/start_capture`, {});
  await client.call("POST", `${link}/replay`, { raw: makePcap(2) });
  await client.post(`${link}/stop_capture`);
  return (await client.get(`${link}/captures`)).json[0].capture_id;
}

/** Keeps the compute of the service itself. */
async function deleteComputes(): Promise<void> {
  for (const { compute_id } of (await client.get("/computes")).json) {
    if (compute_id !== "local") await client.delete(`/computes/${compute_id}`);
  }
}
