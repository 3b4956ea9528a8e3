/**
 * `npm run demo`: emulates a network with a running service. Four PCs in two subnets, with two switches and a router, get
 * their addresses by DHCP and ping each other over a link with loss and delay, which fails for a while. Prints the console
 * output and a table of the links, and writes the captures to one file.
 *
 * WIRELAB_URL is the URL of the service with its stage (default http://127.0.0.1:3080/v2; PORT changes the port).
 * WIRELAB_USER (default admin) and WIRELAB_PASSWORD are for a service with authentication.
 * The project fixes the seed and the clock, so that each run prints the same.
 */
import { writeFile } from "node:fs/promises";
import { type Lab, LabClient, type RunReport } from "./demo-client.ts";

const OUTPUT = process.env.WIRELAB_DEMO_PCAP ?? "demo.pcapng";
const FILTERS = { packet_loss: [10], delay: [50, 5] };

/** Each port of the router has its own subnet, with a DHCP server. */
const routerPort = (subnet: number) => ({
  ipv4: `10.0.${subnet}.1/24`,
  dhcp: { first: `10.0.${subnet}.100`, last: `10.0.${subnet}.199` },
});

async function demo(): Promise<void> {
  const client = new LabClient();
  const lab = await client.createLab({
    name: `demo-${Date.now()}`,
    variables: [
      { name: "seed", value: "demo" },
      { name: "clock", value: "2026-01-01T00:00:00Z" },
    ],
  });
  await lab.addNode("R1", "router", { ports: [routerPort(1), routerPort(2)] });
  for (const name of ["SW1", "SW2"]) await lab.addNode(name, "ethernet_switch");
  for (const name of ["PC1", "PC2", "PC3", "PC4"]) await lab.addNode(name, "vpcs");
  await lab.addLink(["PC1", 0], ["SW1", 0]);
  await lab.addLink(["PC2", 0], ["SW1", 1]);
  await lab.addLink(["SW1", 7], ["R1", 0]);
  const backbone = await lab.addLink(["R1", 1], ["SW2", 7], FILTERS);
  const last = await lab.addLink(["PC3", 0], ["SW2", 0]);
  await lab.addLink(["PC4", 0], ["SW2", 1]);
  await lab.post("/nodes/start");
  for (const link of [backbone, last]) await lab.post(`/links/${link}/start_capture`, {});

  console.log("Two subnets, a router, two switches, four PCs. R1 to SW2: 10 % loss, 50 ms delay.\n");
  printConsoles(
    await lab.run({
      consoles: consoles(lab, { PC1: ["dhcp"], PC2: ["dhcp"], PC3: ["dhcp"], PC4: ["dhcp"] }),
    }),
  );

  const [target] = /10\.0\.2\.\d+/.exec(await lab.type("PC3", "show ip")) ?? [];
  if (target === undefined) throw new Error("PC3 has no address");
  console.log(`\n--- PC1 pings PC3; the link between R1 and SW2 fails at 5 s and is back at 9 s\n`);
  const report = await lab.run({
    consoles: consoles(lab, { PC1: [`ping ${target} -c 12`], PC2: [`trace ${target}`] }),
    actions: [
      { at: 5, action: "suspend_link", link_id: backbone },
      { at: 9, action: "resume_link", link_id: backbone },
    ],
  });
  printConsoles(report);
  printTable(lab, report);
  for (const link of [backbone, last]) await lab.post(`/links/${link}/stop_capture`);
  await writeFile(OUTPUT, await lab.download(`/pcapng?links=${backbone},${last}`));
  console.log(`\nThe captures of R1 - SW2 and PC3 - SW2 are in ${OUTPUT}. Open it in Wireshark, or:`);
  console.log(`  tshark -r ${OUTPUT} -Y icmp`);
}

const consoles = (lab: Lab, commands: Record<string, string[]>) =>
  Object.entries(commands).map(([name, lines]) => ({ node_id: lab.nodeId(name), commands: lines }));

function printConsoles(report: RunReport): void {
  for (const { output } of report.consoles) console.log(output.trimEnd());
}

/** Prints one row for each direction of a link. */
function printTable(lab: Lab, report: RunReport): void {
  const rows = report.links.flatMap(({ directions }) =>
    directions.map((each) => [
      `${lab.nameOf(each.from)} -> ${lab.nameOf(each.to)}`,
      String(each.in.packets),
      String(each.delivered.packets),
      String(each.filters.packet_loss?.dropped ?? 0),
      String(each.filters.suspend?.dropped ?? 0),
      each.delay_ms === null ? "" : each.delay_ms.p50.toFixed(1),
      each.delay_ms === null ? "" : each.delay_ms.max.toFixed(1),
    ]),
  );
  const heads = ["link", "in", "delivered", "lost", "while down", "p50 ms", "max ms"];
  console.log(`\n${heads.map((head, i) => (i === 0 ? head.padEnd(12) : head.padStart(11))).join("")}`);
  for (const row of rows)
    console.log(row.map((cell, i) => (i === 0 ? cell.padEnd(12) : cell.padStart(11))).join(""));
  console.log(`\n${report.elapsed.toFixed(1)} lab seconds, ${report.events} events, digest ${report.digest}`);
}

try {
  await demo();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
