/** The lines of lists and route maps, as a text, at a console and as `properties`. */
import { formatRouterProperties, parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import { makeBed, say } from "../probe.ts";

const problemsOf = (properties: object): string[] => {
  const parsed = parseRouterProperties(properties);
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
};

const LINES = `ip prefix-list A description routes of the lab
ip prefix-list A seq 5 permit 10.0.0.0/8 ge 16 le 24
ip prefix-list A seq 10 deny any
ipv6 prefix-list A seq 5 permit 2001:db8::/32 le 48
bgp as-path access-list P seq 5 permit ^65001_(65002|65003)$
bgp community-list standard C seq 5 permit 65000:1 no-export
bgp community-list expanded X seq 5 deny 65000:.* no-export
bgp community-list 10 seq 5 permit 65000:2
bgp large-community-list standard L seq 5 permit 65000:1:2
route-map M permit 10
 description some words
 match ip address prefix-list A
 match community C exact-match
 set metric +5
 set as-path prepend 65000 65000
 call N
 on-match goto 30
exit
route-map M deny 20
exit`.split("\n");

describe("lines of lists and route maps", () => {
  it("are printed as they were read", () => {
    const parsed = parseRouterProperties({ config: LINES.join("\n") });
    expect(parsed.ok ? [] : parsed.problems).toEqual([]);
    const printed = say(makeBed({ config: LINES.join("\n") }), "show running-config");
    expect(printed).toEqual(LINES);
  });

  it("are the same as properties, and as commands", () => {
    const parsed = parseRouterProperties({ config: LINES.join("\n") });
    const properties = parsed.ok ? formatRouterProperties(parsed.config) : {};
    expect(parseRouterProperties(properties)).toEqual(parsed);
    const bed = makeBed();
    for (const line of ["configure terminal", ...LINES, "end"]) expect(say(bed, line)).toEqual([]);
    const running = say(bed, "show running-config");
    expect(running.filter((line) => LINES.includes(line))).toEqual(expect.arrayContaining(LINES));
  });

  it.each([
    ["ip prefix-list B permit 10.1.2.3/8", "ip prefix-list B seq 5 permit 10.0.0.0/8"],
    ["ip prefix-list B permit 0.0.0.0/0 le 32", "ip prefix-list B seq 5 permit any"],
    [
      "ip prefix-list B seq 7 permit 10.0.0.0/8 le 24 ge 9",
      "ip prefix-list B seq 7 permit 10.0.0.0/8 ge 9 le 24",
    ],
    ["bgp community-list 100 permit _65000:", "bgp community-list 100 seq 5 permit _65000:"],
    [
      "bgp community-list standard B permit local-as 65000:1",
      "bgp community-list standard B seq 5 permit local-AS 65000:1",
    ],
    ["route-map B permit 1\n continue 5", "route-map B permit 1\n on-match goto 5"],
  ])("%j is spelled in one way", (given, spelled) => {
    expect(say(makeBed({ config: given }), "show running-config").join("\n")).toContain(spelled);
  });

  it.each([
    [
      "ip prefix-list B permit 10.0.0.0/8 ge 7",
      "the length of 10.0.0.0/8, ge and le must not fall: 8 <= ge <= le",
    ],
    [
      "ip prefix-list B permit 10.0.0.0/8 ge 24 le 16",
      "the length of 10.0.0.0/8, ge and le must not fall: 8 <= ge <= le",
    ],
    ["ip prefix-list B permit 10.0.0.0/8 le 33", "le must be a length up to 32"],
    ["ip prefix-list B permit 10.0.0.0/33", "10.0.0.0/33 is not any or an IPv4 prefix"],
    ["ip prefix-list B seq 0 permit any", "seq must be 1 to 4294967295, not 0"],
    ["ipv6 prefix-list B permit 10.0.0.0/8", "10.0.0.0/8 is not any or an IPv6 prefix"],
    ["bgp as-path access-list B permit (", "the expression has a ( without a )"],
    ["bgp community-list standard B permit 65536:1", "65536:1 is not a community (65000:1, no-export)"],
    [
      "bgp community-list B permit 65000:1",
      "bgp community-list has a number from 1 to 500, or standard or expanded and a name",
    ],
    ["bgp large-community-list standard B permit 1:2", "1:2 is not a large community (65000:1:2)"],
    ["route-map B permit 0", "seq must be 1 to 65535, not 0"],
    ["route-map B permit 10\n on-match goto 10", "entry 10 does not come after entry 10"],
    ["route-map B permit 10\n set metric 4294967296", "the clause is `set metric METRIC`"],
    ["route-map B permit 10\n match tag 0", "the clause is `match tag NUMBER`"],
    ["route-map B permit 10\n set metric rtt", "a metric is a number here"],
    ["route-map B permit 10\n set src 10.0.0.1", "the clause is not there"],
    ["route-map B permit 10\n match evpn vni 5", "the clause is not there"],
  ])("%j is refused", (given, why) => {
    const problems = problemsOf({ config: given });
    expect(problems).toEqual([expect.stringContaining(why)]);
    expect(problems[0]).toMatch(/^config: line \d: /);
  });
});

describe("properties of lists and route maps", () => {
  it.each([
    [
      { route_lists: [{ type: "ip prefix-list", name: "A B" }] },
      `route_lists.0.name: "A B" is not a name of 1 to 63 characters without spaces`,
    ],
    [{ route_lists: [{ type: "frob", name: "A" }] }, "route_lists.0.type: must be ip prefix-list, "],
    [
      { route_lists: [{ type: "ip prefix-list", name: "A", rules: ["permit any", "seq 5 deny any"] }] },
      "route_lists.0.rules.1: rule 5 comes after rule 5",
    ],
    [
      {
        route_lists: [
          { type: "bgp community-list standard", name: "A" },
          { type: "bgp community-list expanded", name: "A" },
        ],
      },
      "route_lists.1: bgp community-list A is there already, as number 0",
    ],
    [
      { route_maps: [{ name: "A", seq: 1, action: "permit", match: ["frob"] }] },
      "route_maps.0.match.0: there is no clause `match frob`",
    ],
    [
      { route_maps: [{ name: "A", seq: 1, action: "permit", set: ["tag 1", "tag 2"] }] },
      "route_maps.0.set.1: tag is there twice",
    ],
    [
      {
        route_maps: [
          { name: "A", seq: 1, action: "permit" },
          { name: "A", seq: 1, action: "deny" },
        ],
      },
      "route_maps.1: route-map A 1 is there already",
    ],
    [
      { route_maps: [{ name: "A", seq: 1, action: "permit", on_match: "goto" }] },
      `route_maps.0.on_match: "goto" is not next`,
    ],
  ])("%j are refused", (properties, why) => {
    expect(problemsOf(properties)).toEqual([expect.stringContaining(why)]);
  });

  it("have 2048 rules at most", () => {
    const rules = Array.from({ length: 1_025 }, () => "permit any");
    const lists = ["A", "B"].map((name) => ({ type: "ip prefix-list", name, rules }));
    expect(problemsOf({ route_lists: lists })).toEqual([
      "route_lists: the lists have 2050 rules; 2048 are allowed",
    ]);
  });
});

describe("at a console", () => {
  const make = () => {
    const bed = makeBed({ config: LINES.join("\n") });
    say(bed, "configure terminal");
    return bed;
  };
  const run = (bed: ReturnType<typeof makeBed>, ...lines: readonly string[]) =>
    lines.flatMap((line) => say(bed, line));
  const running = (bed: ReturnType<typeof makeBed>) => say(bed, "do show running-config");

  it("a rule is taken back by its number, by what it says, or with its list", () => {
    const bed = make();
    expect(
      run(
        bed,
        "no ip prefix-list A seq 5",
        "no ip prefix-list A deny any",
        "no ip prefix-list A description",
      ),
    ).toEqual([]);
    expect(
      run(bed, "no bgp community-list 10", "no bgp as-path access-list P seq 5 permit ^65001_(65002|65003)$"),
    ).toEqual([]);
    expect(running(bed).filter((line) => /^(ip|bgp)/.test(line))).toEqual([
      LINES[3],
      LINES[5],
      LINES[6],
      LINES[8],
    ]);
  });

  it("what is not there cannot be taken back", () => {
    expect(
      run(
        make(),
        "no ip prefix-list B",
        "no ip prefix-list A seq 7",
        "no route-map B",
        "no route-map M permit 20",
      ),
    ).toEqual([
      "There is no ip prefix-list B",
      "ip prefix-list A has no rule seq 7",
      "There is no route-map B",
      "There is no route-map M permit 20",
    ]);
  });

  it("a rule takes the place of the one with its number, and one that is there is not added", () => {
    const bed = make();
    run(
      bed,
      "ip prefix-list A seq 10 permit 10.9.0.0/16",
      "ip prefix-list A permit 10.9.0.0/16",
      "ip prefix-list A permit any",
    );
    expect(running(bed).filter((line) => line.startsWith("ip prefix-list A seq"))).toEqual([
      LINES[1],
      "ip prefix-list A seq 10 permit 10.9.0.0/16",
      "ip prefix-list A seq 15 permit any",
    ]);
  });

  it("lines of an entry are set and taken back in its block", () => {
    const bed = make();
    expect(
      run(bed, "route-map M permit 10", "set metric 9", "no match community", "no call", "no on-match goto"),
    ).toEqual([]);
    expect(run(bed, "no description", "no set tag")).toEqual(["There is no such line: set tag"]);
    expect(running(bed)).toEqual(
      expect.arrayContaining([
        "route-map M permit 10",
        " match ip address prefix-list A",
        " set as-path prepend 65000 65000",
        " set metric 9",
        "exit",
      ]),
    );
    expect(running(bed)).not.toContain(" call N");
  });

  it("the entries of a map stand in order, and end with it", () => {
    const bed = make();
    run(bed, "route-map M permit 15", "exit", "route-map M deny 10", "exit", "no route-map M deny 20");
    expect(running(bed).filter((line) => line.startsWith("route-map"))).toEqual([
      "route-map M deny 10",
      "route-map M permit 15",
    ]);
    run(bed, "route-map M permit 15", "no route-map M");
    expect(running(bed).join()).not.toContain("route-map");
    expect(bed.router.console.prompt).toMatch(/\(config\)#/);
  });

  it("a question mark lists the clauses", () => {
    const bed = make();
    run(bed, "route-map M permit 10");
    const words = say(bed, "set ?").map((line) => line.trim().split(/\s+/)[0]);
    expect(words).toEqual(expect.arrayContaining(["metric", "as-path", "local-preference", "weight"]));
    expect(bed.router.console.prompt).toMatch(/\(config-route-map\)#/);
  });

  it("shows lists and maps", () => {
    const bed = makeBed({ config: LINES.join("\n") });
    expect(say(bed, "show ip prefix-list A")).toEqual([
      "ip prefix-list A: 2 entries",
      "   Description: routes of the lab",
      "   seq 5 permit 10.0.0.0/8 ge 16 le 24",
      "   seq 10 deny any",
    ]);
    expect(say(bed, "show bgp community-list 10")).toEqual([
      "bgp community-list 10: 1 entries",
      "   seq 5 permit 65000:2",
    ]);
    expect(say(bed, "show route-map M")).toEqual(LINES.slice(9).filter((line) => line !== "exit"));
    expect(say(bed, "show route-map B")).toEqual(["There is no route-map B"]);
    expect(say(makeBed(), "show ip prefix-list")).toEqual(["No lists"]);
  });
});
