/** Lines of RIP, OSPF and static routes that policies use: as a text, and at a console. */
import { describe, expect, it } from "vitest";
import { makeBed, say } from "../probe.ts";

const run = (bed: ReturnType<typeof makeBed>, ...lines: readonly string[]): string[] =>
  lines.flatMap((line) => say(bed, line));

const block = (bed: ReturnType<typeof makeBed>, head: string): string[] => {
  const lines = say(bed, "do show running-config");
  const at = lines.indexOf(head);
  return at === -1 ? [] : lines.slice(at + 1, lines.indexOf("exit", at));
};

describe.each(["rip", "ospf"])("passive interfaces of %s", (protocol) => {
  const head = `router ${protocol}`;
  const make = () => {
    const bed = makeBed();
    run(bed, "configure terminal", head);
    return bed;
  };
  const passive = (bed: ReturnType<typeof makeBed>): string[] =>
    block(bed, head).filter((line) => line.includes("passive"));

  it("are some, or all but some", () => {
    const bed = make();
    expect(run(bed, "passive-interface Ethernet0")).toEqual([]);
    expect(passive(bed)).toEqual([" passive-interface Ethernet0"]);
    expect(
      run(
        bed,
        "no passive-interface Ethernet0",
        "passive-interface default",
        "no passive-interface Ethernet1",
      ),
    ).toEqual([]);
    expect(passive(bed)).toEqual([" passive-interface default", " no passive-interface Ethernet1"]);
    expect(run(bed, "passive-interface Ethernet1")).toEqual([]);
    expect(passive(bed)).toEqual([" passive-interface default"]);
    expect(run(bed, "no passive-interface default")).toEqual([]);
    expect(passive(bed)).toEqual([]);
  });

  it("are taken back only if they are there", () => {
    const bed = make();
    expect(run(bed, "no passive-interface Ethernet0")).toEqual([
      `There is no such line: ${head} passive-interface Ethernet0`,
    ]);
    expect(run(bed, "no passive-interface default")).toEqual([
      `There is no such line: ${head} passive-interface default`,
    ]);
    expect(run(bed, "passive-interface eth9")).toEqual(["There is no port eth9: show ip lists the ports"]);
  });

  it("redistribution and distances have their lines", () => {
    const bed = make();
    const other = protocol === "rip" ? "ospf" : "rip";
    expect(run(bed, `redistribute ${other} metric 3 route-map A`, "distance 99")).toEqual([]);
    expect(block(bed, head)).toEqual(
      expect.arrayContaining([` redistribute ${other} metric 3 route-map A`, " distance 99"]),
    );
    expect(run(bed, `no redistribute ${other}`, "no distance")).toEqual([]);
    expect(block(bed, head).join()).not.toMatch(/redistribute|distance/);
  });
});

describe("other lines", () => {
  it("clear the bits after the prefix of a network, as FRR", () => {
    const bed = makeBed({
      config: "router ospf\n network 10.0.1.1/24 area 0\nrouter rip\n network 10.0.1.1/24\n",
    });
    expect(say(bed, "show running-config")).toEqual(
      expect.arrayContaining([" network 10.0.1.0/24 area 0", " network 10.0.1.0/24"]),
    );
  });

  it("of lists that RIP asks are set and taken back", () => {
    const bed = makeBed();
    expect(
      run(
        bed,
        "configure terminal",
        "router rip",
        "distribute-list prefix A in",
        "distribute-list prefix B out Ethernet0",
      ),
    ).toEqual([]);
    expect(block(bed, "router rip")).toEqual(
      expect.arrayContaining([" distribute-list prefix A in", " distribute-list prefix B out Ethernet0"]),
    );
    expect(run(bed, "no distribute-list prefix A in")).toEqual([]);
    expect(block(bed, "router rip")).not.toContain(" distribute-list prefix A in");
  });

  it.each(["ip route 10.9.0.0/16 10.0.1.9 tag 5 7", "ip route 10.9.0.0/16 10.0.1.9 7 tag 5"])(
    "%s is a route with a tag",
    (line) => {
      expect(
        say(
          makeBed({ config: `interface eth0\n ip address 10.0.1.1/24\nexit\n${line}` }),
          "show running-config",
        ),
      ).toContain("ip route 10.9.0.0/16 10.0.1.9 tag 5 7");
    },
  );
});
