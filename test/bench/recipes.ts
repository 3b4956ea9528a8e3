/** For every route, one request that can be sent many times. */
import { readFileSync } from "node:fs";
import { gns3Project } from "../helpers/archives/gns3-project.ts";

const RECORDED = readFileSync(new URL("../fixtures/veth-lab.pcap", import.meta.url));
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="65" height="59"><circle r="9"/></svg>';

const SCRIPT = "set pcname PC-A\nip 10.0.0.1/24\n";

export interface Shot {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Buffer<ArrayBuffer> | undefined;
}

/** Sends one request and returns its JSON. */
// biome-ignore lint/suspicious/noExplicitAny: the service's responses, which the tests check
export type Send = (shot: Shot) => Promise<any>;

/** Prepares `count` requests of one route. */
export type Recipe = (send: Send, count: number) => Promise<Shot[]>;

let counter = 0;
const unique = (): string => `bench-${process.pid}-${counter++}`;
const json = (value: unknown): string => JSON.stringify(value);
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const makeProject = async (send: Send): Promise<string> =>
  `/projects/${(await send({ method: "POST", path: "/projects", body: json({ name: unique() }) })).project_id}`;
const newNode = (project: string, node_type = "vpcs"): Shot => ({
  method: "POST",
  path: `${project}/nodes`,
  body: json({ name: unique(), node_type, compute_id: "local" }),
});
const end = (node_id: string, port_number = 0) => ({ node_id, adapter_number: 0, port_number });
const newLink = (project: string, ends: unknown[]): Shot => ({
  method: "POST",
  path: `${project}/links`,
  body: json({ nodes: ends, filters: { packet_loss: [10], delay: [50, 5] } }),
});

/** Creates a project with two PCs and a link. */
async function makePair(send: Send) {
  const project = await makeProject(send);
  const first = (await send(newNode(project))).node_id;
  const second = (await send(newNode(project))).node_id;
  const link = `${project}/links/${(await send(newLink(project, [end(first), end(second)]))).link_id}`;
  return { project, node: `${project}/nodes/${first}`, link, first, second };
}
type Pair = Awaited<ReturnType<typeof makePair>>;

const NEW_SWEEP: Shot = {
  method: "POST",
  path: "/labs/sweep?links=1",
  body: "nodes: {a: 10.0.0.1/24, b: 10.0.0.2/24}\nlinks: [a -- b]\nexpect: [reach: a -> b]",
};

/** Starts a sweep as soon as no other one of the user runs. @returns its id. */
async function startSweep(send: Send): Promise<string> {
  for (;;) {
    const answer = await send(NEW_SWEEP).catch((error: Error) => {
      if (!error.message.includes("sweep.running")) throw error;
    });
    if (answer !== undefined && answer.code === undefined) return answer.sweep_id;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Returns the path of a sweep that has ended: a user has one running sweep. */
async function makeSweep(send: Send): Promise<string> {
  const path = `/labs/sweep/${await startSweep(send)}`;
  while ((await send({ method: "GET", path })).status === "running") {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return path;
}

/** Repeats the same request on one pair. */
const onPair =
  (make: (pair: Pair) => Shot): Recipe =>
  async (send, count) => {
    const shot = make(await makePair(send));
    return times(count, () => shot);
  };

const again =
  (method: string, path: string, body?: string): Recipe =>
  async (_send, count) =>
    times(count, () => ({ method, path, body }));

const post = (suffix: string, of: "project" | "node" | "link" = "link", body = "{}") =>
  onPair((pair) => ({ method: "POST", path: `${pair[of]}${suffix}`, body }));
const get = (suffix: string, of: "project" | "node" | "link" = "link") =>
  onPair((pair) => ({ method: "GET", path: `${pair[of]}${suffix}` }));

/** Creates two running PCs with addresses, on a link without filters. */
async function makeRunningPair(send: Send): Promise<Pair> {
  const pair = await makePair(send);
  const { project, first, second, link } = pair;
  await send({ method: "PUT", path: link, body: json({ filters: {} }) });
  await send({ method: "POST", path: `${project}/nodes/start`, body: "{}" });
  const consoles = [first, second].map((node_id, i) => ({ node_id, commands: [`ip 10.0.0.${i + 1}/24`] }));
  await send({ method: "POST", path: `${project}/run`, body: json({ consoles }) });
  return pair;
}

/** Deletes each resource that `make` creates, once. */
const deleting =
  (make: (send: Send) => Promise<string>): Recipe =>
  async (send, count) => {
    const shots: Shot[] = [];
    for (let index = 0; index < count; index++) shots.push({ method: "DELETE", path: await make(send) });
    return shots;
  };

/** Above all defaults (`ram` is 2048), so that the first request changes something, too. */
let nextValue = 4096;

/** Stores another value with each request, because an unchanged one is not written. `/simvm` and `/gns3vm` are one resource. */
const changing =
  (make: (send: Send) => Promise<string>, field: string): Recipe =>
  async (send, count) => {
    const path = await make(send);
    return times(count, () => ({ method: "PUT", path, body: json({ [field]: nextValue++ }) }));
  };

/** Reads a resource of a switch. */
const readSwitch =
  (resource: string): Recipe =>
  async (send, count) => {
    const project = await makeProject(send);
    const { node_id } = await send(newNode(project, "ethernet_switch"));
    return times(count, () => ({ method: "GET", path: `${project}/nodes/${node_id}/${resource}` }));
  };

/** Creates a link with a stopped capture; returns the capture's path. */
async function makeCapture(send: Send): Promise<string> {
  const { link } = await makePair(send);
  await send({ method: "POST", path: `${link}/start_capture`, body: "{}" });
  await send({ method: "POST", path: `${link}/replay`, body: RECORDED });
  await send({ method: "POST", path: `${link}/stop_capture`, body: "{}" });
  const [capture] = await send({ method: "GET", path: `${link}/captures` });
  return `${link}/captures/${capture.capture_id}`;
}
const onCapture =
  (suffix: string): Recipe =>
  async (send, count) => {
    const path = `${await makeCapture(send)}${suffix}`;
    return times(count, () => ({ method: "GET", path }));
  };

/** Creates a project of two PCs and an impaired link; returns the path of the impairments. */
async function makeImpairments(send: Send): Promise<string> {
  const path = `${(await makePair(send)).link}/impairments`;
  await send({ method: "PUT", path, body: json({ both: { delay: "5ms", loss: "1%" } }) });
  return path;
}

/** Creates a project with a drawing; returns the drawing's path. */
async function makeDrawing(send: Send): Promise<string> {
  const path = `${await makeProject(send)}/drawings`;
  return `${path}/${(await send({ method: "POST", path, body: json({ svg: SVG }) })).drawing_id}`;
}
/** Creates a project of two PCs and a file with a snapshot; returns the snapshot's path. */
async function makeSnapshot(send: Send): Promise<string> {
  const { project } = await makePair(send);
  await send({ method: "POST", path: `${project}/files/README.txt`, body: "read me" });
  return `${project}/snapshots/${(await send(newSnapshot(project))).snapshot_id}`;
}
const newSnapshot = (project: string): Shot => ({
  method: "POST",
  path: `${project}/snapshots`,
  body: json({ name: unique() }),
});
/** Deletes a node with its link; returns the path that undoes this. */
async function makeDeletion(send: Send): Promise<string> {
  const { project, first } = await makePair(send);
  const body = json({ nodes: [first] });
  const { deletion_id } = await send({ method: "POST", path: `${project}/deletions`, body });
  return `${project}/deletions/${deletion_id}/undo`;
}
const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));

/** A built-in template. */
const VPCS = "19021f99-e36f-394d-b4a1-8aaa902ab9cc";
const newTemplate = (): Shot => ({
  method: "POST",
  path: "/templates",
  body: json({
    name: unique(),
    template_id: crypto.randomUUID(),
    template_type: "vpcs",
    compute_id: "local",
  }),
});
const makeTemplate = async (send: Send): Promise<string> =>
  `/templates/${(await send(newTemplate())).template_id}`;

const compute = () => json({ protocol: "http", host: "198.51.100.7", port: 1, name: unique() });
const makeCompute = async (send: Send): Promise<string> =>
  `/computes/${(await send({ method: "POST", path: "/computes", body: compute() })).compute_id}`;

export const RECIPES: Readonly<Record<string, Recipe>> = {
  getVersion: again("GET", "/version"),
  checkVersion: again("POST", "/version", json({ version: "2.2.60" })),
  issueToken: again("POST", "/tokens"),
  listStatistics: again("GET", "/statistics"),
  getUsage: again("GET", "/usage"),
  listProjects: again("GET", "/projects"),
  createProject: async (_send, count) =>
    times(count, () => ({ method: "POST", path: "/projects", body: json({ name: unique() }) })),
  getProject: get("", "project"),
  updateProject: changing(async (send) => (await makePair(send)).project, "zoom"),
  deleteProject: deleting(async (send) => (await makePair(send)).project),
  openProject: post("/open", "project"),
  closeProject: post("/close", "project"),
  putNamespace: async (_send, count) =>
    times(count, () => ({ method: "PUT", path: `/namespaces/${unique()}`, body: "{}" })),
  getNamespace: again("GET", "/namespaces/none"),
  deleteNamespace: again("DELETE", "/namespaces/none"),
  getProjectStats: get("/stats", "project"),
  listNodes: get("/nodes", "project"),
  createNode: async (send, count) => {
    const project = await makeProject(send);
    return times(count, () => newNode(project));
  },
  getNode: get("", "node"),
  updateNode: changing(async (send) => (await makePair(send)).node, "x"),
  deleteNode: deleting(async (send) => (await makePair(send)).node),
  startNode: post("/start", "node"),
  stopNode: post("/stop", "node"),
  suspendNode: post("/suspend", "node"),
  reloadNode: post("/reload", "node"),
  startAllNodes: post("/nodes/start", "project"),
  stopAllNodes: post("/nodes/stop", "project"),
  suspendAllNodes: post("/nodes/suspend", "project"),
  reloadAllNodes: post("/nodes/reload", "project"),
  getMacTable: readSwitch("mac_table"),
  getNodeState: readSwitch("state"),
  getStartup: get("/startup", "node"),
  runLabFile: async (send, count) => {
    const body = "nodes: {a: 10.0.0.1/24, b: 10.0.0.2/24}\nlinks: [a -- b]\nexpect: [reach: a -> b]";
    // For its permissions; most calls store no capture.
    await send({ method: "POST", path: "/labs/run?captures=lab", body });
    return times(count, () => ({ method: "POST", path: "/labs/run", body }));
  },
  startSweep: async (send, count) => {
    await makeSweep(send);
    return times(count, () => NEW_SWEEP);
  },
  getSweep: async (send, count) => {
    const path = await makeSweep(send);
    return times(count, () => ({ method: "GET", path }));
  },
  cancelSweep: async (send, count) => {
    const path = await makeSweep(send);
    return times(count, () => ({ method: "DELETE", path }));
  },
  runConsole: async (send, count) => {
    const { node } = await makeRunningPair(send);
    const body = json({ commands: ["ping 10.0.0.2 -c 5"] });
    return times(count, () => ({ method: "POST", path: `${node}/console`, body }));
  },
  runLab: async (send, count) => {
    const { project, first, second, link } = await makeRunningPair(send);
    const link_id = link.split("/").at(-1);
    const body = json({
      duration: 10,
      consoles: [
        { node_id: first, commands: ["ping 10.0.0.2 -c 5"] },
        { node_id: second, commands: ["ping 10.0.0.1 -c 5"] },
      ],
      actions: [{ at: 3, action: "suspend_link", link_id }],
    });
    return times(count, () => ({ method: "POST", path: `${project}/run`, body }));
  },
  listNodeLinks: get("/links", "node"),
  listLinks: get("/links", "project"),
  listCounters: get("/links/counters", "project"),
  listImpairments: get("/links/impairments", "project"),
  createLink: async (send, count) => {
    const project = await makeProject(send);
    const ends: string[][] = [];
    for (let index = 0; index < count; index++) {
      ends.push([(await send(newNode(project))).node_id, (await send(newNode(project))).node_id]);
    }
    return ends.map((pair) =>
      newLink(
        project,
        pair.map((node) => end(node)),
      ),
    );
  },
  getLink: get(""),
  updateLink: async (send, count) => {
    const { link } = await makePair(send);
    return times(count, (index) => ({
      method: "PUT",
      path: link,
      body: json({ filters: { delay: [1 + index] } }),
    }));
  },
  deleteLink: deleting(async (send) => (await makePair(send)).link),
  listAvailableFilters: get("/available_filters"),
  getImpairments: async (send, count) => {
    const path = await makeImpairments(send);
    return times(count, () => ({ method: "GET", path }));
  },
  putImpairments: async (send, count) => {
    const path = await makeImpairments(send);
    return times(count, (index) => ({
      method: "PUT",
      path,
      body: json({ both: { delay: `${1 + index}ms` } }),
    }));
  },
  deleteImpairments: deleting(makeImpairments),
  listDrawings: async (send, count) => {
    const path = parentOf(await makeDrawing(send));
    return times(count, () => ({ method: "GET", path }));
  },
  createDrawing: post("/drawings", "project", json({ svg: SVG })),
  getDrawing: async (send, count) => {
    const path = await makeDrawing(send);
    return times(count, () => ({ method: "GET", path }));
  },
  updateDrawing: changing(makeDrawing, "x"),
  deleteDrawing: deleting(makeDrawing),
  duplicateProject: async (send, count) => {
    const { project } = await makePair(send);
    const file = `${project}/files/README.txt`;
    await send({ method: "POST", path: file, body: "read me" });
    await send(newSnapshot(project));
    return times(count, () => ({
      method: "POST",
      path: `${project}/duplicate`,
      body: json({ name: unique() }),
    }));
  },
  loadProject: again("POST", "/projects/load", json({ path: "/projects/lab.gns3" })),
  listSnapshots: async (send, count) => {
    const path = parentOf(await makeSnapshot(send));
    return times(count, () => ({ method: "GET", path }));
  },
  createSnapshot: async (send, count) => {
    const { project } = await makePair(send);
    return times(count, () => newSnapshot(project));
  },
  deleteSnapshot: deleting(makeSnapshot),
  restoreSnapshot: async (send, count) => {
    const path = `${await makeSnapshot(send)}/restore`;
    return times(count, () => ({ method: "POST", path, body: "{}" }));
  },
  listDeletions: async (send, count) => {
    const path = parentOf(parentOf(await makeDeletion(send)));
    return times(count, () => ({ method: "GET", path }));
  },
  deleteParts: async (send, count) => {
    const shots: Shot[] = [];
    for (let i = 0; i < count; i++) {
      const { project, first } = await makePair(send);
      shots.push({ method: "POST", path: `${project}/deletions`, body: json({ nodes: [first] }) });
    }
    return shots;
  },
  undoDeletion: async (send, count) => {
    const shots: Shot[] = [];
    for (let i = 0; i < count; i++) shots.push({ method: "POST", path: await makeDeletion(send) });
    return shots;
  },
  startCapture: async (send, count) => {
    const shots: Shot[] = [];
    for (let i = 0; i < count; i++) {
      shots.push({ method: "POST", path: `${(await makePair(send)).link}/start_capture`, body: "{}" });
    }
    return shots;
  },
  stopCapture: async (send, count) => {
    const shots: Shot[] = [];
    for (let i = 0; i < count; i++) {
      const { link } = await makePair(send);
      await send({ method: "POST", path: `${link}/start_capture`, body: "{}" });
      await send({ method: "POST", path: `${link}/replay`, body: RECORDED });
      shots.push({ method: "POST", path: `${link}/stop_capture`, body: "{}" });
    }
    return shots;
  },
  replay: async (send, count) => {
    const { link } = await makePair(send);
    await send({ method: "POST", path: `${link}/start_capture`, body: "{}" });
    return times(count, () => ({ method: "POST", path: `${link}/replay`, body: RECORDED }));
  },
  listCaptures: async (send, count) => {
    const path = (await makeCapture(send)).replace(/\/[^/]+$/, "");
    return times(count, () => ({ method: "GET", path }));
  },
  getCapture: onCapture(""),
  deleteCapture: deleting(makeCapture),
  downloadCapture: onCapture("/pcap"),
  listPackets: onCapture("/packets"),
  downloadPcapng: async (send, count) => {
    const path = (await makeCapture(send)).replace(/\/links\/.*$/, "/pcapng");
    return times(count, () => ({ method: "GET", path }));
  },
  getProjectFile: async (send, count) => {
    const path = `${await makeProject(send)}/files/README.txt`;
    await send({ method: "POST", path, body: "A lab" });
    return times(count, () => ({ method: "GET", path }));
  },
  putProjectFile: onPair(({ project }) => ({
    method: "POST",
    path: `${project}/files/README.txt`,
    body: "A lab",
  })),
  exportProject: async (send, count) => {
    const { project } = await makePair(send);
    const symbol = `${unique()}.svg`;
    await send({ method: "POST", path: `/symbols/${symbol}/raw`, body: SVG });
    const node = { name: "Drawn", node_type: "vpcs", compute_id: "local", symbol };
    await send({ method: "POST", path: `${project}/nodes`, body: json(node) });
    await send({ method: "POST", path: `${project}/files/README.txt`, body: "A lab" });
    await send(newSnapshot(project));
    return times(count, () => ({ method: "GET", path: `${project}/export?include_snapshots=yes` }));
  },
  importProject: async (_send, count) => {
    const change = (file: { name: string }): void => {
      file.name = unique();
    };
    const body = gns3Project(change, { "snapshots/kept_010126_120000.gns3snapshot": gns3Project() });
    return times(count, () => ({
      method: "POST",
      path: `/projects/${crypto.randomUUID()}/import`,
      body,
    }));
  },
  getNodeFile: async (send, count) => {
    const path = `${(await makePair(send)).node}/files/startup.vpc`;
    await send({ method: "POST", path, body: SCRIPT });
    return times(count, () => ({ method: "GET", path }));
  },
  putNodeFile: onPair(({ node }) => ({ method: "POST", path: `${node}/files/startup.vpc`, body: SCRIPT })),
  listTemplates: again("GET", "/templates"),
  createTemplate: async (_send, count) => times(count, newTemplate),
  getTemplate: again("GET", `/templates/${VPCS}`),
  updateTemplate: async (send, count) => {
    const path = await makeTemplate(send);
    return times(count, () => ({ method: "PUT", path, body: json({ name: unique() }) }));
  },
  deleteTemplate: deleting(makeTemplate),
  duplicateTemplate: async (send, count) => {
    const path = `${await makeTemplate(send)}/duplicate`;
    return times(count, () => ({ method: "POST", path, body: "{}" }));
  },
  createNodeFromTemplate: post(`/templates/${VPCS}`, "project", json({ x: 0, y: 0, compute_id: "local" })),
  duplicateNode: post("/duplicate", "node", json({ x: 10, y: 10 })),
  resetConsole: post("/console/reset", "node"),
  resetAllConsoles: post("/nodes/console/reset", "project"),
  findIdlePc: get("/dynamips/auto_idlepc", "node"),
  listIdlePcs: get("/dynamips/idlepc_proposals", "node"),
  // Only labs with Linux nodes have runs that can be read.
  getRun: get("/runs/7a1f7d0e-64a1-4f0a-9a4e-3c1d2b9e5f60", "project"),
  getLabRun: again("GET", "/labs/run?run_id=7a1f7d0e-64a1-4f0a-9a4e-3c1d2b9e5f60"),
  resizeDisk: post("/resize_disk", "node", json({ drive_name: "hda", extend: 1024 })),
  listSymbols: again("GET", "/symbols"),
  defaultSymbols: again("GET", "/default_symbols"),
  getSymbolRaw: async (send, count) => {
    const path = `/symbols/${unique()}.svg/raw`;
    await send({ method: "POST", path, body: SVG });
    return times(count, () => ({ method: "GET", path }));
  },
  putSymbolRaw: async (_send, count) =>
    times(count, () => ({ method: "POST", path: `/symbols/${unique()}.svg/raw`, body: SVG })),
  deleteSymbolRaw: deleting(async (send) => {
    const path = `/symbols/${unique()}.svg/raw`;
    await send({ method: "POST", path, body: SVG });
    return path;
  }),
  getSymbolDimensions: again("GET", "/symbols/:/symbols/classic/router.svg/dimensions"),
  getSimVm: again("GET", "/simvm"),
  updateSimVm: changing(async () => "/simvm", "ram"),
  listEngines: again("GET", "/simvm/engines"),
  listVms: again("GET", "/simvm/engines/remote/vms"),
  getGns3Vm: again("GET", "/gns3vm"),
  updateGns3Vm: changing(async () => "/gns3vm", "ram"),
  listGns3VmEngines: again("GET", "/gns3vm/engines"),
  listGns3VmVms: again("GET", "/gns3vm/engines/remote/vms"),
  listComputes: again("GET", "/computes"),
  followService: again("GET", "/notifications"),
  followProject: async (send, count) => {
    const project = await makeProject(send);
    return times(count, () => ({ method: "GET", path: `${project}/notifications` }));
  },
  createCompute: async (_send, count) =>
    times(count, () => ({ method: "POST", path: "/computes", body: compute() })),
  getCompute: again("GET", "/computes/local"),
  updateCompute: changing(makeCompute, "port"),
  deleteCompute: deleting(makeCompute),
  getComputePorts: again("GET", "/computes/local/ports"),
  proposeIdlePc: again(
    "POST",
    "/computes/local/auto_idlepc",
    json({ platform: "c7200", image: "a.image", ram: 256 }),
  ),
  listImages: again("GET", "/computes/local/qemu/images"),
  readEmulator: again("GET", "/computes/local/network/interfaces"),
  postToEmulator: again("POST", "/computes/local/qemu/img"),
  putToEmulator: again("PUT", "/computes/local/qemu/img"),
  getEndpoint: async (send, count) => {
    const { compute_id } = await send({ method: "POST", path: "/computes", body: compute() });
    return times(count, () => ({ method: "GET", path: `/computes/endpoint/${compute_id}/qemu/images` }));
  },
  getLocalVersion: again("GET", "/compute/version"),
  getLocalCapabilities: again("GET", "/compute/capabilities"),
  createLocalProject: again("POST", "/compute/projects", json({ name: "announced" })),
  readLocalEmulator: again("GET", "/compute/docker/images"),
  postToLocalEmulator: again("POST", "/compute/qemu/img"),
  putToLocalEmulator: again("PUT", "/compute/qemu/img"),
  listAppliances: again("GET", "/appliances"),
  getIouLicense: again("GET", "/iou_license"),
  updateIouLicense: async (_send, count) =>
    times(count, () => ({ method: "PUT", path: "/iou_license", body: json({ iourc_content: unique() }) })),
  reload: again("POST", "/reload"),
  shutdown: again("POST", "/shutdown"),
  debug: again("POST", "/debug"),
  followServiceSocket: again("GET", "/notifications/ws"),
  followProjectSocket: again("GET", `/projects/${crypto.randomUUID()}/notifications/ws`),
  openConsoleSocket: again("GET", `/projects/${crypto.randomUUID()}/nodes/${crypto.randomUUID()}/console/ws`),
  getOpenApi: again("GET", "/openapi.json"),
  getDocs: again("GET", "/docs"),
  getDocsFile: again("GET", "/docs/swagger-ui-bundle.js"),
  getPage: again("GET", "/page"),
  getPageFile: again("GET", "/page/index.html"),
};

/** Routes that refuse every request of callers without credentials, as those of the measured stacks are. */
export const REFUSING: ReadonlySet<string> = new Set([
  "proposeIdlePc",
  "postToEmulator",
  "putToEmulator",
  "postToLocalEmulator",
  "putToLocalEmulator",
  "shutdown",
  "loadProject",
  "debug",
  "followServiceSocket",
  "followProjectSocket",
  "openConsoleSocket",
  "findIdlePc",
  "listIdlePcs",
  "resizeDisk",
  "getRun",
  "getLabRun",
  "issueToken",
  "putNamespace",
  "getNamespace",
  "deleteNamespace",
]);

/** Routes whose responses do not end by themselves, and those that refuse every request. */
export const NOT_MEASURED: ReadonlySet<string> = new Set([
  "streamPcap",
  "followService",
  "followProject",
  // A user has one running sweep; the recipes of the other routes start some.
  "startSweep",
  ...REFUSING,
]);
