import { COMPUTE_ERRORS } from "../shared/edge/compute-errors.ts";
import type { ErrorCode } from "../shared/edge/errors.ts";
import { defineGroup } from "../shared/edge/route.ts";
import { node } from "../shared/schemas/node.ts";
import {
  consoleRequest,
  consoleResult,
  labRunState,
  powerRequest,
  runReport,
  runRequest,
} from "../shared/schemas/run.ts";
import { RUN_BEGUN, RUN_HEADERS } from "../shared/schemas/run-headers.ts";

const PROJECT = "/projects/{project_id}";
const NODES = `${PROJECT}/nodes` as const;
const NODE = `${NODES}/{node_id}` as const;

const begun = { 202: RUN_BEGUN } as const;
const one = { 200: { description: "The node", schema: node, headers: RUN_HEADERS }, ...begun } as const;
const all = { 204: { description: "Done for every node", headers: RUN_HEADERS }, ...begun } as const;
const ignored = { kind: "ignored" } as const;
const chosen = { kind: "json", schema: powerRequest, ignoresOthers: true } as const;
const inProject = [
  "project.not-found",
  "project.not-opened",
  "lab.clock",
  "lab.clock-over",
  "quota.stored-bytes",
  "quota.user-stored-bytes",
  "node.no-linux-image",
  "node.linux-image-changed",
  "run.too-many-guests",
  "run.too-much-memory",
  "run.too-much-state",
  "run.no-room",
  "run.guests-failed",
] as const satisfies ErrorCode[];
const onNode = [...inProject, "node.not-found"] as const satisfies ErrorCode[];
const onCompute = [...COMPUTE_ERRORS, "compute.no-common-subnet"] as const satisfies ErrorCode[];
/** A start moves placeholders to computes. */
const moving = [...onCompute, "node.cannot-move"] as const satisfies ErrorCode[];

export const group = defineGroup({
  name: "runs",
  description: "Runs of labs in virtual time: consoles, scenarios, and power",
  routes: {
    runConsole: {
      method: "POST",
      path: `${NODE}/console`,
      paced: true,
      outlasts: true,
      idempotent: true,
      summary: "Type commands into a node's console",
      description:
        "The lab runs from its current state, in virtual time, until no event is left or a limit is reached. Returns the " +
        "transcript. Running captures record the packets of the run. On a node of a registered compute, the commands are typed in real " +
        "time, each when nothing has been printed for 1.5 s.",
      body: { kind: "json", schema: consoleRequest },
      responses: { 200: { description: "The transcript", schema: consoleResult }, ...begun },
      errors: [...onNode, "node.not-started", "node.no-console", "compute.console-closed", ...onCompute],
    },
    runLab: {
      method: "POST",
      path: `${PROJECT}/run`,
      paced: true,
      outlasts: true,
      idempotent: true,
      summary: "Run a scenario: several consoles and timed actions in one timeline",
      body: { kind: "json", schema: runRequest },
      responses: { 200: { description: "The report of the run", schema: runReport }, ...begun },
      errors: [
        ...onNode,
        "link.not-found",
        "node.no-console",
        "node.on-compute",
        "node.needs-compute",
        "node.port-not-wired",
        "run.not-a-capture",
      ],
    },
    getRun: {
      method: "GET",
      path: `${PROJECT}/runs/{run_id}`,
      summary: "Read how far a run of a lab with Linux nodes is, and its outcome",
      description: "A run can be read for a day, by the user who started it.",
      responses: { 200: { description: "The run", schema: labRunState } },
      errors: ["project.not-found", "run.not-found"],
    },
    startNode: {
      method: "POST",
      path: `${NODE}/start`,
      paced: true,
      outlasts: true,
      summary: "Start a node",
      description: "Runs the node's start-up script. Running captures record the packets.",
      body: ignored,
      responses: one,
      errors: [...onNode, ...moving, "node.needs-compute"],
    },
    stopNode: {
      method: "POST",
      path: `${NODE}/stop`,
      paced: true,
      outlasts: true,
      summary: "Stop a node and drop its unsaved state",
      description: "A stopped switch or hub forwards nothing until it is started.",
      body: ignored,
      responses: one,
      errors: [...onNode, ...onCompute],
    },
    suspendNode: {
      method: "POST",
      path: `${NODE}/suspend`,
      paced: true,
      outlasts: true,
      summary: "Suspend a started node: it keeps its state, and its ports neither send nor receive",
      description: "A suspended switch or hub forwards nothing until it is started.",
      body: ignored,
      responses: one,
      errors: [...onNode, ...onCompute],
    },
    reloadNode: {
      method: "POST",
      path: `${NODE}/reload`,
      paced: true,
      outlasts: true,
      summary: "Stop a node and start it again",
      body: ignored,
      responses: one,
      errors: [...onNode, ...moving, "node.needs-compute"],
    },
    startAllNodes: {
      method: "POST",
      path: `${NODES}/start`,
      paced: true,
      outlasts: true,
      summary: "Start all nodes at the same time",
      body: chosen,
      responses: all,
      errors: [...onNode, ...moving],
    },
    stopAllNodes: {
      method: "POST",
      path: `${NODES}/stop`,
      paced: true,
      outlasts: true,
      summary: "Stop all nodes except switches and hubs",
      body: chosen,
      responses: all,
      errors: [...onNode, ...onCompute],
    },
    suspendAllNodes: {
      method: "POST",
      path: `${NODES}/suspend`,
      paced: true,
      outlasts: true,
      summary: "Suspend all started nodes except switches and hubs",
      body: chosen,
      responses: all,
      errors: [...onNode, ...onCompute],
    },
    reloadAllNodes: {
      method: "POST",
      path: `${NODES}/reload`,
      paced: true,
      outlasts: true,
      summary: "Stop all nodes and start them again",
      body: chosen,
      responses: all,
      errors: [...onNode, ...moving],
    },
  },
});
