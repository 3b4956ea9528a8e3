/** Examples for the OpenAPI document: a lab of two PCs on a link with filters and a capture. */
import type * as z from "zod/mini";
import type { Examples } from "../shared/edge/openapi.ts";
import type { captureRequest } from "../shared/schemas/capture.ts";
import type { computeCreate, computeUpdate } from "../shared/schemas/compute.ts";
import type { deletionCreate } from "../shared/schemas/deletion.ts";
import type { drawingCreate, drawingUpdate } from "../shared/schemas/drawing.ts";
import type { computeProjectCreate, idlePcRequest } from "../shared/schemas/emulator.ts";
import type { impairments, linkCreate, linkUpdate } from "../shared/schemas/link.ts";
import type { namespaceRequest } from "../shared/schemas/namespace.ts";
import type { diskResize, nodeCreate, nodeDuplicate, nodeUpdate } from "../shared/schemas/node.ts";
import type {
  projectCreate,
  projectDuplicate,
  projectLoad,
  projectUpdate,
} from "../shared/schemas/project.ts";
import type { consoleRequest, powerRequest, runRequest } from "../shared/schemas/run.ts";
import type { iouLicenseUpdate } from "../shared/schemas/server.ts";
import type { simvmUpdate } from "../shared/schemas/simvm.ts";
import type { snapshotCreate } from "../shared/schemas/snapshot.ts";
import type { templateCreate, templateUpdate, templateUse } from "../shared/schemas/template.ts";
import type { versionCheck } from "../shared/schemas/version.ts";
import { LINK, PC1, PC2, PROJECT } from "./example-ids.ts";
import { NODE_PROPERTIES } from "./node-properties.ts";
import { SCHEMA_EXAMPLES } from "./schema-examples.ts";

/** The JSON bodies, by operation id. */
interface JsonBodies {
  readonly createProject: z.input<typeof projectCreate>;
  readonly updateProject: z.input<typeof projectUpdate>;
  readonly putNamespace: z.input<typeof namespaceRequest>;
  readonly createNode: z.input<typeof nodeCreate>;
  readonly updateNode: z.input<typeof nodeUpdate>;
  readonly duplicateNode: z.input<typeof nodeDuplicate>;
  readonly resizeDisk: z.input<typeof diskResize>;
  readonly createTemplate: z.input<typeof templateCreate>;
  readonly updateTemplate: z.input<typeof templateUpdate>;
  readonly createNodeFromTemplate: z.input<typeof templateUse>;
  readonly createLink: z.input<typeof linkCreate>;
  readonly updateLink: z.input<typeof linkUpdate>;
  readonly putImpairments: z.input<typeof impairments>;
  readonly duplicateProject: z.input<typeof projectDuplicate>;
  readonly loadProject: z.input<typeof projectLoad>;
  readonly createSnapshot: z.input<typeof snapshotCreate>;
  readonly deleteParts: z.input<typeof deletionCreate>;
  readonly createDrawing: z.input<typeof drawingCreate>;
  readonly updateDrawing: z.input<typeof drawingUpdate>;
  readonly startCapture: z.input<typeof captureRequest>;
  readonly runConsole: z.input<typeof consoleRequest>;
  readonly runLab: z.input<typeof runRequest>;
  readonly startAllNodes: z.input<typeof powerRequest>;
  readonly stopAllNodes: z.input<typeof powerRequest>;
  readonly suspendAllNodes: z.input<typeof powerRequest>;
  readonly reloadAllNodes: z.input<typeof powerRequest>;
  readonly createCompute: z.input<typeof computeCreate>;
  readonly updateCompute: z.input<typeof computeUpdate>;
  readonly updateSimVm: z.input<typeof simvmUpdate>;
  readonly updateGns3Vm: z.input<typeof simvmUpdate>;
  readonly checkVersion: z.input<typeof versionCheck>;
  readonly proposeIdlePc: z.input<typeof idlePcRequest>;
  readonly createLocalProject: z.input<typeof computeProjectCreate>;
  readonly updateIouLicense: z.input<typeof iouLicenseUpdate>;
}

const jsonBodies: JsonBodies = {
  createProject: {
    name: "first-lab",
    variables: [
      { name: "seed", value: "1" },
      { name: "clock", value: "2026-01-01T00:00:00Z" },
    ],
  },
  updateProject: { name: "second-lab", auto_start: true },
  putNamespace: { expires_at: "2026-12-08T00:00:00Z" },
  createNode: {
    name: "PC1",
    node_type: "vpcs",
    compute_id: "local",
    properties: { startup_script: "ip 10.0.0.1/24" },
  },
  updateNode: { name: "PC-A", x: -120, y: 40 },
  duplicateNode: { x: 50, y: 75 },
  resizeDisk: { drive_name: "hda", extend: 1024 },
  createTemplate: {
    name: "Office PC",
    template_type: "vpcs",
    compute_id: "local",
    default_name_format: "Office{0}",
    startup_script: "ip dhcp",
  },
  updateTemplate: { symbol: ":/symbols/classic/computer.svg", category: "guest" },
  createNodeFromTemplate: { x: -200, y: 0, compute_id: "local" },
  createLink: {
    nodes: [
      { node_id: PC1, adapter_number: 0, port_number: 0 },
      { node_id: PC2, adapter_number: 0, port_number: 0 },
    ],
    filters: { packet_loss: [10], delay: [50, 10] },
  },
  updateLink: { filters: { packet_loss: [25] }, suspend: false },
  putImpairments: SCHEMA_EXAMPLES.Impairments,
  duplicateProject: { name: "first-lab, changed" },
  loadProject: { path: "/projects/first-lab.gns3" },
  createSnapshot: { name: "before the change" },
  deleteParts: { nodes: [PC2] },
  createDrawing: {
    x: -150,
    y: -100,
    z: 0,
    svg: '<svg width="300" height="200"><rect width="300" height="200" fill="#eef4ff" stroke="#4466aa"/></svg>',
  },
  updateDrawing: { x: -160, rotation: 15, locked: true },
  startCapture: { capture_file_name: "first-lab.pcap", bpf: "icmp", max_packets: 1000 },
  runConsole: { commands: ["ping 10.0.0.2"] },
  runLab: {
    duration: 30,
    consoles: [{ node_id: PC1, commands: ["ping 10.0.0.2 -c 20"], at: 1 }],
    actions: [
      { action: "set_filters", at: 10, link_id: LINK, filters: { packet_loss: [50] } },
      { action: "set_impairments", at: 15, link_id: LINK, impairments: { both: { rate: "1mbit" } } },
      { action: "suspend_link", at: 20, link_id: LINK },
    ],
  },
  startAllNodes: {},
  stopAllNodes: {},
  suspendAllNodes: {},
  reloadAllNodes: { nodes: [PC1, PC2] },
  createCompute: {
    compute_id: "rack-1",
    name: "Rack 1",
    protocol: "https",
    host: "rack-1.example",
    port: 443,
  },
  updateCompute: { name: "Rack 1, row 2", port: 8443 },
  updateSimVm: { enable: false, ram: 4096, vcpus: 2 },
  updateGns3Vm: { enable: false, ram: 4096, vcpus: 2 },
  checkVersion: { version: "2.2.60" },
  proposeIdlePc: { platform: "c7200", image: "c7200.image", ram: 512 },
  createLocalProject: { name: "first-lab", project_id: PROJECT },
  updateIouLicense: { license_check: false },
};

export const EXAMPLES: Examples = {
  bodies: {
    ...Object.fromEntries(Object.entries(jsonBodies).map(([operation, value]) => [operation, { value }])),
    replay: { externalValue: "docs/arp-request.pcap" },
    putSymbolRaw: { externalValue: "docs/square.svg" },
    putProjectFile: { externalValue: "docs/square.svg" },
    importProject: { externalValue: "docs/first-lab.gns3project" },
    // Any bytes: an image.
    postToEmulator: { externalValue: "docs/square.svg" },
    putToEmulator: { externalValue: "docs/square.svg" },
    startSweep: { externalValue: "docs/first.lab.yaml" },
    runLabFile: { externalValue: "docs/first.lab.yaml" },
    putNodeFile: { externalValue: "docs/startup.vpc" },
  },
  schemas: { ...SCHEMA_EXAMPLES },
  described: NODE_PROPERTIES,
};
