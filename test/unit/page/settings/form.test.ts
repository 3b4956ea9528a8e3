/** What the page's forms make of each kind of row: the field, what is typed, and what the reader says. */
import { describe, expect, test } from "vitest";
import { KINDS } from "../../../../packages/engine/devices/kinds.ts";
import { SWITCH } from "../../../../packages/engine/net/bridge/settings/settings.ts";
import { anyAddress, ipv4 } from "../../../../packages/engine/settings/addresses.ts";
import { byName, list, map } from "../../../../packages/engine/settings/collections.ts";
import { choice, flag, integer, prose, seconds, text } from "../../../../packages/engine/settings/kind.ts";
import { optional, required, schemasOf, setting } from "../../../../packages/engine/settings/shape.ts";
import { record } from "../../../../packages/engine/settings/words.ts";
import { columnsOf, type Form, hasLines, rowsOf } from "../../../../page/src/settings/form.ts";
import { labelOf } from "../../../../page/src/settings/labels.ts";
import { loadShapes, shapesOf } from "../../../../page/src/settings/shapes.ts";
import { parseLines, parseText, rangeOf, withValue } from "../../../../page/src/settings/values.ts";

const route = record({ to: required(text("PREFIX")), distance: setting(integer(1, 254), 1) });
const deep = record({ name: required(text("NAME")), dns: optional(list(ipv4, { max: 4 })) });
const TOYS = {
  on: setting(flag, true, { about: "whether it is on" }),
  wait_seconds: setting(seconds(1, 40_000), 30, { about: "seconds between two" }),
  mode: setting(choice("fast", "slow"), "fast"),
  word: optional(text("WORD")),
  script: setting(prose("TEXT"), ""),
  address: required(anyAddress),
  servers: optional(list(ipv4, { max: 4 })),
  one: optional(list(ipv4, { max: 4, takesOne: true })),
  routes: optional(list(route, { max: 9 })),
  pools: optional(list(deep, { max: 9 })),
  files: optional(map(text("PATH"), prose("TEXT"))),
  metrics: optional(byName(["connected", "static"], route)),
};
const rows = rowsOf(schemasOf(TOYS), ["address"]);
const row = (key: string) => rows.find((each) => each.key === key)!;
const kinds = Object.fromEntries(rows.map(({ key, form }) => [key, form.kind]));

describe("the form of a shape", () => {
  test("has a field for each kind of row", () => {
    expect(kinds).toEqual({
      on: "flag",
      wait_seconds: "integer",
      mode: "choice",
      word: "text",
      script: "text",
      address: "text",
      servers: "list",
      one: "list",
      routes: "list",
      pools: "list",
      files: "map",
      metrics: "record",
    });
  });

  test("has the row's words, bounds, default and what a text is", () => {
    expect(row("wait_seconds")).toMatchObject({
      label: "Wait in seconds",
      about: "seconds between two",
      otherwise: 30,
      isRequired: false,
    });
    expect(rangeOf(row("wait_seconds"))).toBe("1 to 40,000");
    expect(rangeOf(row("address"))).toBe("IPv4 address or IPv6 address");
    expect(row("address").isRequired).toBe(true);
    expect(row("script").form).toMatchObject({ isLong: true });
    expect(row("word").form).toMatchObject({ isLong: false });
  });

  test("types lists of texts as lines, and short records as a table", () => {
    expect([hasLines(row("servers").form), hasLines(row("routes").form)]).toEqual([true, false]);
    expect(columnsOf(row("routes").form)?.map(({ label }) => label)).toEqual(["To", "Distance"]);
    expect(columnsOf(row("pools").form)).toBeUndefined();
  });

  test("knows every setting of every type: none is left to JSON", () => {
    const left: string[] = [];
    const visit = (form: Form, path: string): void => {
      if (form.kind === "json") left.push(path);
      else if (form.kind === "list") visit(form.item, `${path}[]`);
      else if (form.kind === "map") visit(form.value, `${path}{}`);
      else if (form.kind === "record") for (const each of form.rows) visit(each.form, `${path}.${each.key}`);
      else if (form.kind === "variants") for (const each of form.of) visit(each.form, `${path}:${each.word}`);
    };
    for (const kind of KINDS)
      for (const each of shapesOf(kind).rows) visit(each.form, `${kind.type}.${each.key}`);
    expect(left).toEqual([]);
  });

  test("types a number or one of some words as text", () => {
    const schema = {
      anyOf: [{ type: "integer", minimum: 1, maximum: 9 }, { enum: ["internal", "external"] }],
    };
    expect(rowsOf({ remote_as: schema })[0]!.form).toEqual({
      kind: "text",
      isLong: false,
      takesNumber: true,
      hint: "1 to 9 or internal or external",
    });
  });

  test("a setting that is added as a row is in the form of its device", () => {
    const toy = setting(integer(1, 9), 4, { about: "how many toys" });
    const { rows: shown } = shapesOf({ type: "ethernet_switch" }, schemasOf({ ...SWITCH, toy_count: toy }));
    expect(shown.find(({ key }) => key === "toy_count")).toEqual({
      key: "toy_count",
      label: "Toy count",
      about: "how many toys",
      isRequired: false,
      otherwise: 4,
      form: { kind: "integer", min: 1, max: 9 },
    });
  });

  test("an interface of a router has the rows of its type", () => {
    const { form } = shapesOf({ type: "router" }).rows.find(({ key }) => key === "interfaces")!;
    const item = form.kind === "list" ? form.item : undefined;
    const of = item?.kind === "variants" ? item.of : [];
    expect(of.map(({ word }) => word)).toEqual(["vlan", "loopback", "gre", "svi", "vxlan"]);
    expect(of[2]?.form.rows.map(({ key }) => key)).toContain("remote");
    expect(of[0]?.form.rows.map(({ key }) => key)).not.toContain("remote");
  });
});

describe("what is typed", () => {
  const typed = (key: string, words: string) => parseText(row(key).form, words);

  test("is a number where the row has one, and text that the reader refuses elsewhere", () => {
    expect([typed("wait_seconds", " 12 "), typed("wait_seconds", "soon"), typed("word", "12")]).toEqual([
      12,
      "soon",
      "12",
    ]);
  });

  test("is absent when it is empty, and keeps the spaces of a script", () => {
    expect([typed("word", "  "), typed("script", " a\n"), typed("script", "")]).toEqual([
      undefined,
      " a\n",
      undefined,
    ]);
  });

  test("is a list by lines, whose places are the lines", () => {
    const { form } = row("servers");
    const item = (form as Extract<Form, { kind: "list" }>).item;
    expect(parseLines(item, "10.0.0.1\n\n10.0.0.2\n")).toEqual(["10.0.0.1", "", "10.0.0.2"]);
    expect(parseLines(item, "\n")).toBeUndefined();
  });

  test("is refused with the reader's words at its path", () => {
    const { check } = shapesOf({ type: "ethernet_switch" });
    const ports_mapping = [{ name: "a", port_number: 0, type: "access", vlan: 5000 }];
    expect(check({ ports_mapping })).toEqual([
      { path: "ports_mapping.0.vlan", message: "must be 1 to 4094, not 5000" },
    ]);
    expect(check({ ports_mapping: [{ vlan: 7 }], usage: 4 })).toEqual([]);
  });
});

test("a script has its problems by line; comments, abbreviations and @ are none", async () => {
  const { warnings } = await loadShapes({ type: "vpcs" });
  expect(warnings({ startup_script: "ip 10.0.0.1/24\n# fine\n@pin 10.0.0.2\npingg\n\ns" })).toEqual([
    { path: "startup_script.3", message: '"pingg" is no command of a PC' },
    { path: "startup_script.5", message: '"s" is short for save and set and show and sleep' },
  ]);
  expect((await loadShapes({ type: "nat" })).warnings({ startup_script: "x" })).toEqual([]);
});

describe("labels", () => {
  test.each([
    ["startup_script", "Start-up script"],
    ["ipv4", "IPv4"],
    ["lease_seconds", "Lease in seconds"],
    ["dhcp_pools", "DHCP pools"],
    ["seconds", "Seconds"],
  ])("%s is %s", (key, label) => {
    expect(labelOf(key)).toBe(label);
  });
});

describe("a value at a path", () => {
  test("is replaced in lists, records and records that are true", () => {
    expect(withValue({ rstp: true }, ["rstp", "mode"], "stp")).toEqual({ rstp: { mode: "stp" } });
    expect(withValue({ a: [{ b: 1 }, { b: 2 }] }, ["a", 1, "b"], 3)).toEqual({ a: [{ b: 1 }, { b: 3 }] });
  });

  test("is removed, and what surrounds it stays in its order", () => {
    expect(JSON.stringify(withValue({ a: 1, b: 2, c: 3 }, ["b"], 4))).toBe('{"a":1,"b":4,"c":3}');
    expect(withValue({ a: { b: 1, c: 2 } }, ["a", "b"], undefined)).toEqual({ a: { c: 2 } });
  });

  test("of an item that another user has removed changes nothing", () => {
    expect(withValue({ a: [1] }, ["a", 3, "b"], 1)).toEqual({ a: [1] });
  });
});
