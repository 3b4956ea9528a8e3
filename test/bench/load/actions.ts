/** Requests for every route of the service, with the expected results, as one connection sends them. */
import { unzipSync } from "fflate";
import { gns3Project } from "../../helpers/archives/gns3-project.ts";
import { parsePcapng } from "../../helpers/captures/pcapng.ts";
import { type Reply, wasCarriedOut } from "./caller.ts";
import { stopCapture as endCapture, isPc, removeLink, removeNode, stopAll, textOf } from "./lab-model.ts";
import { seenLink, seenNode, trafficIn } from "./own-lab.ts";
import { type Action, constant, SERVICE_ACTIONS } from "./service-actions.ts";
import { REPLAYED, REPLAYED_PACKETS } from "./shared.ts";
import type { Worker } from "./worker.ts";

const MOST_EXTRAS = 3;
const MOST_CAPTURES = 3;
const end = (node_id: string, port_number = 0) => ({ node_id, adapter_number: 0, port_number });
const keyed = (body: unknown) => ({ body, key: crypto.randomUUID() });

/** Picks a resource that all connections share, or one of the worker's own. */
const sharedOr =
  (route: string, own: Action): Action =>
  async (worker) => {
    const place = worker.shared.place(route);
    if (place === undefined || worker.random() < 0.6) return own(worker);
    return route === place.readRoute
      ? worker.shared.read(worker.caller, place)
      : worker.shared.write(worker.caller, place);
  };

const power =
  (route: string, verb: string, status: "started" | "stopped" | "suspended"): Action =>
  async (worker) => {
    const { lab } = worker;
    await start(worker);
    const node = worker.random() < 0.5 ? lab.pc1 : lab.pc2;
    const reply = await lab.change({
      route,
      method: "POST",
      path: `${lab.path}/nodes/${node}/${verb}`,
      status: 200,
      apply: (model) => {
        model.nodes[node]!.status = status;
      },
    });
    lab.expect(reply.json.status === status, () => `${route}: the node is ${reply.json.status}`);
  };

const powerAll =
  (route: string, verb: string, status: "started" | "stopped" | "suspended"): Action =>
  async (worker) => {
    if (verb !== "start") await start(worker);
    await worker.lab.change({
      route,
      method: "POST",
      path: `${worker.lab.path}/nodes/${verb}`,
      status: 204,
      apply: (model) => {
        for (const node of Object.values(model.nodes)) if (isPc(node)) node.status = status;
      },
    });
  };

const startAllNodes = powerAll("startAllNodes", "start", "started");

async function start(worker: Worker): Promise<void> {
  if (worker.lab.pcs.some(({ status }) => status !== "started")) await startAllNodes(worker);
}

const runningCapture = ({ lab }: Worker): string | null => lab.model.links[lab.link1]!.capture;

const startCapture: Action = async (worker) => {
  const { lab } = worker;
  if (runningCapture(worker) !== null) await stopCapture(worker);
  const stopped = Object.entries(lab.model.captures);
  if (stopped.length >= MOST_CAPTURES) await removeCapture(worker, stopped[0]![0]);
  const reply = await lab.change({
    route: "startCapture",
    method: "POST",
    path: `${lab.path}/links/${lab.link1}/start_capture`,
    ask: keyed({}),
    status: 201,
  });
  const { capture } = seenLink(reply.json);
  lab.expect(capture !== null, () => "startCapture: nothing runs");
  if (capture === null) return;
  lab.model.links[lab.link1]!.capture = capture;
  lab.model.captures[capture] = { link: lab.link1, status: "capturing" };
  lab.traffic[capture] = { echoes: 0, replayed: 0 };
};

const stopCapture: Action = async (worker) => {
  const { lab } = worker;
  if (runningCapture(worker) === null) await startCapture(worker);
  await lab.change({
    route: "stopCapture",
    method: "POST",
    path: `${lab.path}/links/${lab.link1}/stop_capture`,
    ask: { body: {} },
    status: 201,
    apply: (model) => endCapture(model, model.links[lab.link1]!),
  });
};

const removeCapture = ({ lab }: Worker, id: string): Promise<Reply> =>
  lab.change({
    route: "deleteCapture",
    method: "DELETE",
    path: `${lab.path}/links/${lab.model.captures[id]!.link}/captures/${id}`,
    status: 204,
    apply: (model) => {
      delete model.captures[id];
    },
  });

/** Returns a running capture of the lab and its path; starts one if there is none. */
async function someCapture(worker: Worker): Promise<{ id: string; path: string }> {
  const { lab } = worker;
  if (Object.keys(lab.model.captures).length === 0) {
    await startCapture(worker);
    await ping(worker);
  }
  const id = worker.pick(Object.keys(lab.model.captures));
  return { id, path: `${lab.path}/links/${lab.model.captures[id]!.link}/captures/${id}` };
}

const ping: Action = async (worker) => {
  const { lab } = worker;
  await start(worker);
  const reply = await lab.change({
    route: "runConsole",
    method: "POST",
    path: `${lab.path}/nodes/${lab.pc1}/console`,
    ask: keyed({ commands: ["ping 10.0.0.2 -c 2"] }),
    status: 200,
  });
  lab.carry({ echoes: 4 });
  if (reply.status !== 200) return;
  const answered = reply.json.output.match(/bytes from/g)?.length ?? 0;
  lab.expect(answered === 2, () => `runConsole: ${answered} of 2 answered\n${reply.json.output}`);
};

const createNode: Action = async (worker) => {
  const { lab } = worker;
  if (lab.extraNodes.length >= MOST_EXTRAS) await deleteNode(worker);
  const name = worker.fresh("X");
  const reply = await lab.change({
    route: "createNode",
    method: "POST",
    path: `${lab.path}/nodes`,
    ask: keyed({ name, node_type: "ethernet_hub", compute_id: "local" }),
    status: 201,
  });
  const node = seenNode(reply.json);
  lab.expect(textOf(node) === textOf({ name, status: "started", x: 0 }), () => `createNode: ${textOf(node)}`);
  lab.model.nodes[reply.json.node_id] = node;
};

const deleteNode: Action = async (worker) => {
  const { lab } = worker;
  if (lab.extraNodes.length === 0) await createNode(worker);
  const id = worker.pick(lab.extraNodes);
  await lab.change({
    route: "deleteNode",
    method: "DELETE",
    path: `${lab.path}/nodes/${id}`,
    status: 204,
    apply: (model) => removeNode(model, id),
  });
};

const createLink: Action = async (worker) => {
  const { lab } = worker;
  if (lab.extraLinks.length >= MOST_EXTRAS) await deleteLink(worker);
  const linked = new Set(Object.values(lab.model.links).flatMap(({ ends }) => ends));
  if (lab.extraNodes.every((id) => linked.has(id))) await createNode(worker);
  const hub = lab.extraNodes.find((id) => !linked.has(id));
  if (hub === undefined) {
    await createLink(worker);
    return;
  }
  const port = lab.freePort();
  const ends = [end(hub, 0), end(lab.switchId, port)];
  const reply = await lab.change({
    route: "createLink",
    method: "POST",
    path: `${lab.path}/links`,
    ask: keyed({ nodes: ends }),
    status: 201,
  });
  const link = seenLink(reply.json);
  lab.expect(textOf(link.ends) === textOf([hub, lab.switchId]), () => `createLink: ${textOf(link)}`);
  lab.model.links[reply.json.link_id] = link;
  lab.switchPorts[reply.json.link_id] = port;
};

const deleteLink: Action = async (worker) => {
  const { lab } = worker;
  if (lab.extraLinks.length === 0) await createLink(worker);
  const id = worker.pick(lab.extraLinks);
  await lab.change({
    route: "deleteLink",
    method: "DELETE",
    path: `${lab.path}/links/${id}`,
    status: 204,
    apply: (model) => removeLink(model, id),
  });
};

const closeProject: Action = async (worker) => {
  const { lab } = worker;
  const path = `${lab.path}/close`;
  const apply = (model: typeof lab.model): void => {
    model.status = "closed";
    stopAll(model);
  };
  await lab.change({ route: "closeProject", method: "POST", path, status: 204, apply });
  await lab.change({
    route: "openProject",
    method: "POST",
    path: `${lab.path}/open`,
    status: 201,
    apply: (model) => {
      model.status = "opened";
    },
  });
};

const temporaryProject: Action = async ({ lab, caller, fresh }) => {
  const name = fresh("temporary");
  const made = await caller.until("createProject", "POST", "/projects", keyed({ name }));
  lab.expect(
    made.status === 201 && made.json.name === name,
    () => `createProject: ${made.status} ${made.bytes}`,
  );
  if (made.status !== 201) return;
  const path = `/projects/${made.json.project_id}`;
  const gone = await caller.until("deleteProject", "DELETE", path);
  const isGone = gone.status === 204 || (gone.attempts > 1 && gone.status === 404);
  lab.expect(isGone, () => `deleteProject: ${gone.status} ${gone.bytes}`);
  const after = await caller.until("getProject", "GET", path);
  lab.expect(after.status === 404, () => `getProject of one that was deleted: ${after.status}`);
};

/** Creates, reads, changes, duplicates and deletes a template. */
const template: Action = async ({ lab, caller, fresh }) => {
  const name = fresh("template");
  const body = { name, template_type: "vpcs", compute_id: "local" };
  const made = await caller.until("createTemplate", "POST", "/templates", keyed(body));
  lab.expect(made.json.name === name, () => `createTemplate: ${made.status} ${made.bytes}`);
  const path = `/templates/${made.json.template_id}`;
  const put = { body: { category: "firewall" } };
  const changed = await caller.until("updateTemplate", "PUT", path, put);
  lab.expect(
    changed.json.category === "firewall",
    () => `updateTemplate: ${changed.status} ${changed.bytes}`,
  );
  const one = await lab.read("getTemplate", path);
  lab.expect(textOf(one.json) === textOf(changed.json), () => `getTemplate: ${one.bytes}`);
  const copy = await caller.until("duplicateTemplate", "POST", `${path}/duplicate`, keyed({}));
  const all = await lab.read("listTemplates", "/templates");
  const own = all.json.filter((each: { name: string }) => each.name === name).length;
  lab.expect(own === 2, () => `listTemplates: ${own} of two templates are there`);
  for (const id of [made.json.template_id, copy.json.template_id]) {
    const gone = await caller.until("deleteTemplate", "DELETE", `/templates/${id}`);
    const isGone = gone.status === 204 || (gone.attempts > 1 && gone.status === 404);
    lab.expect(isGone, () => `deleteTemplate: ${gone.status} ${gone.bytes}`);
  }
};

const VPCS = "19021f99-e36f-394d-b4a1-8aaa902ab9cc";

/** Makes a node from a template, and a copy of it, in a project that is deleted at once. */
const copies: Action = async ({ lab, caller, fresh }) => {
  const made = await caller.until("createProject", "POST", "/projects", keyed({ name: fresh("copies") }));
  const path = `/projects/${made.json.project_id}`;
  const place = { x: 0, y: 0 };
  const body = keyed({ ...place, compute_id: "local" });
  const first = await caller.until("createNodeFromTemplate", "POST", `${path}/templates/${VPCS}`, body);
  lab.expect(first.json.name === "PC1", () => `createNodeFromTemplate: ${first.status} ${first.bytes}`);
  const node = `${path}/nodes/${first.json.node_id}`;
  const second = await caller.until("duplicateNode", "POST", `${node}/duplicate`, keyed(place));
  lab.expect(second.json.name === "PC2", () => `duplicateNode: ${second.status} ${second.bytes}`);
  for (const [route, where] of [
    ["resetConsole", `${node}/console/reset`],
    ["resetAllConsoles", `${path}/nodes/console/reset`],
  ] as const) {
    const reply = await caller.until(route, "POST", where, { body: {} });
    lab.expect(reply.status === 204, () => `${route}: ${reply.status} ${reply.bytes}`);
  }
  const gone = await caller.until("deleteProject", "DELETE", path);
  const isGone = gone.status === 204 || (gone.attempts > 1 && gone.status === 404);
  lab.expect(isGone, () => `deleteProject: ${gone.status} ${gone.bytes}`);
};

/** Creates, reads, changes and deletes a drawing. */
const drawing: Action = async ({ lab, caller, count }) => {
  const drawings = `${lab.path}/drawings`;
  const svg = `<svg><text>${count()}</text></svg>`;
  const made = await caller.until("createDrawing", "POST", drawings, keyed({ svg }));
  lab.expect(made.json.svg === svg, () => `createDrawing: ${made.status} ${made.bytes}`);
  const path = `${drawings}/${made.json.drawing_id}`;
  const changed = await caller.until("updateDrawing", "PUT", path, { body: { x: 7 } });
  lab.expect(
    changed.status === 201 && changed.json.x === 7,
    () => `updateDrawing: ${changed.status} ${changed.bytes}`,
  );
  const one = await lab.read("getDrawing", path);
  const all = await lab.read("listDrawings", drawings);
  lab.expect(textOf(all.json) === textOf([one.json]), () => `listDrawings: ${all.bytes}`);
  lab.expect(one.json.svg === svg && one.json.x === 7, () => `getDrawing: ${one.bytes}`);
  const gone = await caller.until("deleteDrawing", "DELETE", path);
  const isGone = gone.status === 204 || (gone.attempts > 1 && gone.status === 404);
  lab.expect(isGone, () => `deleteDrawing: ${gone.status} ${gone.bytes}`);
};

/** Takes a snapshot, restores it and deletes it. */
const snapshot: Action = async (worker) => {
  const { lab, caller } = worker;
  const snapshots = `${lab.path}/snapshots`;
  const name = worker.fresh("snapshot");
  const made = await caller.until("createSnapshot", "POST", snapshots, keyed({ name }));
  lab.expect(made.status === 201, () => `createSnapshot: ${made.status} ${made.bytes}`);
  if (made.status !== 201) return;
  for (const [id, link] of Object.entries(lab.model.links)) {
    if (link.capture !== null) endCapture(lab.model, lab.model.links[id]!);
  }
  const path = `${snapshots}/${made.json.snapshot_id}`;
  const back = await caller.until("restoreSnapshot", "POST", `${path}/restore`, keyed({}));
  lab.expect(
    back.status === 201 || wasCarriedOut(back),
    () => `restoreSnapshot: ${back.status} ${back.bytes}`,
  );
  const { json } = await lab.read("listSnapshots", snapshots);
  const names = json.map((each: { name: string }) => each.name);
  lab.expect(textOf(names) === textOf([name]), () => `listSnapshots: ${textOf(names)}`);
  const gone = await caller.until("deleteSnapshot", "DELETE", path);
  const isGone = gone.status === 204 || (gone.attempts > 1 && gone.status === 404);
  lab.expect(isGone, () => `deleteSnapshot: ${gone.status} ${gone.bytes}`);
};

/** Deletes a PC with its link and captures, and brings them back: the lab is as it was. */
const deletion: Action = async ({ lab, caller }) => {
  const deletions = `${lab.path}/deletions`;
  const made = await caller.until("deleteParts", "POST", deletions, keyed({ nodes: [lab.pc1] }));
  lab.expect(made.status === 201, () => `deleteParts: ${made.status} ${made.bytes}`);
  if (made.status !== 201) return;
  const { deletion_id } = made.json;
  const { json } = await lab.read("listDeletions", deletions);
  const isListed = json.some((each: { deletion_id: string }) => each.deletion_id === deletion_id);
  lab.expect(isListed, () => `listDeletions: ${textOf(json)}`);
  const back = await caller.until("undoDeletion", "POST", `${deletions}/${deletion_id}/undo`, keyed({}));
  lab.expect(back.status === 201 || wasCarriedOut(back), () => `undoDeletion: ${back.status} ${back.bytes}`);
  const node = seenNode((await lab.read("getNode", `${lab.path}/nodes/${lab.pc1}`)).json);
  lab.expect(textOf(node) === textOf(lab.model.nodes[lab.pc1]), () => `undoDeletion: ${textOf(node)}`);
};

/** Duplicates the lab and deletes the copy. */
const duplicateProject: Action = async ({ lab, caller, fresh }) => {
  const name = fresh("copy");
  const made = await caller.until("duplicateProject", "POST", `${lab.path}/duplicate`, keyed({ name }));
  const isMade = made.status === 201 && made.json.name === name;
  lab.expect(isMade, () => `duplicateProject: ${made.status} ${made.bytes}`);
  if (!isMade) return;
  const path = `/projects/${made.json.project_id}`;
  const { json } = await lab.read("getProjectStats", `${path}/stats`);
  lab.expect(json.nodes === Object.keys(lab.model.nodes).length, () => `duplicateProject: ${textOf(json)}`);
  await caller.until("deleteProject", "DELETE", path);
};

const putSymbol: Action = async (worker) => {
  const { lab, caller } = worker;
  const width = 10 + Math.floor(worker.random() * 500);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="59"><circle r="${worker.count()}"/></svg>`;
  const reply = await caller.until("putSymbolRaw", "POST", worker.symbolPath, { raw: Buffer.from(svg) });
  lab.expect(reply.status === 204, () => `putSymbolRaw: ${reply.status} ${reply.bytes}`);
  worker.symbol = { svg, width };
};

/** Writes a file of the lab and returns its content. */
const putFile =
  (route: string, pathOf: (worker: Worker) => string): ((worker: Worker) => Promise<string>) =>
  async (worker) => {
    const { lab, caller } = worker;
    const content = `# ${worker.count()}\n`;
    const reply = await caller.until(route, "POST", pathOf(worker), { raw: Buffer.from(content) });
    lab.expect(reply.status === 201, () => `${route}: ${reply.status} ${reply.bytes}`);
    return content;
  };

const readme = ({ lab }: Worker): string => `${lab.path}/files/README.txt`;
const putProjectFile = putFile("putProjectFile", readme);
const script = ({ lab }: Worker): string => `${lab.path}/nodes/${lab.pc1}/files/notes.vpc`;
const putNodeFile = putFile("putNodeFile", script);

const createCompute: Action = async (worker) => {
  const { lab, caller } = worker;
  if (worker.compute) await deleteCompute(worker);
  const name = worker.fresh("compute");
  const body = { protocol: "http", host: "198.51.100.7", port: 1, name };
  const reply = await caller.until("createCompute", "POST", "/computes", keyed(body));
  lab.expect(
    reply.status === 201 && reply.json.name === name,
    () => `createCompute: ${reply.status} ${reply.bytes}`,
  );
  if (reply.status === 201) worker.compute = { id: reply.json.compute_id, name, port: 1 };
};

async function someCompute(worker: Worker): Promise<NonNullable<Worker["compute"]>> {
  if (worker.compute === undefined) await createCompute(worker);
  return worker.compute!;
}

const deleteCompute: Action = async (worker) => {
  const { lab, caller } = worker;
  const { id } = await someCompute(worker);
  const reply = await caller.until("deleteCompute", "DELETE", `/computes/${id}`);
  const isGone = reply.status === 204 || (reply.attempts > 1 && reply.status === 404);
  lab.expect(isGone, () => `deleteCompute: ${reply.status} ${reply.bytes}`);
  worker.compute = undefined;
};

/** Checks that the worker's own item is in a list that all users share. */
const isListed =
  (route: string, path: string, isOwn: (worker: Worker, each: Record<string, unknown>) => boolean): Action =>
  async (worker) => {
    if (path.includes("compute") || path.includes("vms")) await someCompute(worker);
    if (path === "/symbols" && worker.symbol === undefined) await putSymbol(worker);
    const { json } = await worker.lab.read(route, path);
    const own = json.filter((each: Record<string, unknown>) => isOwn(worker, each)).length;
    worker.lab.expect(own === 1, () => `${route}: what this connection has made is there ${own} times`);
  };

const isPing = (bytes: Buffer): boolean => bytes.toString().startsWith('{"action":"ping"');

export const ACTIONS: Readonly<Record<string, Action>> = {
  ...SERVICE_ACTIONS,
  getVersion: constant("getVersion", "/version"),
  getOpenApi: constant("getOpenApi", "/openapi.json"),
  getDocs: constant("getDocs", "/docs"),
  getDocsFile: constant("getDocsFile", "/docs/swagger-ui.css"),
  getPage: constant("getPage", "/page"),
  getPageFile: constant("getPageFile", "/page/index.html"),
  defaultSymbols: constant("defaultSymbols", "/default_symbols"),
  listEngines: constant("listEngines", "/simvm/engines"),
  getUsage: async ({ lab, shared }) => {
    const { labs } = shared;
    const { json } = await lab.read("getUsage", "/usage");
    lab.expect(json.projects >= labs, () => `getUsage: ${json.projects} projects of at least ${labs}`);
  },

  listProjects: isListed("listProjects", "/projects", ({ lab }, each) => each.project_id === lab.projectId),
  createProject: temporaryProject,
  deleteProject: temporaryProject,
  getProject: sharedOr("getProject", async ({ lab }) => {
    const { json } = await lab.read("getProject", lab.path);
    const { status, zoom } = lab.model;
    lab.expect(
      json.status === status && json.zoom === zoom,
      () => `getProject: ${json.status}, ${json.zoom}`,
    );
  }),
  updateProject: sharedOr("updateProject", async (worker) => {
    const { lab } = worker;
    const zoom = worker.count();
    const apply = (model: typeof lab.model): void => {
      model.zoom = zoom;
    };
    const change = { route: "updateProject", method: "PUT", path: lab.path, status: 200, apply } as const;
    const reply = await lab.change({ ...change, ask: { body: { zoom } } });
    lab.expect(reply.json.zoom === zoom, () => `updateProject: ${reply.json.zoom}, not ${zoom}`);
  }),
  openProject: closeProject,
  closeProject,
  getProjectStats: async ({ lab }) => {
    const { json } = await lab.read("getProjectStats", `${lab.path}/stats`);
    const [nodes, links] = [lab.model.nodes, lab.model.links].map((each) => Object.keys(each).length);
    lab.expect(json.nodes === nodes && json.links === links, () => `getProjectStats: ${textOf(json)}`);
  },

  listTemplates: template,
  createTemplate: template,
  getTemplate: template,
  updateTemplate: template,
  deleteTemplate: template,
  duplicateTemplate: template,
  createNodeFromTemplate: copies,
  duplicateNode: copies,
  resetConsole: copies,
  resetAllConsoles: copies,

  duplicateProject,
  listSnapshots: snapshot,
  createSnapshot: snapshot,
  deleteSnapshot: snapshot,
  restoreSnapshot: snapshot,
  listDeletions: deletion,
  deleteParts: deletion,
  undoDeletion: deletion,
  listDrawings: drawing,
  createDrawing: drawing,
  getDrawing: drawing,
  updateDrawing: drawing,
  deleteDrawing: drawing,

  listNodes: async ({ lab }) => {
    const { json } = await lab.read("listNodes", `${lab.path}/nodes`);
    const seen = Object.fromEntries(json.map((node: { node_id: string }) => [node.node_id, seenNode(node)]));
    lab.expect(textOf(seen) === textOf(lab.model.nodes), () => `listNodes: ${textOf(seen)}`);
  },
  createNode,
  getNode: sharedOr("getNode", async (worker) => {
    const { lab } = worker;
    const id = worker.pick(Object.keys(lab.model.nodes));
    const seen = seenNode((await lab.read("getNode", `${lab.path}/nodes/${id}`)).json);
    lab.expect(textOf(seen) === textOf(lab.model.nodes[id]), () => `getNode: ${textOf(seen)}`);
  }),
  updateNode: sharedOr("updateNode", async (worker) => {
    const { lab } = worker;
    const x = worker.count();
    const path = `${lab.path}/nodes/${lab.pc2}`;
    const apply = (model: typeof lab.model): void => {
      model.nodes[lab.pc2]!.x = x;
    };
    const reply = await lab.change({
      route: "updateNode",
      method: "PUT",
      path,
      ask: { body: { x } },
      status: 200,
      apply,
    });
    lab.expect(reply.json.x === x, () => `updateNode: ${reply.json.x}, not ${x}`);
  }),
  deleteNode,
  listNodeLinks: async ({ lab }) => {
    const { json } = await lab.read("listNodeLinks", `${lab.path}/nodes/${lab.pc1}/links`);
    const ids = json.map(({ link_id }: { link_id: string }) => link_id);
    lab.expect(textOf(ids) === textOf([lab.link1]), () => `listNodeLinks: ${ids}`);
  },
  getMacTable: async (worker) => {
    await ping(worker);
    const { lab } = worker;
    const { json } = await lab.read("getMacTable", `${lab.path}/nodes/${lab.switchId}/mac_table`);
    const ports = json.map(({ port_number }: { port_number: number }) => port_number).sort();
    lab.expect(textOf(ports) === "[0,1]", () => `getMacTable: ${textOf(json)}`);
  },
  getNodeState: async ({ lab }) => {
    const { json } = await lab.read("getNodeState", `${lab.path}/nodes/${lab.switchId}/state`);
    lab.expect(json.rstp === null && json.bundles.length === 0, () => `getNodeState: ${textOf(json)}`);
  },
  getStartup: async (worker) => {
    await ping(worker);
    const { lab } = worker;
    const { json } = await lab.read("getStartup", `${lab.path}/nodes/${lab.pc1}/startup`);
    const isOver = json.status === "done" && json.remaining.length === 0 && json.output.includes("10.0.0.1");
    lab.expect(isOver, () => `getStartup: ${textOf(json)}`);
  },
  startNode: power("startNode", "start", "started"),
  stopNode: power("stopNode", "stop", "stopped"),
  suspendNode: power("suspendNode", "suspend", "suspended"),
  reloadNode: power("reloadNode", "reload", "started"),
  startAllNodes,
  stopAllNodes: powerAll("stopAllNodes", "stop", "stopped"),
  suspendAllNodes: powerAll("suspendAllNodes", "suspend", "suspended"),
  reloadAllNodes: powerAll("reloadAllNodes", "reload", "started"),

  runConsole: ping,
  runLab: async (worker) => {
    const { lab } = worker;
    await start(worker);
    const consoles = [{ node_id: lab.pc1, commands: ["ping 10.0.0.2 -c 1"] }];
    const ask = keyed({ consoles, duration: 3 });
    const reply = await lab.change({
      route: "runLab",
      method: "POST",
      path: `${lab.path}/run`,
      ask,
      status: 200,
    });
    lab.carry({ echoes: 2 });
    if (reply.status !== 200) return;
    const { output } = reply.json.consoles[0];
    lab.expect(/bytes from/.test(output), () => `runLab: no answer\n${output}`);
  },
  replay: async (worker) => {
    const { lab } = worker;
    if (worker.random() < 0.3) return worker.shared.replay(worker.caller);
    const ask = { raw: REPLAYED, key: crypto.randomUUID(), accept: "application/json" };
    const path = `${lab.path}/links/${lab.link1}/replay`;
    const reply = await lab.change({ route: "replay", method: "POST", path, ask, status: 200 });
    lab.carry({ replayed: REPLAYED_PACKETS });
    if (reply.status !== 200) return;
    const { packets_in, packets_delivered } = reply.json;
    const all = packets_in === REPLAYED_PACKETS && packets_delivered === REPLAYED_PACKETS;
    lab.expect(all, () => `replay: ${packets_delivered} of ${packets_in}`);
  },

  listLinks: async ({ lab }) => {
    const { json } = await lab.read("listLinks", `${lab.path}/links`);
    const seen = Object.fromEntries(json.map((link: { link_id: string }) => [link.link_id, seenLink(link)]));
    lab.expect(textOf(seen) === textOf(lab.model.links), () => `listLinks: ${textOf(seen)}`);
  },
  listCounters: async ({ lab }) => {
    const { json } = await lab.read("listCounters", `${lab.path}/links/counters`);
    const ids = json.map((counted: { link_id: string }) => counted.link_id);
    const links = Object.keys(lab.model.links);
    lab.expect(textOf(ids.toSorted()) === textOf(links.toSorted()), () => `listCounters: ${textOf(ids)}`);
  },
  listImpairments: async ({ lab }) => {
    const { json } = await lab.read("listImpairments", `${lab.path}/links/impairments`);
    const seen = textOf(json);
    const all = [[], [{ link_id: lab.link2, impairments: { both: { delay: "1us" } } }]];
    lab.expect(all.map(textOf).includes(seen), () => `listImpairments: ${seen}`);
  },
  createLink,
  getLink: async (worker) => {
    const { lab } = worker;
    const id = worker.pick(Object.keys(lab.model.links));
    const seen = seenLink((await lab.read("getLink", `${lab.path}/links/${id}`)).json);
    lab.expect(textOf(seen) === textOf(lab.model.links[id]), () => `getLink: ${textOf(seen)}`);
  },
  updateLink: async (worker) => {
    const { lab } = worker;
    const delayMs = 1 + (worker.count() % 20);
    const path = `${lab.path}/links/${lab.link2}`;
    const apply = (model: typeof lab.model): void => {
      model.links[lab.link2]!.delayMs = delayMs;
    };
    const ask = { body: { filters: { delay: [delayMs] } } };
    const reply = await lab.change({ route: "updateLink", method: "PUT", path, ask, status: 201, apply });
    const seen = seenLink(reply.json).delayMs;
    lab.expect(seen === delayMs, () => `updateLink: ${seen}, not ${delayMs}`);
  },
  deleteLink,
  listAvailableFilters: async (worker) => {
    const { lab } = worker;
    await constant("listAvailableFilters", `${lab.path}/links/${lab.link1}/available_filters`)(worker);
  },
  putImpairments: async ({ lab }) => {
    const both = { delay: "1us" };
    const path = `${lab.path}/links/${lab.link2}/impairments`;
    const { json } = await lab.change({
      ...{ route: "putImpairments", method: "PUT", path, status: 200 },
      ask: { body: { both } },
      apply: () => {},
    });
    lab.expect(textOf(json) === textOf({ both }), () => `putImpairments: ${textOf(json)}`);
  },
  getImpairments: async ({ lab }) => {
    const { json } = await lab.read("getImpairments", `${lab.path}/links/${lab.link2}/impairments`);
    const seen = textOf(json);
    const isOne = seen === "{}" || seen === textOf({ both: { delay: "1us" } });
    lab.expect(isOne, () => `getImpairments: ${seen}`);
  },
  deleteImpairments: async ({ lab }) => {
    const path = `${lab.path}/links/${lab.link2}/impairments`;
    await lab.change({
      ...{ route: "deleteImpairments", method: "DELETE", path, status: 204 },
      ask: {},
      apply: () => {},
    });
  },
  startCapture,
  stopCapture,
  streamPcap: async (worker) => {
    const { lab } = worker;
    if (runningCapture(worker) === null) await startCapture(worker);
    const id = runningCapture(worker)!;
    const link = `${lab.path}/links/${lab.link1}`;
    const { json } = await lab.read("getCapture", `${link}/captures/${id}`);
    const { bytes } = await lab.read("streamPcap", `${link}/pcap`, { enoughBytes: json.bytes });
    lab.checkFile(id, bytes);
  },

  followService: async ({ lab }) => {
    const { bytes } = await lab.read("followService", "/notifications", { enoughBytes: 1 });
    lab.expect(isPing(bytes), () => `followService: ${bytes}`);
  },
  followProject: async ({ lab }) => {
    const { bytes } = await lab.read("followProject", `${lab.path}/notifications`, { enoughBytes: 1 });
    lab.expect(isPing(bytes), () => `followProject: ${bytes}`);
  },

  listCaptures: async ({ lab }) => {
    const { json } = await lab.read("listCaptures", `${lab.path}/links/${lab.link1}/captures`);
    const seen = json.map(({ capture_id, status }: Record<string, string>) => [capture_id, status]).sort();
    const own = Object.entries(lab.model.captures).filter(([, { link }]) => link === lab.link1);
    const wanted = own.map(([id, { status }]) => [id, status]).sort();
    lab.expect(textOf(seen) === textOf(wanted), () => `listCaptures: ${textOf(seen)}`);
  },
  getCapture: async (worker) => {
    const { id, path } = await someCapture(worker);
    const { json } = await worker.lab.read("getCapture", path);
    const { status } = worker.lab.model.captures[id]!;
    worker.lab.expect(json.status === status, () => `getCapture: ${json.status}, not ${status}`);
  },
  deleteCapture: async (worker) => {
    const stopped = (): string | undefined =>
      Object.entries(worker.lab.model.captures).find(([, { status }]) => status === "stopped")?.[0];
    if (stopped() === undefined) await stopCapture(worker);
    const id = stopped();
    if (id !== undefined) await removeCapture(worker, id);
  },
  downloadCapture: async (worker) => {
    const { id } = await someCapture(worker);
    await worker.lab.checkCapture(id, worker.lab.model.captures[id]!);
  },
  listPackets: async (worker) => {
    const { id, path } = await someCapture(worker);
    const { json } = await worker.lab.read("listPackets", `${path}/packets?filter=icmp&limit=1`);
    const { echoes } = worker.lab.traffic[id]!;
    worker.lab.expect(json.matched === echoes, () => `listPackets: ${json.matched} echoes, not ${echoes}`);
  },
  downloadPcapng: async (worker) => {
    const { lab } = worker;
    const { id } = await someCapture(worker);
    const { bytes } = await lab.read("downloadPcapng", `${lab.path}/pcapng?captures=${id}`);
    const found = textOf(trafficIn(parsePcapng(bytes).packets.map(({ data }) => data)));
    lab.expect(found === textOf(lab.traffic[id]), () => `downloadPcapng: ${found}`);
  },

  putProjectFile,
  getProjectFile: async (worker) => {
    const content = await putProjectFile(worker);
    const { bytes } = await worker.lab.read("getProjectFile", readme(worker));
    worker.lab.expect(bytes.toString() === content, () => `getProjectFile: ${bytes}`);
  },
  putNodeFile,
  getNodeFile: async (worker) => {
    const content = await putNodeFile(worker);
    const { bytes } = await worker.lab.read("getNodeFile", script(worker));
    worker.lab.expect(bytes.toString() === content, () => `getNodeFile: ${bytes}`);
  },

  importProject: async ({ lab, caller, fresh }) => {
    const path = `/projects/${crypto.randomUUID()}`;
    const raw = gns3Project((file) => {
      file.name = fresh("imported");
    });
    const once = () => caller.until("importProject", "POST", `${path}/import`, { raw });
    let made = await once();
    // An import that failed half-way, and could not remove its parts, leaves the project to the sweeper or to a DELETE.
    while (made.status === 409 && made.bytes.includes("project.deleting")) {
      await caller.until("deleteProject", "DELETE", path);
      made = await once();
    }
    lab.expect(made.status === 201, () => `importProject: ${made.status} ${made.bytes}`);
    const { json } = await caller.until("getProjectStats", "GET", `${path}/stats`);
    lab.expect(json.nodes === 3 && json.links === 2, () => `importProject: ${textOf(json)}`);
    await caller.until("deleteProject", "DELETE", path);
  },
  exportProject: async (worker) => {
    const content = await putProjectFile(worker);
    const { bytes } = await worker.lab.read("exportProject", `${worker.lab.path}/export`);
    const file = Buffer.from(unzipSync(bytes)["README.txt"] ?? []).toString();
    worker.lab.expect(file === content, () => `exportProject: ${file}`);
  },

  listSymbols: isListed("listSymbols", "/symbols", ({ symbolId }, each) => each.symbol_id === symbolId),
  putSymbolRaw: putSymbol,
  deleteSymbolRaw: async (worker) => {
    if (worker.symbol === undefined) await putSymbol(worker);
    const { lab, caller } = worker;
    const gone = await caller.until("deleteSymbolRaw", "DELETE", worker.symbolPath);
    const isGone = gone.status === 204 || (gone.attempts > 1 && gone.status === 404);
    lab.expect(isGone, () => `deleteSymbolRaw: ${gone.status} ${gone.bytes}`);
    worker.symbol = undefined;
    const after = await caller.until("getSymbolRaw", "GET", worker.symbolPath);
    lab.expect(after.status === 404, () => `getSymbolRaw of one that was deleted: ${after.status}`);
  },
  getSymbolRaw: async (worker) => {
    if (worker.symbol === undefined) await putSymbol(worker);
    const { bytes } = await worker.lab.read("getSymbolRaw", worker.symbolPath);
    worker.lab.expect(bytes.toString() === worker.symbol!.svg, () => `getSymbolRaw: ${bytes}`);
  },
  getSymbolDimensions: async (worker) => {
    if (worker.symbol === undefined) await putSymbol(worker);
    const path = worker.symbolPath.replace(/raw$/, "dimensions");
    const { json } = await worker.lab.read("getSymbolDimensions", path);
    worker.lab.expect(json.width === worker.symbol!.width, () => `getSymbolDimensions: ${textOf(json)}`);
  },

  listVms: isListed(
    "listVms",
    "/simvm/engines/remote/vms",
    ({ compute }, each) => each.vmname === compute!.name,
  ),
  listGns3VmVms: isListed(
    "listGns3VmVms",
    "/gns3vm/engines/remote/vms",
    ({ compute }, each) => each.vmname === compute!.name,
  ),
  listComputes: isListed("listComputes", "/computes", ({ compute }, each) => each.compute_id === compute!.id),
  createCompute,
  getCompute: async (worker) => {
    const { id, port } = await someCompute(worker);
    const { json } = await worker.lab.read("getCompute", `/computes/${id}`);
    worker.lab.expect(json.port === port, () => `getCompute: ${json.port}, not ${port}`);
  },
  updateCompute: async (worker) => {
    const compute = await someCompute(worker);
    const port = 1 + (worker.count() % 65_000);
    const reply = await worker.caller.until("updateCompute", "PUT", `/computes/${compute.id}`, {
      body: { port },
    });
    const isDone = reply.status === 200 && reply.json.port === port;
    worker.lab.expect(isDone, () => `updateCompute: ${reply.status} ${reply.bytes}`);
    compute.port = port;
  },
  deleteCompute,
};
