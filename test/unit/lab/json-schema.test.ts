import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NAT } from "@wirelab/engine/devices/nat/properties";
import { serviceSchemas } from "@wirelab/engine/devices/router/shell/service-settings";
import { SWITCH } from "@wirelab/engine/net/bridge/settings/settings";
import { SERVICES } from "@wirelab/engine/net/host/settings";
import { labJsonSchema } from "@wirelab/lab/file/json-schema";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { schemasOf } from "../../../packages/engine/settings/shape.ts";
import { claimSchemas, deedSchemas, labSchema, nodeSchemas } from "../../../packages/lab/file/schema.ts";
import { schemaText } from "../../../packages/wirelab/write-schema.ts";

const ROOT = new URL("../../../", import.meta.url).pathname;
const FILES = globSync("examples/**/*.lab.yaml", { cwd: ROOT });
const schema = labJsonSchema();
/** A validator that is made of the JSON Schema alone. */
const validator = z.fromJSONSchema(schema as never);
const accepts = (text: string): boolean => validator.safeParse(parse(text)).success;

test("the committed file is what `npm run schema` writes", () => {
  const committed = readFileSync(join(ROOT, "packages/wirelab/lab.schema.json"), "utf8");
  expect(JSON.parse(committed)).toEqual(JSON.parse(schemaText()));
});

test.each(FILES)("%s is valid", (file) => {
  const result = validator.safeParse(parse(readFileSync(join(ROOT, file), "utf8")));
  expect(result.error?.issues ?? []).toEqual([]);
});

test("it has every setting of a router's services, with its meaning, bounds and default", () => {
  const { rip } = serviceSchemas() as { rip: { properties: object } };
  expect(JSON.stringify(schema)).toContain(JSON.stringify(rip));
  expect(rip.properties).toMatchObject({
    update_seconds: {
      type: "integer",
      minimum: 5,
      maximum: 86_400,
      default: 30,
      description: "seconds between updates",
    },
  });
});

test.each([
  ["ethernet_switch", schemasOf(SWITCH)],
  ["server", schemasOf(SERVICES)],
  ["nat", schemasOf(NAT)],
])("it has every setting of the rows of %s", (_type, rows) => {
  const text = JSON.stringify(schema);
  for (const [key, row] of Object.entries(rows))
    if (key !== "http") expect(text).toContain(`"${key}":${JSON.stringify(row)}`);
});

test("every key of the file is in it", () => {
  const text = JSON.stringify(schema);
  const shapes = [labSchema, ...Object.values(nodeSchemas), ...Object.values(claimSchemas)].map(
    ({ shape }) => shape,
  );
  for (const key of [...shapes.flatMap((shape) => Object.keys(shape)), ...Object.keys(deedSchemas)]) {
    expect(text).toContain(`"${key}":`);
  }
});

describe("an invalid file is not valid:", () => {
  test.each([
    ["an unknown key", "nodes: {a: pc}\nnods: {}"],
    ["an unknown field of a node", "nodes: {a: {type: pc, ipp: 1}}"],
    ["a link without ends", "nodes: {a: pc}\nlinks: [{name: x}]"],
    ["an unknown event", "nodes: {a: pc}\nrun: [{at: 1s, explode: a}]"],
    ["an unknown expectation", "nodes: {a: pc}\nexpect: [{reaches: a -> b}]"],
    ["an expectation with a field of another kind", "nodes: {a: pc}\nexpect: [{reach: a -> b, p50: 3}]"],
    ["an unknown setting of a router's service", "nodes: {a: {type: router, rip: {hops: 3}}}"],
    ["a value beyond its bound", "nodes: {a: {type: router, syslog: {severity: 8}}}"],
    ["a pool without its gateway", "nodes: {a: {type: router, dhcp_pools: [{subnet: 10.0.0.0/24}]}}"],
    ["an unknown setting of a router's port", "nodes: {a: {type: router, ports: [{ip: 10.0.0.1/24}]}}"],
    ["a router's interface of no type", "nodes: {a: {type: router, interfaces: [{name: x, type: bridge}]}}"],
    [
      "a tunnel without an end",
      "nodes: {a: {type: router, interfaces: [{name: x, type: gre, local: 10.0.0.1}]}}",
    ],
    ["a route without a gateway", "nodes: {a: {type: router, routes: [{to: 10.9.0.0/16}]}}"],
    ["an unknown setting of a spanning tree", "nodes: {a: {type: switch, rstp: {hops: 3}}}"],
    ["a priority beyond its bound", "nodes: {a: {type: switch, rstp: {priority: 70000}}}"],
    ["an algorithm that is none", "nodes: {a: {type: server, tcp: {congestion: vegas}}}"],
    ["a host of the internet without a name", "nodes: {a: {type: nat, internet: [{address: 9.9.9.9}]}}"],
    ["a rule of NAT without its port", "nodes: {a: {type: router, nat: {static: [{inside: 10.0.0.1}]}}}"],
    ["a negated never", "nodes: {a: pc}\nexpect: [{not never: icmp}]"],
  ])("%s", (_what, text) => {
    expect(accepts(text)).toBe(false);
  });

  test("and the same without the mistake is", () => {
    expect(
      accepts(
        "nodes: {a: pc, b: 10.0.0.1/24, c: }\nlinks: [a -- b]\nexpect: [{not reach: a -> b}, {no loop: }]",
      ),
    ).toBe(true);
  });
});
