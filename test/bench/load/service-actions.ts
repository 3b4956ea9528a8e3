/** Requests for the routes of the service itself, of its computes' emulators, and for those that refuse every request. */
import type { Worker } from "./worker.ts";

export type Action = (worker: Worker) => Promise<unknown>;

/** Reads a resource that never changes: every response must be the same. */
export const constant =
  (route: string, path: string): Action =>
  async ({ lab, constants }) => {
    const { bytes } = await lab.read(route, path);
    const known = constants.get(route) ?? bytes;
    constants.set(route, known);
    lab.expect(known.equals(bytes), () => `${route} has changed`);
  };

/** Reads or writes settings that all connections share. */
const reading =
  (route: string): Action =>
  async ({ shared, caller }) =>
    shared.read(caller, shared.place(route)!);
const writing =
  (route: string): Action =>
  async ({ shared, caller }) =>
    shared.write(caller, shared.place(route)!);

interface Refused {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** @returns the path of the request. */
  readonly at: (worker: Worker) => string;
  readonly body?: unknown;
  readonly status: number;
  readonly code: string;
}

const refused =
  (route: string, { method, at, body = {}, status, code }: Refused): Action =>
  async (worker) => {
    const ask = method === "GET" || method === "DELETE" ? {} : { body };
    const reply = await worker.caller.until(route, method, at(worker), ask);
    const isRefused = reply.status === status && reply.json.code === code;
    worker.lab.expect(isRefused, () => `${route}: ${reply.status} ${reply.bytes}`);
  };

const notEmulated = (route: string, method: "POST" | "PUT", path: string, body?: unknown): Action =>
  refused(route, { method, at: () => path, body, status: 409, code: "compute.not-emulated" });
const notOfNode = (route: string, method: "GET" | "POST", suffix: string, body?: unknown): Action => {
  const at = ({ lab }: Worker): string => `${lab.path}/nodes/${lab.pc1}/${suffix}`;
  return refused(route, { method, at, body, status: 409, code: "node.type-not-emulated" });
};
const notLocal = (route: string, path: string, body?: unknown): Action =>
  refused(route, { method: "POST", at: () => path, body, status: 403, code: "server.not-local" });
const noUpgrade = (route: string, at: (worker: Worker) => string): Action =>
  refused(route, { method: "GET", at, status: 400, code: "request.no-upgrade" });

const noNamespace = (route: string, method: "GET" | "DELETE"): Action =>
  refused(route, { method, at: () => "/namespaces/none", status: 404, code: "namespace.not-found" });

/** Starts a sweep, unless another connection's still runs, reads it and stops it. */
const sweeping: Action = async ({ lab, caller }) => {
  const raw = Buffer.from(
    "nodes: {a: 10.0.0.1/24, b: 10.0.0.2/24}\nlinks: [a -- b]\nexpect: [reach: a -> b]",
  );
  const started = await caller.until("startSweep", "POST", "/labs/sweep?links=1", { raw });
  if (started.status === 409 && started.json.code === "sweep.running") return;
  const path = `/labs/sweep/${started.json.sweep_id}`;
  const { json, bytes } = await caller.until("getSweep", "GET", path);
  lab.expect(json.cases === 2, () => `getSweep: ${bytes}`);
  const stopped = await caller.until("cancelSweep", "DELETE", path);
  lab.expect(stopped.status === 204, () => `cancelSweep: ${stopped.status} ${stopped.bytes}`);
};

export const SERVICE_ACTIONS: Readonly<Record<string, Action>> = {
  checkVersion: async ({ lab, caller }) => {
    const { version } = (await lab.read("getVersion", "/version")).json;
    const reply = await caller.until("checkVersion", "POST", "/version", { body: { version } });
    const isSame = reply.status === 200 && reply.json.version === version;
    lab.expect(isSame, () => `checkVersion: ${reply.status} ${reply.bytes}`);
  },
  issueToken: async ({ lab, caller }) => {
    const { status, json, bytes } = await caller.until("issueToken", "POST", "/tokens");
    // A stack without passwords issues none.
    const isRight = status === 201 ? json.token !== "" : json.code === "token.not-issued";
    lab.expect(isRight, () => `issueToken: ${status} ${bytes}`);
  },
  listStatistics: async ({ lab }) => {
    const { json, bytes } = await lab.read("listStatistics", "/statistics");
    // The computes that others register do not answer.
    const isLocal = json.length === 1 && json[0].compute_id === "local";
    lab.expect(isLocal, () => `listStatistics: ${bytes}`);
  },

  runLabFile: async ({ lab, caller }) => {
    const raw = Buffer.from(
      "nodes: {a: 10.0.0.1/24, b: 10.0.0.2/24}\nlinks: [a -- b]\nexpect: [reach: a -> b]",
    );
    const reply = await caller.until("runLabFile", "POST", "/labs/run", { raw });
    lab.expect(reply.json.status === "passed", () => `runLabFile: ${reply.status} ${reply.bytes}`);
  },
  startSweep: sweeping,
  getSweep: sweeping,
  cancelSweep: sweeping,
  listAppliances: constant("listAppliances", "/appliances"),
  getIouLicense: reading("getIouLicense"),
  updateIouLicense: writing("updateIouLicense"),
  reload: async ({ lab, caller }) => {
    const reply = await caller.until("reload", "POST", "/reload", { body: {} });
    lab.expect(reply.status === 200, () => `reload: ${reply.status} ${reply.bytes}`);
  },
  shutdown: notLocal("shutdown", "/shutdown"),
  debug: notLocal("debug", "/debug"),
  loadProject: notLocal("loadProject", "/projects/load", { path: "/projects/lab.gns3" }),

  getGns3Vm: reading("getGns3Vm"),
  updateGns3Vm: writing("updateGns3Vm"),
  listGns3VmEngines: constant("listGns3VmEngines", "/gns3vm/engines"),

  getComputePorts: constant("getComputePorts", "/computes/local/ports"),
  proposeIdlePc: notEmulated("proposeIdlePc", "POST", "/computes/local/auto_idlepc", {
    platform: "c7200",
    image: "a.image",
    ram: 256,
  }),
  listImages: constant("listImages", "/computes/local/docker/images"),
  readEmulator: constant("readEmulator", "/computes/local/qemu/capabilities"),
  postToEmulator: notEmulated("postToEmulator", "POST", "/computes/local/qemu/img"),
  putToEmulator: notEmulated("putToEmulator", "PUT", "/computes/local/qemu/img"),
  getEndpoint: constant("getEndpoint", "/computes/endpoint/local/qemu/images"),
  getLocalVersion: constant("getLocalVersion", "/compute/version"),
  getLocalCapabilities: constant("getLocalCapabilities", "/compute/capabilities"),
  createLocalProject: async ({ lab, caller, fresh }) => {
    const body = { name: fresh("announced"), project_id: lab.projectId };
    const reply = await caller.until("createLocalProject", "POST", "/compute/projects", { body });
    const { name, project_id } = reply.json;
    const isSame = reply.status === 201 && name === body.name && project_id === body.project_id;
    lab.expect(isSame, () => `createLocalProject: ${reply.status} ${reply.bytes}`);
  },
  readLocalEmulator: constant("readLocalEmulator", "/compute/docker/images"),
  postToLocalEmulator: notEmulated("postToLocalEmulator", "POST", "/compute/qemu/img"),
  putToLocalEmulator: notEmulated("putToLocalEmulator", "PUT", "/compute/qemu/img"),

  putNamespace: async ({ lab, caller, fresh }) => {
    const reply = await caller.until("putNamespace", "PUT", `/namespaces/${fresh("pr")}`, { body: {} });
    // A stack without passwords has none.
    const isRight =
      reply.status === 200 ? reply.json.password !== "" : reply.json.code === "namespace.no-passwords";
    lab.expect(isRight, () => `putNamespace: ${reply.status} ${reply.bytes}`);
  },
  getNamespace: noNamespace("getNamespace", "GET"),
  deleteNamespace: noNamespace("deleteNamespace", "DELETE"),

  findIdlePc: notOfNode("findIdlePc", "GET", "dynamips/auto_idlepc"),
  listIdlePcs: notOfNode("listIdlePcs", "GET", "dynamips/idlepc_proposals"),
  getRun: refused("getRun", {
    method: "GET",
    at: ({ lab }) => `${lab.path}/runs/${crypto.randomUUID()}`,
    status: 404,
    code: "run.not-found",
  }),
  getLabRun: refused("getLabRun", {
    method: "GET",
    at: () => `/labs/run?run_id=${crypto.randomUUID()}`,
    status: 404,
    code: "run.not-found",
  }),
  resizeDisk: notOfNode("resizeDisk", "POST", "resize_disk", { drive_name: "hda", extend: 1024 }),

  followServiceSocket: noUpgrade("followServiceSocket", () => "/notifications/ws"),
  followProjectSocket: noUpgrade("followProjectSocket", ({ lab }) => `${lab.path}/notifications/ws`),
  openConsoleSocket: noUpgrade("openConsoleSocket", ({ lab }) => `${lab.path}/nodes/${lab.pc1}/console/ws`),

  getSimVm: reading("getSimVm"),
  updateSimVm: writing("updateSimVm"),
};
