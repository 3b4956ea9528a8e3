/** A lab file: a square of routers with RIP, each linked with its neighbours. */
export function ripGrid(side: number, seconds = 60): string {
  const ports = new Map<string, string[]>();
  const links: string[] = [];
  const take = (router: string, address: string): string => {
    const own = ports.get(router) ?? [];
    ports.set(router, own);
    return `${router}:${own.push(address) - 1}`;
  };
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      for (const [right, down] of [
        [1, 0],
        [0, 1],
      ] as const) {
        if (x + right >= side || y + down >= side) continue;
        const subnet = `10.${links.length >> 8}.${links.length & 255}`;
        const [a, b] = [`r${x}-${y}`, `r${x + right}-${y + down}`];
        links.push(`${take(a, `${subnet}.1/24`)} -- ${take(b, `${subnet}.2/24`)}`);
      }
  const nodes = [...ports].map(
    ([name, own]) => `  ${name}: {type: router, ports: [${own.join(", ")}], rip: {networks: [10.0.0.0/8]}}`,
  );
  return `nodes:\n${nodes.join("\n")}\nlinks:\n${links.map((link) => `  - ${link}`).join("\n")}\nduration: ${seconds}s\n`;
}
