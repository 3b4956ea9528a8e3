import { readTopologyFile } from "@wirelab/lab/topology/read-topology";
import { expect, test } from "vitest";
import { readContainerlab } from "../../../../packages/lab/topology/containerlab.ts";

const CLOS = `name: clos
topology:
  nodes:
{{- range $leaf := seq 1 $.leaves.num }}
    leaf{{ $leaf }}:
      kind: {{ $.kind }}
      exec:
        - ip addr add 172.16.{{ $leaf }}.2/24 dev eth1
{{- end }}
    spine:
      kind: bridge
  links:
{{- range $leaf := seq 1 $.leaves.num }}
    - endpoints: ["leaf{{ $leaf }}:eth1", "spine:eth{{ $leaf }}"]
{{- end }}
`;

/** Reads `labs/clos.clab.gotmpl` with other files beside it. */
function read(text: string, files: Readonly<Record<string, string>> = {}, environment = {}) {
  const list = (folder: string): string[] =>
    Object.keys(files)
      .filter((file) => file.startsWith(folder) && !file.slice(folder.length + 1).includes("/"))
      .map((file) => file.slice(file.lastIndexOf("/") + 1));
  const load = (file: string) => new TextEncoder().encode(files[file]);
  return readContainerlab(text, "labs/clos.clab.gotmpl", environment, { list, load });
}

function problemOf(text: string, files: Readonly<Record<string, string>> = {}): string {
  try {
    read(text, files);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

test("a template is executed with the variables beside it", () => {
  const { nodes, links } = read(CLOS, { "labs/clos.clab_vars.yml": "kind: linux\nleaves: {num: 2}" });
  expect(nodes).toMatchObject({
    leaf1: { type: "pc", ip: ["172.16.1.2/24"] },
    leaf2: { type: "pc", ip: ["172.16.2.2/24"] },
    spine: { type: "switch" },
  });
  expect(links).toEqual([{ link: "leaf1 -- spine:eth1" }, { link: "leaf2 -- spine:eth2" }]);
});

test("a value of a later file of variables replaces an earlier one, and variables of the environment come after the template", () => {
  const files = {
    "labs/clos.clab_vars.json": '{"kind": "linux", "leaves": {"num": 9}}',
    "labs/clos.clab_vars.more.yaml": "leaves: {num: 1}",
    "labs/other.clab_vars.yaml": "kind: none",
  };
  const text = CLOS.replace("172.16.", `\${NET:-10.9}.`);
  expect(Object.keys(read(text, files).nodes)).toEqual(["leaf1", "spine"]);
  expect(read(text, files, { NET: "10.8" }).nodes).toMatchObject({ leaf1: { ip: ["10.8.1.2/24"] } });
});

test("numbers of variables are octal, hexadecimal and boolean as YAML 1.1 has them, and quoted texts stay texts", () => {
  const variables = 'oct: 010\nhex: 0x1f\nword: yes\nquoted: "010"\nfraction: 2.0\nnone: ~';
  const text =
    "name: {{ .oct }}-{{ .hex }}-{{ .word }}-{{ .quoted }}-{{ .fraction }}-{{ if .none }}x{{ end }}-{{ .a }}";
  expect(problemOf(text, { "labs/clos.clab_vars.yaml": `${variables}\na: {{` })).toContain(
    "clos.clab_vars.yaml:7",
  );
  const named = read(
    `${text.replace("-{{ .a }}", "")}\ntopology: {nodes: {a: {kind: linux, hostname: "{{ .oct }} {{ .hex }} {{ .word }} {{ .quoted }} {{ .fraction }}", image: frr}}}`,
    {
      "labs/clos.clab_vars.yaml": variables,
    },
  );
  expect(named.nodes.a).toMatchObject({ exec: [{ run: ["hostname", "8 31 true 010 2"] }] });
});

test("templates of the folder clab_templates are found by their names", () => {
  const text = 'topology:\n  nodes:\n{{ range slice "a" "b" }}{{ template "node.gotmpl" . }}{{ end }}';
  expect(read(text, { "labs/clab_templates/node.gotmpl": "    {{ . }}: {kind: bridge}\n" }).nodes).toEqual({
    a: { type: "switch", ports: [] },
    b: { type: "switch", ports: [] },
  });
  expect(problemOf(text, { "labs/clab_templates/node.gotmpl": "\n {{ .x }}" })).toContain(
    "labs/clab_templates/node.gotmpl:2:5: the template asks for .x of a text",
  );
});

test("problems have the place in the template, not in the text that it makes", () => {
  const files = { "labs/clos.clab_vars.yaml": "kind: linux\nleaves: {num: 3}" };
  expect(problemOf(CLOS.replace("exec:", "exce:"), files)).toContain(
    "labs/clos.clab.gotmpl:7:7: topology.nodes.leaf1.exce",
  );
  expect(problemOf(CLOS.replace("kind: bridge", "kind: router"), files)).toMatch(
    /^labs\/clos\.clab\.gotmpl:10:5: /,
  );
  expect(problemOf(CLOS.replace("kind: bridge", "kind: ]"), files)).toMatch(
    /^labs\/clos\.clab\.gotmpl:11:13: is not YAML/,
  );
});

test("a template without its variables names the first that is missing", () => {
  expect(problemOf(CLOS)).toContain("labs/clos.clab.gotmpl:4:");
  expect(problemOf(CLOS.replace("seq 1 $.leaves.num", "seq 2"))).toBe(
    "labs/clos.clab.gotmpl:6:16: the template has no value: correct the name, or add it to clos.clab_vars.yaml.",
  );
});

test("a key of an inner map that YAML 1.1 reads as a boolean is refused", () => {
  expect(problemOf(CLOS, { "labs/clos.clab_vars.yaml": "leaves:\n  y: 1" })).toContain(
    "labs/clos.clab_vars.yaml:2:3: leaves.y is not the name of a variable for containerlab",
  );
});

test("a lab file can name a template", () => {
  const text = "topology: {nodes: {{ `{a: {kind: bridge}}` }}}";
  expect(readTopologyFile("x.clab.gotmpl", new TextEncoder().encode(text)).nodes).toHaveProperty("a");
});
