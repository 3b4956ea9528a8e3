import {
  FILTER_DESCRIPTORS,
  type FilterProblem,
  MAX_BPF_TEXT_CHARACTERS,
  type ParseFilterOptions,
  parseFilterSettings,
} from "@wirelab/engine/link/filters/settings";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

/** Rejects lines that contain "bad", at its position, and accepts all others. */
const compileBpf = (expression: string) => {
  const at = expression.indexOf("bad");
  if (at >= 0) throw Object.assign(new Error("expected something good"), { line: 1, column: at + 1 });
  return (packet: Uint8Array) => packet.length === expression.length;
};

function settingsOf(input: unknown, options?: ParseFilterOptions) {
  const result = parseFilterSettings(input, options);
  return result.ok ? result.settings : result.problems;
}

function problemsOf(input: unknown, options?: ParseFilterOptions): FilterProblem[] {
  const result = parseFilterSettings(input, options);
  return result.ok ? [] : result.problems;
}

describe("the descriptors", () => {
  it("are the five of the interface, in order, with their parameters and bounds", () => {
    const rows = FILTER_DESCRIPTORS.flatMap(({ type, name, parameters }) =>
      parameters.map((parameter) => [
        type,
        name,
        ...Object.entries(parameter).map(([key, value]) => `${key}=${value}`),
      ]),
    );
    expect(rows).toEqual([
      [
        "frequency_drop",
        "Frequency drop",
        "name=Frequency",
        "type=int",
        "minimum=-1",
        "maximum=32767",
        "unit=th packet",
      ],
      ["packet_loss", "Packet loss", "name=Chance", "type=int", "minimum=0", "maximum=100", "unit=%"],
      ["delay", "Delay", "name=Latency", "type=int", "minimum=0", "maximum=32767", "unit=ms"],
      ["delay", "Delay", "name=Jitter (-/+)", "type=int", "minimum=0", "maximum=32767", "unit=ms"],
      ["corrupt", "Corrupt", "name=Chance", "type=int", "minimum=0", "maximum=100", "unit=%"],
      ["bpf", "Berkeley Packet Filter (BPF)", "name=Filters", "type=text"],
    ]);
    for (const descriptor of FILTER_DESCRIPTORS) {
      expect(Object.keys(descriptor)).toEqual(["type", "name", "description", "parameters"]);
      expect(descriptor.description).toMatch(/^[A-Z].*\.$/);
    }
  });
});

describe("valid settings", () => {
  it.each([
    ["integers", { packet_loss: [10] }, { packet_loss: [10] }],
    [
      "numeric text, with white space around it",
      { packet_loss: [" 10\n"], delay: ["100", "\t5 "] },
      { packet_loss: [10], delay: [100, 5] },
    ],
    ["a delay without jitter, in its own arity", { delay: [100] }, { delay: [100] }],
    ["a delay with a jitter of 0, in its own arity", { delay: [100, 0] }, { delay: [100, 0] }],
    [
      "the lowest and the highest",
      { frequency_drop: [-1], packet_loss: [100], delay: [32767, 32767] },
      { frequency_drop: [-1], packet_loss: [100], delay: [32767, 32767] },
    ],
    ["a negative number as text", { frequency_drop: ["-1"] }, { frequency_drop: [-1] }],
    ["leading zeros", { corrupt: ["007"] }, { corrupt: [7] }],
    ["nothing", {}, {}],
  ])("may be %s", (_, input, expected) => {
    expect(settingsOf(input)).toEqual(expected);
  });

  it("are returned in the descriptors' order", () => {
    const settings = settingsOf({ corrupt: [1], delay: [1], packet_loss: [1], frequency_drop: [1] });
    expect(Object.keys(settings)).toEqual(["frequency_drop", "packet_loss", "delay", "corrupt"]);
  });

  it("pass a second time unchanged", () => {
    const once = settingsOf({ delay: ["5", "6"], bpf: [" icmp\n"] }, { compileBpf });
    expect(settingsOf(once, { compileBpf })).toEqual(once);
  });
});

describe("a filter that is off", () => {
  it.each([
    [{ frequency_drop: [0] }],
    [{ packet_loss: ["0"] }],
    [{ corrupt: [-0] }],
    [{ corrupt: ["-0"] }],
    [{ delay: [0, 5] }],
    [{ bpf: [""] }],
    [{ bpf: [" \n\t\n "] }],
    [{ frequency_drop: [] }],
    [{ packet_loss: [] }],
    [{ delay: [] }],
    [{ corrupt: [] }],
    [{ bpf: [] }],
    [{ bpf: [], corrupt: [0], delay: [0, 0], frequency_drop: [0], packet_loss: [0] }],
  ])("is omitted: %j", (input) => {
    expect(settingsOf(input)).toEqual({});
  });

  it("is validated, too", () => {
    expect(problemsOf({ delay: [0, 99_999] })).toMatchObject([
      { path: ["delay", 1], parameter: "Jitter (-/+)" },
    ]);
  });
});

describe("invalid settings", () => {
  it.each([
    [{ packet_loss: [101] }, "packet_loss: Chance must be an integer from 0 to 100 (%), got 101"],
    [{ packet_loss: [-1] }, "packet_loss: Chance must be an integer from 0 to 100 (%), got -1"],
    [
      { frequency_drop: [-2] },
      "frequency_drop: Frequency must be an integer from -1 to 32767 (th packet), got -2",
    ],
    [
      { frequency_drop: ["32768"] },
      'frequency_drop: Frequency must be an integer from -1 to 32767 (th packet), got "32768"',
    ],
    [
      { corrupt: [1.5] },
      "corrupt: Chance must be an integer from 0 to 100 (%), got 1.5; fractions are not supported",
    ],
    [
      { corrupt: ["1.5"] },
      'corrupt: Chance must be an integer from 0 to 100 (%), got "1.5"; fractions are not supported',
    ],
    [
      { packet_loss: [" 10,5 "] },
      'packet_loss: Chance must be an integer from 0 to 100 (%), got " 10,5 "; fractions are not supported',
    ],
    [
      { frequency_drop: [0.5] },
      "frequency_drop: Frequency must be an integer from -1 to 32767 (th packet), got 0.5; fractions are not supported",
    ],
    [
      { delay: [1, ".5"] },
      'delay: Jitter (-/+) must be an integer from 0 to 32767 (ms), got ".5"; fractions are not supported',
    ],
    [{ corrupt: ["1e1"] }, 'corrupt: Chance must be an integer from 0 to 100 (%), got "1e1"'],
    [{ corrupt: ["0x10"] }, 'corrupt: Chance must be an integer from 0 to 100 (%), got "0x10"'],
    [{ corrupt: ["1 0"] }, 'corrupt: Chance must be an integer from 0 to 100 (%), got "1 0"'],
    [{ corrupt: [""] }, 'corrupt: Chance must be an integer from 0 to 100 (%), got ""'],
    [{ corrupt: [true] }, "corrupt: Chance must be an integer from 0 to 100 (%), got true"],
    [{ corrupt: [null] }, "corrupt: Chance must be an integer from 0 to 100 (%), got null"],
    [{ corrupt: [[1]] }, "corrupt: Chance must be an integer from 0 to 100 (%), got an array"],
    [{ corrupt: [{}] }, "corrupt: Chance must be an integer from 0 to 100 (%), got an object"],
    [{ corrupt: [Number.NaN] }, "corrupt: Chance must be an integer from 0 to 100 (%), got NaN"],
    [{ corrupt: [1e300] }, "corrupt: Chance must be an integer from 0 to 100 (%), got 1e+300"],
    [
      { corrupt: ["9".repeat(400)] },
      `corrupt: Chance must be an integer from 0 to 100 (%), got "${"9".repeat(39)}...`,
    ],
    [{ corrupt: 5 }, "corrupt: expected an array of values, got 5"],
    [{ corrupt: "50" }, 'corrupt: expected an array of values, got "50"'],
    [{ corrupt: null }, "corrupt: expected an array of values, got null"],
    [{ corrupt: [1, 2] }, "corrupt: takes 1 value (Chance), or none to switch it off, got 2"],
    [
      { delay: [1, 2, 3] },
      "delay: takes 1 to 2 values (Latency, Jitter (-/+)), or none to switch it off, got 3",
    ],
    [{ bpf: [7] }, "bpf: Filters must be text, got 7"],
    [{ bpf: ["icmp"] }, "bpf: Filters cannot be set: bpf expressions are not supported yet"],
  ] as [Record<string, unknown>, string][])("%j", (input, message) => {
    const problems = problemsOf(input);
    expect(problems.map((problem) => problem.message)).toEqual([message]);
    expect(problems[0]?.filter).toBe(Object.keys(input)[0]);
  });

  it.each([[null], [undefined], [[]], [7], ["x"], [true]])(
    "are rejected as a whole when they are not an object: %j",
    (input) => {
      expect(problemsOf(input)).toMatchObject([
        { path: [], filter: "", message: expect.stringMatching(/^filters: expected an object/) },
      ]);
    },
  );

  it.each(["nosuch", "suspend", "Delay", "__proto__", "constructor", "toString", ""])(
    "reject the unknown filter %j",
    (type) => {
      const input = JSON.parse(`{"${type}": [1]}`);
      expect(problemsOf(input)).toMatchObject([
        { path: [type], filter: type, message: expect.stringContaining("unknown filter") },
      ]);
    },
  );

  it("are all reported, each with its path", () => {
    const input = {
      nosuch: [1],
      delay: ["x", 99_999, 3],
      packet_loss: [1, 2],
      corrupt: [101],
      frequency_drop: [1],
    };
    expect(problemsOf(input).map(({ path, parameter }) => [path, parameter])).toEqual([
      [["nosuch"], undefined],
      [["packet_loss"], "Chance"],
      [["delay"], "Jitter (-/+)"],
      [["delay", 0], "Latency"],
      [["delay", 1], "Jitter (-/+)"],
      [["corrupt", 0], "Chance"],
    ]);
  });
});

describe("a bpf text", () => {
  it("is compiled line by line without blank lines, and stored with both ends trimmed", () => {
    const result = parseFilterSettings({ bpf: ["\n icmp \r\n\n \ntcp port 80\n"] }, { compileBpf });
    expect(result).toMatchObject({ ok: true, settings: { bpf: ["icmp \r\n\n \ntcp port 80"] } });
    expect(result.ok && result.bpfPredicates).toHaveLength(2);
  });

  it("returns working predicates, in the order of the lines", () => {
    const result = parseFilterSettings({ bpf: ["12345\n12"] }, { compileBpf });
    const lengths = [5, 2].map((length) => new Uint8Array(length));
    expect(result.ok && result.bpfPredicates.map((matches, index) => matches(lengths[index]!, 0))).toEqual([
      true,
      true,
    ]);
  });

  it("has no predicates when it is off", () => {
    expect(parseFilterSettings({ bpf: [" \n"] }, { compileBpf })).toEqual({
      ok: true,
      settings: {},
      bpfPredicates: [],
    });
  });

  it("is rejected with line and column in the client's text, for every bad line", () => {
    expect(problemsOf({ bpf: ["\n\n  bad one\ntcp\nudp bad"] }, { compileBpf })).toEqual([
      {
        path: ["bpf", 0],
        filter: "bpf",
        parameter: "Filters",
        line: 3,
        column: 3,
        message: "bpf: Filters at line 3, column 3: expected something good",
      },
      {
        path: ["bpf", 0],
        filter: "bpf",
        parameter: "Filters",
        line: 5,
        column: 5,
        message: "bpf: Filters at line 5, column 5: expected something good",
      },
    ]);
  });

  it("is at most 4096 characters long", () => {
    const longest = "x".repeat(MAX_BPF_TEXT_CHARACTERS);
    expect(settingsOf({ bpf: [longest] }, { compileBpf })).toEqual({ bpf: [longest] });
    expect(problemsOf({ bpf: [`${longest}x`] }, { compileBpf })).toMatchObject([
      { message: "bpf: Filters must be at most 4096 characters long, not 4097" },
    ]);
  });

  it("rethrows an error that is not a syntax error: a programming error is not the client's", () => {
    const broken = () => {
      throw new TypeError("oops");
    };
    expect(() => parseFilterSettings({ bpf: ["icmp"] }, { compileBpf: broken })).toThrow("oops");
  });
});

describe("any input", () => {
  const types = fc.constantFrom(...FILTER_DESCRIPTORS.map(({ type }) => type), "nosuch", "__proto__");
  const value = fc.oneof(fc.integer({ min: -3, max: 110 }), fc.integer().map(String), fc.anything());
  const input = fc.oneof(
    fc.dictionary(types, fc.oneof(fc.array(value, { maxLength: 3 }), fc.anything())),
    fc.anything(),
  );

  it("returns settings within the bounds, or problems with filter and reason; never throws", () => {
    fc.assert(
      fc.property(input, (filters) => {
        const result = parseFilterSettings(filters, { compileBpf });
        if (result.ok) expectWithinBounds(result.settings as Record<string, (number | string)[]>);
        else {
          expect(result.problems.length).toBeGreaterThan(0);
          for (const { message } of result.problems) expect(message.length).toBeGreaterThan(10);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  function expectWithinBounds(settings: Record<string, (number | string)[]>): void {
    for (const { type, parameters } of FILTER_DESCRIPTORS) {
      for (const [index, value] of (settings[type] ?? []).entries()) {
        const parameter = parameters[index];
        if (parameter?.type !== "int") continue;
        expect(Number.isInteger(value)).toBe(true);
        expect(value).toBeGreaterThanOrEqual(parameter.minimum);
        expect(value).toBeLessThanOrEqual(parameter.maximum);
      }
      expect([0, ""]).not.toContain(settings[type]?.[0]);
    }
  }
});
