/** Redistribution between RIP, OSPF and static routes, with route maps, lists and distances. FRR in the same place: test/linux/redistribution.test.ts. */
import { describe, expect, test } from "vitest";
import { BETWEEN, indented, redistributionLab } from "../../../helpers/labs/redistribution.ts";
import { report } from "../helpers.ts";

const router = (config: string): string => `type: router\nconfig: |\n${indented(config, "  ")}`;

const verdicts = (config: string, run = "") =>
  report(redistributionLab(router(config), run)).verdicts.map(({ status, got }) => `${status}: ${got}`);

describe("a router between RIP and OSPF", () => {
  test("announces what its route maps let it", () => {
    for (const verdict of verdicts(BETWEEN)) expect(verdict).toMatch(/^passed: /);
  });

  test("announces nothing by a route map that does not exist", () => {
    const [, , , atR3] = verdicts(
      BETWEEN.replaceAll("route-map TO-OSPF", "route-map NO-MAP")
        .replace("NO-MAP permit 30", "X permit 30")
        .replace("NO-MAP permit 10", "X permit 10")
        .replace("NO-MAP deny 20", "X deny 20"),
    );
    expect(atR3).toContain("10.1.1.0/24: no route of ospf");
    expect(atR3).not.toContain("10.7.0.0/16");
  });

  test("takes a route back when its source has lost it", () => {
    const [atR1, , , atR3] = verdicts(
      BETWEEN,
      "run: [{ at: 60s, console: { r1: [shutdown eth1], r3: [configure terminal, interface lo, no ip address] } }]",
    );
    expect(atR1).toBe("failed: 10.255.0.3/32: no route of rip");
    expect(atR3).toBe("failed: 10.1.1.0/24: no route of ospf");
  });

  test("announces a static route when no better one is in use", () => {
    const text = BETWEEN.replace(" 250", " tag 7 250");
    const [, , atR2, atR3] = verdicts(text, "run: [{ at: 60s, console: { r3: [route del 10.9.0.0/16] } }]");
    expect(atR2).toContain("10.9.0.0/16 via 10.0.1.9 by static, distance 250");
    expect(atR3).toContain("also 10.9.0.0/16 via 10.0.2.2");
  });
});
