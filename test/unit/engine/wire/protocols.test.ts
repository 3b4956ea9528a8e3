/** The registry of protocols, and the numbers that it is made of. */
import { globSync, readFileSync } from "node:fs";
import { readDetails } from "@wirelab/engine/wire/details";
import type { TableName } from "@wirelab/engine/wire/protocol";
import { describe, expect, test } from "vitest";
import { protocolOf } from "../../../../packages/engine/wire/protocols.ts";
import { SAMPLE_FRAMES } from "../../../helpers/engine/sample-frames.ts";

const ROOT = new URL("../../../../", import.meta.url).pathname;
const TABLES: readonly TableName[] = ["ethertype", "ip", "ip6", "port", "tcp", "llc", "snap"];

/** In the registry for captures and for the traffic of guests: no device of the engine sends them. */
const OF_OTHERS = [
  "Authentication header",
  "IPv6 destination options",
  "IPv6 mobility",
  "IPv6 routing",
  "SNAP",
  "Slow Protocols",
];

test("every protocol with a layout has a sample, so that its fields are compared with tshark's", () => {
  const titles = new Set(
    TABLES.flatMap((table) =>
      Array.from({ length: 0x1_0000 }, (_, number) => protocolOf(table, number)).flatMap((protocol) =>
        protocol?.layout === undefined && protocol?.list === undefined
          ? []
          : [protocol.title ?? (protocol.name === "MDNS" ? "DNS" : protocol.name)],
      ),
    ),
  );
  const seen = Object.values(SAMPLE_FRAMES)
    .flat()
    .flatMap((frame) => readDetails(frame, "DLT_EN10MB").map(({ name }) => name));
  expect([...titles].filter((title) => !seen.includes(title)).sort()).toEqual(OF_OTHERS);
});

/** Declarations of numbers of protocols and ports, in the engine and in what is built on it. */
const DECLARATION = /const ((?:ETHERTYPE|PROTOCOL)_\w+|\w+_PORT) = (0x[0-9a-f_]+|[0-9_]+);/g;
const SOURCES = globSync("packages/{engine,lab}/**/*.ts", {
  cwd: ROOT,
  exclude: ["**/node_modules/**"],
});
const declarations = SOURCES.flatMap((path) =>
  [...readFileSync(`${ROOT}${path}`, "utf8").matchAll(DECLARATION)].map(([, name, value]) => ({
    path,
    name: name!,
    value: Number(value!.replaceAll("_", "")),
  })),
);

describe("a number of a protocol", () => {
  test.each(["ETHERTYPE_", "PROTOCOL_"])("%s... is declared once", (prefix) => {
    const values = declarations.filter(({ name }) => name.startsWith(prefix)).map(({ value }) => value);
    expect(values.length).toBeGreaterThan(8);
    expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
  });

  test("..._PORT is declared once", () => {
    const names = declarations.map(({ name }) => name).filter((name) => !/^(FIRST|MAX|DEFAULT)_/.test(name));
    expect(names).toContain("DNS_PORT");
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test("is no literal elsewhere in what reads packets if it is an EtherType", () => {
    const types = declarations.filter(({ name }) => name.startsWith("ETHERTYPE_")).map(({ value }) => value);
    const readers = SOURCES.filter((path) => /^packages\/(engine|lab\/play)\//.test(path));
    const literals = readers.flatMap((path) => {
      const code = readFileSync(`${ROOT}${path}`, "utf8").replaceAll(
        /\/\*[\s\S]*?\*\/|\/\/.*|"[^"\n]*"/g,
        "",
      );
      return [...code.matchAll(/(?<!ETHERTYPE_\w+ = )\b0x[0-9a-f]{4}\b/gi)].flatMap(([literal]) =>
        types.includes(Number(literal)) ? [`${path} ${literal}`] : [],
      );
    });
    expect(literals).toEqual([]);
  });
});
