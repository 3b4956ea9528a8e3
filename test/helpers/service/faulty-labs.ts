/** Requests on labs with state that a fault could lose: running nodes, and running captures on their links. */
import { RECIPES, type Recipe, type Send, type Shot } from "../../bench/recipes.ts";

const json = (value: unknown): string => JSON.stringify(value);
let counter = 0;

interface RunningLab {
  readonly project: string;
  readonly node: string;
  readonly link: string;
}

/** Two PCs that have pinged each other on a link with a running capture. */
async function makeRunningLab(send: Send, settings: object = {}): Promise<RunningLab> {
  const name = `faulty-${process.pid}-${counter++}`;
  const { project_id } = await send({ method: "POST", path: "/projects", body: json({ name, ...settings }) });
  const project = `/projects/${project_id}`;
  const nodes: string[] = [];
  for (const [index, name] of ["PC1", "PC2"].entries()) {
    const properties = { startup_script: `ip 10.0.0.${index + 1}/24` };
    const body = json({ name, node_type: "vpcs", compute_id: "local", properties });
    nodes.push((await send({ method: "POST", path: `${project}/nodes`, body })).node_id);
  }
  const ends = nodes.map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
  const { link_id } = await send({ method: "POST", path: `${project}/links`, body: json({ nodes: ends }) });
  const link = `${project}/links/${link_id}`;
  const node = `${project}/nodes/${nodes[0]}`;
  await send({ method: "POST", path: `${project}/nodes/start` });
  await send({ method: "POST", path: `${link}/start_capture`, body: "{}" });
  await send({ method: "POST", path: `${node}/console`, body: PING });
  return { project, node, link };
}

const PING = json({ commands: ["ping 10.0.0.2 -c 2"] });

const once =
  (make: (lab: RunningLab) => Shot, settings?: object): Recipe =>
  async (send) => [make(await makeRunningLab(send, settings))];

export const FAULTY_RECIPES: Readonly<Record<string, Recipe>> = {
  ...RECIPES,
  runConsole: once(({ node }) => ({ method: "POST", path: `${node}/console`, body: PING })),
  runLab: once(({ project, node }) => {
    const consoles = [{ node_id: node.split("/").at(-1), commands: ["ping 10.0.0.2 -c 1"] }];
    return { method: "POST", path: `${project}/run`, body: json({ consoles, duration: 5 }) };
  }),
  streamPcap: once(({ link }) => ({ method: "GET", path: `${link}/pcap` })),
  stopCapture: once(({ link }) => ({ method: "POST", path: `${link}/stop_capture`, body: "{}" })),
  deleteLink: once(({ link }) => ({ method: "DELETE", path: link })),
  deleteNode: once(({ node }) => ({ method: "DELETE", path: node })),
  restoreSnapshot: async (send) => {
    const { project, node } = await makeRunningLab(send);
    const body = json({ name: "s" });
    const { snapshot_id } = await send({ method: "POST", path: `${project}/snapshots`, body });
    await send({ method: "PUT", path: node, body: json({ x: 77 }) });
    return [{ method: "POST", path: `${project}/snapshots/${snapshot_id}/restore` }];
  },
  deleteParts: once(({ project, node }) => {
    const body = json({ nodes: [node.split("/").at(-1)] });
    return { method: "POST", path: `${project}/deletions`, body };
  }),
  undoDeletion: async (send) => {
    const { project, node } = await makeRunningLab(send);
    const body = json({ nodes: [node.split("/").at(-1)] });
    const { deletion_id } = await send({ method: "POST", path: `${project}/deletions`, body });
    return [{ method: "POST", path: `${project}/deletions/${deletion_id}/undo` }];
  },
  deleteProject: once(({ project }) => ({ method: "DELETE", path: project })),
  closeProject: once(({ project }) => ({ method: "POST", path: `${project}/close` })),
  openProject: async (send) => {
    const { project } = await makeRunningLab(send, { auto_start: true });
    await send({ method: "POST", path: `${project}/close` });
    return [{ method: "POST", path: `${project}/open` }];
  },
};
