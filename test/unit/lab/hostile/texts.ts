/** Lab files whose length is chosen, and which repeat what takes time to read. */

const repeat = (unit: string | ((index: number) => string), bytes: number): string => {
  let text = "";
  for (let index = 0; text.length < bytes; index++) text += typeof unit === "string" ? unit : unit(index);
  return text;
};
const TWO = "nodes: {pc1: 10.0.0.1/24, pc2: 10.0.0.2/24}\nlinks: [{link: pc1 -- pc2, name: wire}]\n";

const raw =
  (unit: string, before = "", after = "") =>
  (bytes: number) =>
    before + repeat(unit, bytes) + after;
const lab =
  (unit: string | ((index: number) => string), before = TWO, after = "") =>
  (bytes: number) =>
    before + repeat(unit, bytes) + after;

export const TEXTS: Readonly<Record<string, (bytes: number) => string>> = {
  "a flow list": raw("1,", "[", "]"),
  "a block list": raw("- a\n"),
  "empty entries": raw("-\n"),
  "nested block lists": raw("- "),
  "open brackets": raw("["),
  "open braces": raw("{a: "),
  "closing brackets": raw("]"),
  commas: raw(",", "["),
  "deeper and deeper maps": (bytes) => {
    let text = "";
    for (let level = 0; text.length < bytes; level++) text += `${" ".repeat(level)}a:\n`;
    return text;
  },
  comments: raw("#\n", TWO),
  "empty lines": raw("\n"),
  documents: raw("---\n"),
  directives: raw("%TAG ! x\n"),
  "anchors in a row": raw("&a "),
  "anchors with names": lab((index) => `a${index}: &x${index} 1\n`, ""),
  "anchors of one name": lab((index) => `a${index}: &x 1\n`, ""),
  "aliases in a row": raw("*a "),
  "aliases of a number": lab(() => "- *a\n", "links:\n- &a 1\n"),
  "aliases of a list": lab(() => "- *a\n", "name: &a [1,2,3,4,5,6,7,8]\nlinks:\n"),
  "aliases of a node": lab((index) => `  p${index}: *pc\n`, "nodes:\n  p: &pc {type: pc, ip: auto}\n"),
  "aliases of aliases": lab(
    (index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]\n`,
    "a0: &a0 [1]\n",
  ),
  "tags in a row": raw("!!str "),
  "unknown tags": raw("!x a,", "[", "]"),
  "quotes in a row": raw('"'),
  "empty quoted texts": raw('"" '),
  "a long quoted text": raw("\\u0041", '"', '"'),
  "a long plain text": raw("b\n ", "name: "),
  "a long block": raw(" x\n", "name: |\n"),
  "question marks": raw("? "),
  "colons in a row": raw(": "),
  "one key many times": raw("a: 1\n"),
  "many keys in a flow map": lab((index) => `a${index},`, "nodes: {", "}"),
  "many keys in a block map": lab((index) => `  a${index}: x\n`, "nodes:\n"),
  "unknown keys": lab((index) => `nodez${index}: 1\n`),
  "a long key": raw("a", "", ": 1"),
  "wrong indentation": raw("   a: 1\n  b: 2\n c: 3\n"),
  tabs: raw("\tb: 1\n", "a:\n"),
  hubs: lab((index) => `  h${index}: hub\n`, "nodes:\n"),
  "hubs with all ports": lab((index) => `  h${index}: {type: hub, ports: 256}\n`, "nodes:\n"),
  servers: lab((index) => `  s${index}: {type: server, ip: 10.0.0.1/24}\n`, "nodes:\n"),
  routers: lab((index) => `  r${index}: {type: router, ports: [10.0.0.1/24]}\n`, "nodes:\n"),
  "a router with many routes": lab(
    (index) => `10.${(index >> 8) & 255}.${index & 255}.0/24: 10.0.0.2, `,
    "nodes: {r: {type: router, ports: [10.0.0.1/24], routes: {",
    "}}}",
  ),
  "a router with many rules": lab(
    () => "{action: permit}, ",
    "nodes: {r: {type: router, ports: [10.0.0.1/24], acls: [{name: a, family: ipv4, rules: [",
    "]}]}}",
  ),
  "a switch with many ports": lab(() => "{}, ", "nodes: {s: {type: switch, ports: [", "]}}"),
  "a switch with many VLANs": lab((index) => `${index}: 5, `, "nodes: {s: {type: switch, vlans: {", "}}}"),
  "a switch with many addresses": lab(
    (index) => `{mac: "00:00:00:00:${hex(index >> 8)}:${hex(index)}", port: 0}, `,
    "nodes: {s: {type: switch, static_macs: [",
    "]}}",
  ),
  links: lab((index) => `  - h${index % 90} -- h${(index * 7 + 1) % 90}\n`, hubs(90)),
  "links between two nodes": lab(() => "  - h0 -- h1\n", hubs(2)),
  "links of unknown nodes": lab((index) => `  - nodw-${index} -- node-${index}x\n`, hubs(300)),
  "links with filters": lab(
    (index) => `  - {link: h${index % 90} -- h${(index * 7 + 1) % 90}, filters: {bpf: port ${index}}}\n`,
    hubs(90),
  ),
  "a link text of dashes": raw("-", "nodes: {a: pc}\nlinks:\n  - '", " x'\n"),
  "a link text of spaces": raw(" ", "nodes: {a: pc}\nlinks:\n  - 'a", "x'\n"),
  "a schedule": lab(
    (index) => `{at: ${index}ms, both: {rate: 1mbit}},`,
    "nodes: {a: pc, b: pc}\nlinks:\n  - {link: a -- b, impairments: {schedule: [",
    "]}}\n",
  ),
  "a wrong schedule": lab(
    (index) => `{at: ${index}ms, bothh: {rate: 1mbit}},`,
    "nodes: {a: pc, b: pc}\nlinks:\n  - {link: a -- b, impairments: {schedule: [",
    "]}}\n",
  ),
  events: lab((index) => `  - {at: ${index}ms, down: wire}\n`, `${TWO}run:\n`),
  "events of unknown links": lab((index) => `  - {at: ${index}ms, down: wires${index}}\n`, `${TWO}run:\n`),
  "one unknown name many times": lab("wires, ", `${TWO}run:\n  - {at: 1s, down: [`, "]}\n"),
  "events and what comes after": (bytes) =>
    `${TWO}run:\n${repeat((index) => `  - {name: e${index}, down: wire}\n`, bytes / 2)}expect:\n${repeat((index) => `  - {seen: arp, after: e${index}}\n`, bytes / 2)}`,
  expectations: lab("  - reach: pc1 -> pc2\n", `${TWO}expect:\n`),
  "expectations of all pairs": lab("  - reach: all\n", `${TWO}expect:\n`),
  "unknown expectations": lab("  - reech: all\n", `${TWO}expect:\n`),
  "expressions, all different": lab((index) => `  - seen: tcp port ${index}\n`, `${TWO}expect:\n`),
  "a long expression": raw(" or tcp", `${TWO}expect:\n  - seen: tcp`, "\n"),
  "an expression of brackets": raw("(", `${TWO}expect:\n  - seen: '`, "'\n"),
  "a comparison of spaces": raw(" ", `${TWO}expect:\n  - {count: arp, is: '1`, "x'}\n"),
  "a list of pairs": raw("pc1 -> pc2, ", `${TWO}expect:\n  - reach: [`, "]\n"),
  "a pair of arrows": raw("->", `${TWO}expect:\n  - reach: '`, " x'\n"),
  "commands of a PC": raw("x\n\n", 'nodes: {a: {commands: "', '"}}\n'),
};

function hubs(count: number): string {
  const lines = Array.from({ length: count }, (_, index) => `  h${index}: {type: hub, ports: 256}\n`);
  return `nodes:\n${lines.join("")}links:\n`;
}

function hex(value: number): string {
  return (value & 255).toString(16).padStart(2, "0");
}
