/** A random lab file: routers with RIP in a ring, networks with PCs and servers, a NAT node, spanning trees, impairments, and a timeline. */
import { makeStream, type RandomStream } from "@wirelab/engine/base/random";

const IMPAIRMENTS = [
  "{both: {delay: {delay: 8ms, jitter: 3ms}, loss: 5%}}",
  "{both: {rate: 400kbit, queue: {discipline: fq_codel}}}",
  "{both: {rate: 256kbit, queue: {discipline: codel}, delay: 20ms}}",
  "{both: {rate: 512kbit, queue: {discipline: red, limit: 60}}}",
  "{a_to_b: {duplicate: 20%, corrupt: 3%}, b_to_a: {reorder: 20%, delay: 4ms}}",
  "{both: {slots: {min_delay: 3ms, max_delay: 12ms}, delay: 2ms}}",
  "{both: {rate: {rate: 300kbit, burst: 3000}, loss: {gilbert_elliott: {p: 5%, r: 30%}}}}",
  "{both: {mtu: 1200}}",
] as const;
const FILTERS = [
  "{delay: 15ms}",
  "{packet_loss: 10%}",
  "{corrupt: 4%, delay: 3ms}",
  '{bpf: "icmp[0] = 8"}',
  "{frequency_drop: 7}",
] as const;

export function randomLab(seed: number): string {
  const random = makeStream(seed, "random-lab");
  const routers = 2 + random.below(2);
  const lines = [`name: random ${seed}`, "nodes:"];
  const links: string[] = [];
  for (let index = 0; index < routers; index++) addNetwork(index, routers, random, lines, links);
  lines.push("  inet: {type: nat, internet: [{name: www.example.com, files: {/: hello}}]}");
  lines.push("  walker: dhcp");
  links.push("  - {link: inet -- sw0, name: uplink}", "  - walker -- sw0");
  return [
    ...lines,
    "links:",
    ...links,
    "run:",
    ...timeline(routers, random),
    "duration: 40s",
    "expect: []",
  ].join("\n");
}

function addNetwork(
  index: number,
  routers: number,
  random: RandomStream,
  lines: string[],
  links: string[],
): void {
  const next = (index + 1) % routers;
  const before = (index + routers - 1) % routers;
  const hosts = 1 + random.below(3);
  const ends = [`10.${index}.0.1/24`, `10.99.${index}.1/30`, `10.99.${before}.2/30`];
  lines.push(
    `  r${index}:`,
    "    type: router",
    "    ports:",
    `      - {ipv4: ${ends[0]}, dhcp: {first: 10.${index}.0.100, last: 10.${index}.0.120}}`,
    `      - ${ends[1]}`,
    `      - ${ends[2]}`,
    "    rip: {networks: [10.0.0.0/8], passive: [Ethernet0]}",
    `  sw${index}: {type: switch, rstp: true, lldp: true}`,
    `  sx${index}: {type: switch, rstp: {priority: 4096}}`,
    `  server${index}: {type: server, ip: 10.${index}.0.9/24, gateway: 10.${index}.0.1, http: {files: {/: hello}}}`,
  );
  links.push(
    `  - r${index}:0 -- sw${index}`,
    `  - {link: "r${index}:1 -- r${next}:2", name: trunk${index}${conditions(random)}}`,
    `  - {link: sw${index} -- sx${index}, name: one${index}}`,
    `  - {link: sw${index} -- sx${index}, name: two${index}}`,
    `  - {link: server${index} -- sx${index}, name: served${index}${conditions(random)}}`,
  );
  for (let host = 0; host < hosts; host++) {
    const isStatic = random.below(2) === 0;
    const address = `{ip: 10.${index}.0.${20 + host}/24, gateway: 10.${index}.0.1}`;
    lines.push(`  pc${index}${host}: ${isStatic ? address : "dhcp"}`);
    links.push(
      `  - {link: pc${index}${host} -- sw${index}, name: cable${index}${host}${conditions(random)}}`,
    );
  }
}

function conditions(random: RandomStream): string {
  const draw = random.below(4);
  if (draw === 0) return `, impairments: ${pick(random, IMPAIRMENTS)}`;
  return draw === 1 ? `, filters: ${pick(random, FILTERS)}` : "";
}

const pick = <T>(random: RandomStream, all: readonly T[]): T => all[random.below(all.length)] as T;

function timeline(routers: number, random: RandomStream): string[] {
  const network = (): number => random.below(routers);
  const far = (): string => `10.${network()}.0.${pick(random, ["1", "9", "20"])}`;
  const events = Array.from({ length: 12 }, () => {
    const deed = pick(random, [
      () => `console: {pc${network()}0: ping ${far()} -c ${1 + random.below(6)}}`,
      () => `console: {pc${network()}0: ping ${far()} -P 6 -p 80 -c 2}`,
      () => `console: {pc${network()}0: ping ${far()} -P 17 -c 2 -l 2000}`,
      () => `console: {pc${network()}0: trace ${far()} -P 6}`,
      () => `console: {pc${network()}0: [ip dhcp, ping ${far()}, show arp]}`,
      () =>
        `console: {pc${network()}0: [ip auto, "ip 10.${network()}.0.77/24 10.${network()}.0.1", ping ${far()} -c 2]}`,
      () => `console: {walker: [ping www.example.com -c 2, sleep 2, trace www.example.com]}`,
      () => `console: {r${network()}: [ping ${far()} -c 3, show ip rip, traceroute ${far()}]}`,
      () => `console: {server${network()}: send 10.${network()}.0.9 -n ${30 + random.below(300)}k}`,
      () => `console: {server${network()}: "http get http://10.${network()}.0.9/"}`,
      () => `down: trunk${network()}`,
      () => `up: trunk${network()}`,
      () => `suspend: pc${network()}0`,
      () => `start: pc${network()}0`,
      () => `reload: r${network()}`,
      () => `impairments: {one${network()}: {carrier: down}}`,
      () => `impairments: {one${network()}: null}`,
      () => `impairments: {trunk${network()}: ${pick(random, IMPAIRMENTS)}}`,
      () => `filters: {served${network()}: ${pick(random, FILTERS)}}`,
    ])();
    return { atMs: 1_000 + random.below(30_000), deed };
  });
  return events.toSorted((a, b) => a.atMs - b.atMs).map(({ atMs, deed }) => `  - {at: ${atMs}ms, ${deed}}`);
}
