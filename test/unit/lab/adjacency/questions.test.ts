import { expect, test } from "vitest";
import { questionsAboutOspf } from "../../../../packages/lab/adjacency/guest-ospf.ts";
import { neighboursIn, readAnswers, scriptOf } from "../../../../packages/lab/adjacency/questions.ts";

test("each answer stands behind its mark, and a daemon's own terminal is taken off", () => {
  const output = [
    "\u001eip\n[]\n",
    "\u001efrr ospf\n\r\nHello, this is FRRouting (version 8.4.4).\r\n\r\nUser Access Verification\r\n\r\n\ufffd\ufffd\u0001\ufffdPassword: \r\n",
    "r1> terminal length 0\r\nr1> show ip ospf neighbor json\r\n{\r\n}\r\nr1> exit\n",
    "\u001efrr bgp\n{}\n",
  ].join("");
  expect([...readAnswers(output)]).toEqual([
    ["", ""],
    ["ip", "[]\n"],
    ["frr ospf", "{\n}\n"],
    ["frr bgp", "{}\n"],
  ]);
  const { ospf, bgp, bfd } = neighboursIn("frr", readAnswers(output));
  expect({ ospf, bgp, bfd }).toEqual({ ospf: [], bgp: [], bfd: undefined });
});

test("a script is complete for a shell, and never fails", () => {
  const script = scriptOf(["ip", "frr ospf"]);
  expect(script).toContain(
    "printf '\\036frr ospf\\n'; ask 2604 'show ip ospf neighbor json' 2> /dev/null\nexit 0\n",
  );
});

test("a guest whose configuration is in no file is asked about all VRFs", () => {
  const asked = questionsAboutOspf({ node: "r1", daemon: "frr", config: undefined });
  expect(asked).toEqual(["ip", "frr ospf ports vrfs", "frr ospf vrfs", "running"]);
});
