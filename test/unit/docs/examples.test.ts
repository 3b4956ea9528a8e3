/** The OpenAPI document has an example for every request body, and its examples are valid. */
import { readFileSync } from "node:fs";
import { linesOf } from "@wirelab/engine/devices/pc/startup";
import { readCapture } from "@wirelab/engine/pcap/index";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { readTopologyFile } from "../../../functions/archives/topology-file.ts";
import { readZip } from "../../../functions/archives/zip-reader.ts";
import { EXAMPLES } from "../../../functions/docs/examples.ts";
import { GROUPS } from "../../../functions/routes.ts";
import { recogniseImage } from "../../../functions/shared/edge/image/recognise-image.ts";
import { makeOpenApi } from "../../../functions/shared/edge/openapi.ts";
import type { Route } from "../../../functions/shared/edge/route.ts";
import * as capture from "../../../functions/shared/schemas/capture.ts";
import * as common from "../../../functions/shared/schemas/common.ts";
import * as compute from "../../../functions/shared/schemas/compute.ts";
import * as deletion from "../../../functions/shared/schemas/deletion.ts";
import * as drawing from "../../../functions/shared/schemas/drawing.ts";
import * as emulator from "../../../functions/shared/schemas/emulator.ts";
import * as labReport from "../../../functions/shared/schemas/lab-report.ts";
import * as labSweep from "../../../functions/shared/schemas/lab-sweep.ts";
import * as link from "../../../functions/shared/schemas/link.ts";
import * as node from "../../../functions/shared/schemas/node.ts";
import * as packet from "../../../functions/shared/schemas/packet.ts";
import * as project from "../../../functions/shared/schemas/project.ts";
import * as routerState from "../../../functions/shared/schemas/router-state.ts";
import * as run from "../../../functions/shared/schemas/run.ts";
import * as server from "../../../functions/shared/schemas/server.ts";
import * as simvm from "../../../functions/shared/schemas/simvm.ts";
import * as snapshot from "../../../functions/shared/schemas/snapshot.ts";
import * as statistics from "../../../functions/shared/schemas/statistics.ts";
import * as switchState from "../../../functions/shared/schemas/switch-state.ts";
import * as symbol from "../../../functions/shared/schemas/symbol.ts";
import * as template from "../../../functions/shared/schemas/template.ts";
import * as version from "../../../functions/shared/schemas/version.ts";

const document = makeOpenApi(GROUPS, EXAMPLES);
const withBody = GROUPS.flatMap(({ routes }) => Object.entries<Route>(routes)).flatMap(([name, { body }]) =>
  body === undefined || body.kind === "ignored" ? [] : [{ name, body }],
);

/** Returns the content of a file of the page, for example `docs/square.svg`. */
const fileOf = (url: string): Uint8Array =>
  readFileSync(new URL(`../../../functions/docs/page/${url.replace("docs/", "")}`, import.meta.url));

const READERS: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  startSweep: (bytes) => parseLabFile(new TextDecoder().decode(bytes), { name: "first" }).expectations.length,
  runLabFile: (bytes) => parseLabFile(new TextDecoder().decode(bytes), { name: "first" }).expectations.length,
  replay: (bytes) => readCapture(bytes).frames.length,
  putSymbolRaw: (bytes) => recogniseImage(bytes).size,
  putProjectFile: (bytes) => bytes.length,
  importProject: (bytes) =>
    readTopologyFile(readZip(Buffer.from(bytes)).get("project.gns3")!.read()).nodes.length,
  postToEmulator: (bytes) => bytes.length,
  putToEmulator: (bytes) => bytes.length,
  putNodeFile: (bytes) => linesOf(new TextDecoder().decode(bytes)).length,
};

describe("bodies", () => {
  test("each has an example, and nothing else has one", () => {
    expect(withBody.length).toBeGreaterThan(10);
    expect(Object.keys(EXAMPLES.bodies).toSorted()).toEqual(withBody.map(({ name }) => name).toSorted());
  });

  test.each(withBody)("$name accepts its example", ({ name, body }) => {
    const example = EXAMPLES.bodies[name]!;
    if ("externalValue" in example) expect(READERS[name]!(fileOf(example.externalValue))).toBeTruthy();
    else
      expect(body.kind === "json" && body.schema.safeParse(example.value)).toMatchObject({ success: true });
  });

  test("each example is in the document", () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    for (const { name } of withBody) {
      const { requestBody } = operations.find(({ operationId }) => operationId === name)!;
      const example = EXAMPLES.bodies[name]!;
      const [content] = Object.values(requestBody!.content);
      if ("value" in example) expect(content!.example, name).toEqual(example.value);
      else {
        expect(content!.examples, name).toEqual({ file: example });
        expect(requestBody!.description).toContain(`](${example.externalValue})`);
      }
    }
  });
});

describe("named schemas", () => {
  const modules = [
    capture,
    common,
    compute,
    drawing,
    emulator,
    server,
    version,
    labReport,
    labSweep,
    link,
    node,
    packet,
    project,
    routerState,
    run,
    simvm,
    deletion,
    snapshot,
    statistics,
    switchState,
    symbol,
    template,
  ];
  const byName = new Map(
    modules
      .flatMap((module) => Object.values<unknown>(module))
      .filter((value) => value instanceof z.ZodMiniType)
      .map((schema) => [z.globalRegistry.get(schema)?.id, schema]),
  );

  test.each(Object.entries(EXAMPLES.schemas))("%s accepts its example", (name, example) => {
    expect(byName.get(name)!.safeParse(example)).toMatchObject({ success: true, data: example });
    expect(document.components.schemas[name]).toMatchObject({ type: "object", examples: [example] });
  });
});
