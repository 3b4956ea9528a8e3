/** A lab of two sites for pictures: large enough for the minimap, with links of every mark. */

export type Api = (method: string, path: string, body?: unknown) => Promise<never>;

const SYMBOLS: Readonly<Record<string, string>> = {
  vpcs: ":/symbols/vpcs_guest.svg",
  ethernet_switch: ":/symbols/ethernet_switch.svg",
  router: ":/symbols/router.svg",
};
const SWITCHES = 4;
const PCS_EACH = 4;

export interface Campus {
  readonly projectId: string;
  /** Below the version prefix. */
  readonly path: string;
  readonly nodes: ReadonlyMap<string, string>;
  /** By the names of both ends: `R1 R2`. */
  readonly links: ReadonlyMap<string, string>;
}

interface End {
  readonly node_id: string;
  readonly adapter_number: number;
  readonly port_number: number;
}

interface Made {
  readonly node_id: string;
  readonly ports: readonly End[];
}

/** Builds the lab, turns it on, and captures pings from PC1 to the server at the other site. */
export async function makeCampus(api: Api): Promise<Campus> {
  const variables = [
    { name: "seed", value: "1" },
    { name: "clock", value: "2026-11-02T09:00:00Z" },
  ];
  const { project_id } = (await api("POST", "/projects", { name: "Two sites", variables })) as {
    project_id: string;
  };
  const path = `/projects/${project_id}`;
  const nodes = new Map<string, string>();
  const links = new Map<string, string>();
  /** The free ports of each device. */
  const free = new Map<string, End[]>();

  const add = async (name: string, node_type: string, x: number, y: number, properties: object) => {
    const body = { name, node_type, x, y, properties, compute_id: "local", symbol: SYMBOLS[node_type] };
    const { node_id, ports } = (await api("POST", `${path}/nodes`, body)) as Made;
    nodes.set(name, node_id);
    free.set(
      name,
      ports.map(({ adapter_number, port_number }) => ({ node_id, adapter_number, port_number })),
    );
  };
  /** Takes the next port of each device. */
  const connect = async (...names: readonly string[]) => {
    const ends = names.map((name) => free.get(name)!.shift());
    const { link_id } = (await api("POST", `${path}/links`, { nodes: ends })) as { link_id: string };
    links.set(names.join(" "), link_id);
  };

  const pc = (name: string, x: number, y: number, address: string, gateway: string) =>
    add(name, "vpcs", x, y, { startup_script: `ip ${address}/24 ${gateway}` });
  const ports_mapping = Array.from({ length: 8 }, (_, port) => ({
    ...{ name: `Ethernet${port}`, port_number: port, type: "access", vlan: 1 },
  }));
  const bridge = (name: string, x: number, y: number, rstp: object | true) =>
    add(name, "ethernet_switch", x, y, { ports_mapping, rstp });

  await add("R1", "router", 0, -330, {
    ports: [{ ipv4: "10.0.0.1/24" }, { ipv4: "192.0.2.1/30" }],
    routes: [{ to: "10.0.9.0/24", via: "192.0.2.2" }],
  });
  await add("R2", "router", 340, -330, {
    ports: [{ ipv4: "192.0.2.2/30" }, { ipv4: "10.0.9.1/24" }],
    routes: [{ to: "10.0.0.0/24", via: "192.0.2.1" }],
  });
  await pc("Server", 620, -330, "10.0.9.10", "10.0.9.1");
  await bridge("CORE1", -170, -170, { priority: 4096 });
  await bridge("CORE2", 170, -170, { priority: 8192 });
  await connect("R1", "CORE1");
  await connect("R1", "R2");
  await connect("R2", "Server");
  await connect("CORE1", "CORE2");
  for (let each = 1; each <= SWITCHES; each += 1) {
    const x = -510 + (each - 1) * 340;
    await bridge(`SW${each}`, x, 0, true);
    await connect("CORE1", `SW${each}`);
    await connect("CORE2", `SW${each}`);
    for (let of = 0; of < PCS_EACH; of += 1) {
      const number = (each - 1) * PCS_EACH + of + 1;
      await pc(`PC${number}`, x - 120 + of * 80, 150, `10.0.0.${10 + number}`, "10.0.0.1");
      await connect(`PC${number}`, `SW${each}`);
    }
  }

  const link = (ends: string) => `${path}/links/${links.get(ends)}`;
  await api("PUT", `${link("R1 R2")}/impairments`, { preset: "lte" });
  await api("PUT", link("CORE2 SW4"), { suspend: true });
  await api("PUT", link("PC6 SW2"), { filters: { packet_loss: [25], delay: [20, 5] } });
  await api("POST", `${path}/nodes/start`);
  // The spanning tree has its ports open after a few seconds of the lab.
  await api("POST", `${path}/run`, { duration: 5 });
  const captured = ["PC1 SW1", "CORE1 SW1", "R1 CORE1", "R2 Server"];
  for (const ends of [...captured, "R1 R2"]) await api("POST", `${link(ends)}/start_capture`, {});
  await api("POST", `${path}/nodes/${nodes.get("PC1")}/console`, {
    commands: ["ping 10.0.9.10 -c 4", "trace 10.0.9.10 -P 6"],
  });
  for (const ends of captured) await api("POST", `${link(ends)}/stop_capture`);
  return { projectId: project_id, path, nodes, links };
}
