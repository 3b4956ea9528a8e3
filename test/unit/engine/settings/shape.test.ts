/** A setting is a row: what follows from it. */

import { describe, expect, test } from "vitest";
import { shapedService } from "../../../../packages/engine/devices/router/services/base/service-shape.ts";
import { ipv4 } from "../../../../packages/engine/settings/addresses.ts";
import { byName, list, map } from "../../../../packages/engine/settings/collections.ts";
import {
  checked,
  choice,
  flag,
  integer,
  seconds,
  spelled,
  text,
} from "../../../../packages/engine/settings/kind.ts";
import { PropertyReader } from "../../../../packages/engine/settings/property-reader.ts";
import {
  formatShape,
  optional,
  readShape,
  required,
  schemaOfShape,
  setting,
  unlessEmpty,
  unlessUsual,
} from "../../../../packages/engine/settings/shape.ts";
import { edited, record, records, syntaxOf, wordsOf } from "../../../../packages/engine/settings/words.ts";

const lower = (value: string): string | null => (/^[a-z.]+$/i.test(value) ? value.toLowerCase() : null);
const name = spelled("a name", lower, { placeholder: "NAME" });

/** The toy of this file: each kind once. */
const SHAPE = {
  level: setting(integer(0, 7), 6, { about: "how much is logged", line: "level" }),
  hold_seconds: setting(seconds(1, 90), 30, { about: "how long", line: "hold", name: "holdSeconds" }),
  loud: setting(flag, false, { about: "with noise", line: "noise make", isPresence: true }),
  fair: setting(flag, true, { about: "to all", line: "fair" }),
  mode: setting(choice("fast", "slow"), "fast", { about: "the pace", line: "mode" }),
  peers: setting(list(ipv4, { max: 3, isDistinct: true }), [], { about: "who listens", line: "peer" }),
  hosts: unlessEmpty(map(name, list(ipv4, { min: 1, max: 2, takesOne: true }), { max: 2 }), {
    about: "a host with its addresses",
    line: "host",
  }),
  share: unlessEmpty(byName(["static", "rip"], record({ metric: setting(integer(1, 9), 1) })), {
    about: "what is shared",
    line: "share",
  }),
  area: optional(text("AREA"), { about: "where it is", line: "area" }),
} as const;

const TOY = shapedService("toy", SHAPE, {
  head: "toy",
  off: "The toy is off",
  about: "play",
  aboutNo: "play no more",
  rules({ level, holdSeconds }, reader, path) {
    if (level === 0 && holdSeconds === 90) reader.add([...path, "level"], "0 and 90 s do not fit");
  },
});

function read(value: unknown) {
  const reader = new PropertyReader();
  const spec = TOY.read(reader, value, ["toy"], []);
  return { spec, problems: reader.problems.map(({ path, message }) => `${path.join(".")}: ${message}`) };
}

const DEFAULTS = { level: 6, holdSeconds: 30, loud: false, fair: true, mode: "fast", peers: [] };
const ALL = {
  level: 3,
  hold_seconds: 40,
  loud: true,
  fair: false,
  mode: "slow",
  peers: ["10.0.0.1", "10.0.0.2"],
  hosts: { A: "10.0.0.3", "b.c": ["10.0.0.4", "10.0.0.5"] },
  share: { rip: {}, static: { metric: 5 } },
  area: "51",
};

describe("a row of a shape", () => {
  test("gives its default, and leaves out what has none or is empty", () => {
    expect(read({})).toEqual({ spec: DEFAULTS, problems: [] });
    expect(read({ hosts: {}, share: {} })).toEqual({ spec: DEFAULTS, problems: [] });
  });

  test("is read, with its name in code, and written as JSON that reads the same", () => {
    const { spec, problems } = read(ALL);
    expect(problems).toEqual([]);
    expect(spec).toEqual({
      level: 3,
      holdSeconds: 40,
      loud: true,
      fair: false,
      mode: "slow",
      peers: ["10.0.0.1", "10.0.0.2"],
      hosts: { a: ["10.0.0.3"], "b.c": ["10.0.0.4", "10.0.0.5"] },
      share: { static: { metric: 5 }, rip: { metric: 1 } },
      area: "51",
    });
    expect(read(TOY.format(spec!))).toEqual({ spec, problems: [] });
    expect(Object.keys(TOY.format(spec!))).toEqual(Object.keys(ALL));
  });

  test("reports each problem with its place", () => {
    expect(
      read({
        level: 8,
        hold_seconds: "1",
        loud: 1,
        fair: null,
        mode: "late",
        peers: ["10.0.0.1", "x", "10.0.0.1"],
        hosts: { "1": "10.0.0.1", a: [] },
        share: { ospf: {}, rip: { metric: 10 } },
        area: 5,
        other: 1,
      }).problems,
    ).toEqual([
      "toy.other: is not a known property; known are level, hold_seconds, loud, fair, mode, peers, hosts, share, area",
      "toy.level: must be 0 to 7, not 8",
      "toy.hold_seconds: must be an integer",
      "toy.loud: must be true or false",
      "toy.fair: must be true or false",
      "toy.mode: must be fast, slow",
      'toy.peers.1: "x" is not an IPv4 address',
      "toy.peers.2: 10.0.0.1 is in the list already",
      'toy.hosts.1: "1" is not a name',
      "toy.hosts.a: must have 1 to 2 items, not 0",
      "toy.share.ospf: is not a known property; known are static, rip",
      "toy.share.rip.metric: must be 1 to 9, not 10",
      "toy.area: must be a string",
    ]);
    expect(read({ hosts: { a: "10.0.0.1", A: "10.0.0.2" } }).problems).toEqual([
      "toy.hosts.A: a is in the list already",
    ]);
    expect(read({ hosts: { a: [], b: [], c: [] } }).problems).toEqual([
      "toy.hosts: must have 0 to 2 names, not 3",
    ]);
    expect(read(5).problems).toEqual(["toy: must be an object"]);
    expect(read({ hosts: 5 }).problems).toEqual(["toy.hosts: must be an object"]);
  });

  test("is checked by rules between values, which see invalid ones as null", () => {
    expect(read({ level: 0, hold_seconds: 90 }).problems).toEqual(["toy.level: 0 and 90 s do not fit"]);
    expect(read({ level: 0, hold_seconds: 91 }).problems).toEqual([
      "toy.hold_seconds: must be 1 to 90, not 91",
    ]);
  });

  test("has a line in a configuration unless it has its default", () => {
    expect(TOY.print(read({}).spec!)).toEqual(["toy"]);
    expect(TOY.print(read(ALL).spec!)).toEqual([
      "toy",
      "toy level 3",
      "toy hold 40",
      "toy noise make",
      "toy fair off",
      "toy mode slow",
      "toy peer 10.0.0.1",
      "toy peer 10.0.0.2",
      "toy host a 10.0.0.3",
      "toy host b.c 10.0.0.4 10.0.0.5",
      "toy share static metric 5",
      "toy share rip",
      "toy area 51",
    ]);
  });

  test("is set by its line, and by no line is there afterwards", () => {
    const spec = read(ALL).spec!;
    let properties: Readonly<Record<string, unknown>> = {};
    const typed = TOY.print(spec).slice(1);
    const lineOf = (typedLine: string) => {
      const words = typedLine.slice("toy ".length);
      const line = TOY.lines.find(({ head }) => `${words} `.startsWith(`${head} `))!;
      return { line, words: words.slice(line.head.length).trim().split(" ").filter(Boolean) };
    };
    for (const each of typed) {
      const { line, words } = lineOf(each);
      properties = line.set(properties, words)!;
    }
    expect(read(properties)).toEqual({ spec, problems: [] });
    for (const each of typed) {
      const { line, words } = lineOf(each);
      properties = line.unset(properties, line.named === undefined ? [] : words.slice(0, 1))!;
    }
    expect(read(properties)).toEqual({ spec: DEFAULTS, problems: [] });
  });

  test("has a usage and a JSON schema", () => {
    expect(TOY.lines.map(({ head, syntax, named }) => [head, syntax, named])).toEqual([
      ["level", "N", undefined],
      ["hold", "SECONDS", undefined],
      ["noise make", undefined, undefined],
      ["fair", "on|off", undefined],
      ["mode", "fast|slow", undefined],
      ["peer", "ADDR", "ADDR"],
      ["host", "NAME ADDR...", "NAME"],
      ["share", "static|rip [metric N]", "static|rip"],
      ["area", "AREA", undefined],
    ]);
    expect(TOY.schema()).toMatchObject({
      type: "object",
      additionalProperties: false,
      properties: {
        level: { type: "integer", minimum: 0, maximum: 7, default: 6, description: "how much is logged" },
        mode: { enum: ["fast", "slow"], default: "fast" },
        peers: { type: "array", items: { type: "string", format: "ipv4" }, maxItems: 3, uniqueItems: true },
        hosts: { type: "object", maxProperties: 2 },
        share: {
          properties: { rip: { properties: { metric: { maximum: 9 } } } },
          additionalProperties: false,
        },
      },
    });
  });

  test.each([
    ["level", ["x"]],
    ["level", []],
    ["level", ["1", "2"]],
    ["noise make", ["more"]],
    ["fair", ["maybe"]],
    ["peer", []],
    ["host", ["a"]],
    ["share", ["rip", "tag", "5"]],
  ])("refuses words that no value has: %s %j", (head, words) => {
    expect(TOY.lines.find((line) => line.head === head)!.set({}, words)).toBeUndefined();
  });

  test.each([
    ["level", []],
    ["peer", ["10.9.9.9"]],
    ["host", ["b"]],
    ["peer", []],
  ])("has no line to take back: %s %j", (head, words) => {
    const properties = { peers: ["10.0.0.1"], hosts: { a: ["10.0.0.1"] } };
    expect(TOY.lines.find((line) => line.head === head)!.unset(properties, words)).toBeUndefined();
  });
});

describe("settings as words of one line", () => {
  const POOL = {
    first: required({ ...ipv4, placeholder: "FIRST" }),
    lease: setting(seconds(1, 99), 60, { isShown: true }),
    dns: setting(list(ipv4, { max: 2 }), []),
    domain: optional(name),
    kept: unlessEmpty(list(record({ mac: required(text("MAC")), address: required(ipv4) }), { max: 2 }), {
      line: "reserve",
      isRepeated: true,
    }),
  } as const;
  const kind = record(POOL);

  test("come back as they were", () => {
    const words = "10.0.0.1 lease 60 dns 10.0.0.2 10.0.0.3 domain x reserve m1 10.0.0.4 reserve m2 10.0.0.5";
    const value = kind.read(new PropertyReader(), kind.parse(words.split(" ")), [], undefined)!;
    expect(kind.words(value)).toBe(words);
    expect(kind.words({ first: "10.0.0.1", lease: 60, dns: [] })).toBe("10.0.0.1 lease 60");
    expect(kind.placeholder).toBe("FIRST [lease SECONDS] [dns ADDR...] [domain NAME] [reserve MAC ADDR]...");
    expect(syntaxOf({ lease: POOL.lease })).toBe("[lease SECONDS]");
    expect(wordsOf({ dns: POOL.dns }, { dns: ["10.0.0.2"] })).toEqual(["dns 10.0.0.2"]);
  });

  test("change what was there, in any letter case; off takes away what has no default", () => {
    const before = { first: "10.0.0.1", domain: "x" };
    expect(edited(POOL, before, ["LEASE", "5"])).toEqual({ ...before, lease: 5 });
    expect(edited(POOL, before, ["domain", "off"])).toEqual({ first: "10.0.0.1" });
    expect(edited(POOL, before, ["lease", "off"])).toBeUndefined();
    expect(edited(POOL, before, ["colour", "red"])).toBeUndefined();
    expect(kind.parse([])).toBeUndefined();
  });

  test("may be spelled as the word of another setting, or off", () => {
    expect(edited(POOL, {}, ["domain", "lease", "lease", "5"])).toEqual({ domain: "lease", lease: 5 });
    expect(edited(POOL, {}, ["domain", "off"])).toEqual({ domain: "off" });
  });
});

test("a usual value is stored as an absent one", () => {
  const shape = { limit: unlessUsual(integer(1, 9), 5), isOn: unlessUsual(flag, false) };
  const stored = (value: unknown) => readShape(new PropertyReader(), value, [], shape, undefined);
  expect(stored({ limit: 5, isOn: false })).toEqual({});
  expect(stored({ limit: 6, isOn: true })).toEqual({ limit: 6, isOn: true });
  expect(stored({ limit: 10 })).toBeNull();
  expect(formatShape(shape, { limit: 6 })).toEqual({ limit: 6 });
  expect(wordsOf(shape, { limit: 6 })).toEqual(["limit 6"]);
  expect(schemaOfShape(shape)).toMatchObject({
    properties: { limit: { default: 5 }, isOn: { default: false } },
  });
});

describe("a list of records", () => {
  const shape = { id: required(integer(1, 9)), peer: optional(ipv4) };
  const own = records<string, typeof shape>(shape, {
    max: 3,
    rules({ peer }, reader, path, mine) {
      if (peer === mine) reader.add([...path, "peer"], "is mine");
    },
    between(all, reader, path) {
      for (const [index, each] of all.entries())
        if (all.findIndex((other) => other?.id === each?.id) < index)
          reader.add([...path, index], "is a repetition");
    },
  });
  const problems = (value: unknown) => {
    const reader = new PropertyReader();
    expect(own.read(reader, value, ["all"], "10.0.0.1")).toBeNull();
    return reader.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
  };

  test("is read item by item", () => {
    const items: readonly { id: number; peer?: string }[] = [{ id: 1, peer: "10.0.0.2" }, { id: 2 }];
    expect(own.read(new PropertyReader(), items, [], "10.0.0.1")).toEqual(items);
    expect(own.format?.(items)).toEqual(items);
  });

  test.each([
    [{}, ["all: must be an array"]],
    [[{}, {}, {}, {}], ["all: must have 0 to 3 items, not 4"]],
    [[{ id: 1 }, 2], ["all.1: must be an object"]],
    [[{ id: 0, peer: "10.0.0.1" }], ["all.0.id: must be 1 to 9, not 0", "all.0.peer: is mine"]],
    [
      [{ id: 1, peer: "x" }, { id: 1 }],
      ['all.0.peer: "x" is not an IPv4 address', "all.1: is a repetition"],
    ],
  ])("has rules that see invalid items, too: %j", (value, expected) => {
    expect(problems(value)).toEqual(expected);
  });
});

test("a kind may have a rule of its own, which knows the context", () => {
  const own = checked(ipv4, (address, mine: string) => (address === mine ? "is mine" : undefined));
  const reader = new PropertyReader();
  expect(own.read(reader, "10.0.0.1", ["a"], "10.0.0.2")).toBe("10.0.0.1");
  expect(own.read(reader, "10.0.0.2", ["a"], "10.0.0.2")).toBeNull();
  expect(reader.problems).toEqual([{ path: ["a"], message: "is mine" }]);
});
