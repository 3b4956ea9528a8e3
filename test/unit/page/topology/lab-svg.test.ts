import { describe, expect, test } from "vitest";
import type { Link, Node } from "../../../../page/src/api/types.ts";
import { coloursOf } from "../../../../page/src/topology/colours.ts";
import { labSvg } from "../../../../page/src/topology/lab-svg.ts";

const node = (node_id: string, name: string, x: number) =>
  [
    node_id,
    { node_id, name, x, y: 0, width: 60, height: 60, symbol: "pc", ports: [] } as unknown as Node,
  ] as const;
const link = (link_id: string, suspend = false) =>
  ({
    link_id,
    suspend,
    nodes: ["a", "b"].map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 })),
  }) as unknown as Link;
const draw = (name: string, links: readonly Link[], arePortsNamed = true) =>
  labSvg({
    name: "A & B",
    nodes: new Map([node("a", name, 0), node("b", "PC2", 300)]),
    links,
    drawings: [],
    symbols: new Map([["pc", "data:image/svg+xml,x"]]),
    colours: coloursOf(false),
    arePortsNamed,
  });

describe("a lab as a picture", () => {
  test("has its devices, links and ports, and room around them", () => {
    const { svg, width, height } = draw("PC1", [link("1")]);
    expect([width, height]).toEqual([360 + 80, 60 + 24 + 80]);
    expect(svg.match(/<image /g)).toHaveLength(2);
    expect(svg).toContain(">PC1</text>");
    expect(svg.match(/>0\/0<\/text>/g)).toHaveLength(2);
    expect(svg).toContain('d="M30 30Q180 30 330 30"');
  });

  test("shows names as they are written", () => {
    const { svg } = draw('<b>"1"</b>', []);
    expect(svg).toContain("<title>A &amp; B</title>");
    expect(svg).toContain("&lt;b&gt;&quot;1&quot;&lt;/b&gt;");
    expect(svg).not.toContain("<b>");
  });

  test("dashes suspended links, and draws links of the same devices apart", () => {
    const { svg } = draw("PC1", [link("1", true), link("2")]);
    expect(svg.match(/stroke-dasharray/g)).toHaveLength(1);
    const paths = [...svg.matchAll(/d="([^"]+)"/g)].map(([, path]) => path);
    expect(new Set(paths).size).toBe(2);
  });

  test("has no names of ports when the map shows none", () => {
    expect(draw("PC1", [link("1")], false).svg).not.toContain("0/0");
  });

  test("of an empty lab is empty", () => {
    const empty = { name: "", nodes: new Map(), links: [], drawings: [], symbols: new Map() };
    const { svg, width } = labSvg({ ...empty, colours: coloursOf(true), arePortsNamed: true });
    expect(width).toBe(80);
    expect(svg).not.toContain("NaN");
  });
});
