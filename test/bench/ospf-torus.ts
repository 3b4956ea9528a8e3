/** A lab file: BIRD routers in a square whose opposite sides are joined, so that each has four neighbours of OSPF. */

const BIRD = `
      etc/bird/bird.conf: |
        router id from "eth0";
        protocol device { }
        protocol kernel { ipv4 { export all; }; }
        protocol ospf v2 {
          ipv4 { import all; };
          area 0 { interface "eth*" { hello 2; dead 8; type ptp; }; };
        }`;

/** @param side how many routers a side of the square has. */
export function ospfTorus(side: number, seconds: number): string {
  const ports: string[][] = Array.from({ length: side * side }, () => []);
  const links: string[] = [];
  const join = (one: number, other: number): void => {
    const network = `10.${links.length >> 6}.${(links.length & 63) << 2}`;
    const from = ports[one]!.push(`${network}.1/30`) - 1;
    const to = ports[other]!.push(`${network}.2/30`) - 1;
    links.push(`  - { link: "r${one}:eth${from} -- r${other}:eth${to}", filters: { delay: 1ms } }`);
  };
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) {
      join(row * side + column, row * side + ((column + 1) % side));
      join(row * side + column, ((row + 1) % side) * side + column);
    }
  const nodes = ports.map((own, index) => {
    const files = index === 0 ? `&bird${BIRD}` : "*bird";
    return `  r${index}:\n    type: linux\n    image: bird\n    ports: [${own.join(", ")}]\n    files: ${files}`;
  });
  const farthest = (side >> 1) * side + (side >> 1);
  return `nodes:
${nodes.join("\n")}
links:
${links.join("\n")}
limits: { events: 50000000, packets: 5000000 }
expect:
  - { at: ${seconds - 5}s, ping: r0 -> r${farthest} }
duration: ${seconds}s
`;
}
