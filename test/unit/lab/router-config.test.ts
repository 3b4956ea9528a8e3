/** The configuration of a router in the form of FRR, in lab files. */
import { LabFileError } from "@wirelab/lab/file/problem";
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { runLab } from "@wirelab/lab/run-lab";
import { expect, it } from "vitest";
import { yaml } from "./helpers.ts";

const FILES: Readonly<Record<string, string>> = {
  "r2.conf": `interface eth0
 ip address 10.0.1.2/24
exit
interface eth1
 ip address 10.2.0.1/24
exit
router ospf
 network 10.0.0.0/8 area 0
exit
`,
  "bad file.conf":
    "interface eth0\n ip address 10.0.1.300/24\nrouter isis core\n net 49.0001.0000.0000.0001.00\n",
};

function load(file: string): Uint8Array {
  const text = FILES[file];
  if (text === undefined) throw new Error(`there is no ${file}`);
  return new TextEncoder().encode(text);
}

const parse = (text: string) => parseLabFile(yaml(text), { name: "test", file: "test.lab.yaml", load });

const LAB = `
  nodes:
    r1:
      type: router
      config: |
        interface eth0
         ip address 10.0.1.1/24
        interface eth1
         ip address 10.1.0.1/24
        router ospf
         network 10.0.0.0/8 area 0
    r2: { type: router, config: r2.conf }
    pc1: { ip: 10.1.0.2/24, gateway: 10.1.0.1 }
    pc2: { ip: 10.2.0.2/24, gateway: 10.2.0.1 }
  links: [r1:eth0 -- r2:eth0, pc1 -- r1:eth1, pc2 -- r2:1]
  expect: [{ adjacency: r1 -- r2 }, { ping: pc1 -> pc2 }, { rib: r1, routes: { 10.2.0.0/24: 10.0.1.2 } }]
`;

it("plays routers whose configuration is a text or a file", () => {
  const report = runLab(parse(LAB));
  expect(report.verdicts.map(({ status, got }) => `${status}: ${got}`)).toEqual(
    report.verdicts.map(({ got }) => `passed: ${got}`),
  );
});

it("names the file and the line of what a router does not have", () => {
  const text = "{ nodes: { r1: { type: router, config: { from: bad file.conf } } } }";
  const problems = (): string[] => {
    try {
      parse(text);
    } catch (error) {
      if (error instanceof LabFileError) return error.message.split("\n");
    }
    return [];
  };
  expect(problems()).toEqual([
    'test.lab.yaml:1:32: nodes.r1.config bad file.conf, line 2: "ip address 10.0.1.300/24": 10.0.1.300/24 is not an IPv4 address with prefix length.',
    'test.lab.yaml:1:32: nodes.r1.config bad file.conf, line 3: "router isis core", with the line inside, is not there: IS-IS is not there; a Linux node with the image frr has it.',
  ]);
});

it("warns of lines that are left out, which the console shows", () => {
  const model = parse(`
    nodes:
      r1:
        type: router
        unsupported: warn
        config: |
          interface eth0
          router isis core
    run: [{ at: 1s, console: { r1: [show run] } }]
    duration: 2s
    expect: [{ console: r1, contains: '! line 2: "router isis core" is not there' }]
  `);
  expect(model.warnings).toEqual([
    'test.lab.yaml:5:5: nodes.r1.config line 2: "router isis core" is not there: IS-IS is not there; a Linux node with the image frr has it; it is left out',
  ]);
  expect(runLab(model).verdicts.map(({ status }) => status)).toEqual(["passed"]);
});

it("reports a file that cannot be read", () => {
  expect(() => parse("{ nodes: { r1: { type: router, config: r9.conf } } }")).toThrow(
    "nodes.r1.config cannot be read: there is no r9.conf.",
  );
});
