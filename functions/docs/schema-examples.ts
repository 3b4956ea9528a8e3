/** Examples of responses, by the name of the schema: a lab of two PCs and one link, after a ping. */
import type * as z from "zod/mini";
import { localCapabilities } from "../shared/edge/local-compute.ts";
import type { capture } from "../shared/schemas/capture.ts";
import type { compute } from "../shared/schemas/compute.ts";
import type { deletion, undoneDeletion } from "../shared/schemas/deletion.ts";
import type { drawing } from "../shared/schemas/drawing.ts";
import type { capabilities, computePorts, computeProject, endpoint } from "../shared/schemas/emulator.ts";
import type { labReport } from "../shared/schemas/lab-report.ts";
import type { labSweep, labSweepStart } from "../shared/schemas/lab-sweep.ts";
import type {
  filterDescriptor,
  impairments,
  link,
  linkCounters,
  linkImpairments,
} from "../shared/schemas/link.ts";
import type { macTableEntry, node, startup } from "../shared/schemas/node.ts";
import type { capturedPacket } from "../shared/schemas/packet.ts";
import type { project, projectStats } from "../shared/schemas/project.ts";
import type { routerState } from "../shared/schemas/router-state.ts";
import type { consoleResult, LabRunState, runReport } from "../shared/schemas/run.ts";
import { IOU_LICENSE_DEFAULTS, type iouLicense } from "../shared/schemas/server.ts";
import { type engine, SIMVM_DEFAULTS, type simvm } from "../shared/schemas/simvm.ts";
import type { snapshot } from "../shared/schemas/snapshot.ts";
import type { computeStatistics, usage } from "../shared/schemas/statistics.ts";
import type { switchState } from "../shared/schemas/switch-state.ts";
import type { dimensions, symbol } from "../shared/schemas/symbol.ts";
import type { template } from "../shared/schemas/template.ts";
import type { sameVersion, version } from "../shared/schemas/version.ts";
import { CAPTURE, DELETION, DRAWING, LINK, PC1, PC2, PROJECT, SNAPSHOT, TEMPLATE } from "./example-ids.ts";

interface SchemaExamples {
  readonly Capture: z.output<typeof capture>;
  readonly CapturedPacket: z.output<typeof capturedPacket>;
  readonly Compute: z.output<typeof compute>;
  readonly Capabilities: z.output<typeof capabilities>;
  readonly ComputePorts: z.output<typeof computePorts>;
  readonly ComputeProject: z.output<typeof computeProject>;
  readonly LabRunState: LabRunState;
  readonly LabSweep: z.output<typeof labSweep>;
  readonly LabSweepStart: z.output<typeof labSweepStart>;
  readonly LabReport: z.output<typeof labReport>;
  readonly LabVerdict: z.output<typeof labReport>["verdicts"][number];
  readonly Endpoint: z.output<typeof endpoint>;
  readonly IouLicense: z.output<typeof iouLicense>;
  readonly SameVersion: z.output<typeof sameVersion>;
  readonly Version: z.output<typeof version>;
  readonly ComputeStatistics: z.output<typeof computeStatistics>;
  readonly ConsoleResult: z.output<typeof consoleResult>;
  readonly Dimensions: z.output<typeof dimensions>;
  readonly Drawing: z.output<typeof drawing>;
  readonly FilterDescriptor: z.output<typeof filterDescriptor>;
  readonly Impairments: z.input<typeof impairments>;
  readonly Link: z.output<typeof link>;
  readonly LinkCounters: z.output<typeof linkCounters>;
  readonly LinkImpairments: z.output<typeof linkImpairments>;
  readonly MacTableEntry: z.output<typeof macTableEntry>;
  readonly Node: z.output<typeof node>;
  readonly Project: z.output<typeof project>;
  readonly ProjectStats: z.output<typeof projectStats>;
  readonly RunReport: z.output<typeof runReport>;
  readonly SimVm: z.output<typeof simvm>;
  readonly SimVmEngine: z.output<typeof engine>;
  readonly Snapshot: z.output<typeof snapshot>;
  readonly Deletion: z.output<typeof deletion>;
  readonly UndoneDeletion: z.output<typeof undoneDeletion>;
  readonly RouterState: z.output<typeof routerState>;
  readonly SwitchState: z.output<typeof switchState>;
  readonly Startup: z.output<typeof startup>;
  readonly Usage: z.output<typeof usage>;
  readonly Template: z.output<typeof template>;
  readonly Symbol: z.output<typeof symbol>;
}

const FILE = "PC1_0-0_to_PC2_0-0.pcap";
const FILE_PATH = `s3://wirelab-data/captures/${PROJECT}/${CAPTURE}/${FILE}`;
const NO_TRAFFIC = { packets: 0, bytes: 0 };
const linkEnd = (node_id: string) => ({ node_id, adapter_number: 0, port_number: 0, label: { text: "0/0" } });

const LAB_VERDICT: z.output<typeof labReport>["verdicts"][number] = {
  name: "reach: pc1 -> pc2",
  kind: "reach",
  status: "failed",
  expected: "a reply in 3 tries",
  got: "no reply",
  place: { line: 8, column: 5 },
  evidence: {
    packets: [
      {
        at: 2.00015,
        link: "pc1-r1",
        from: "pc1",
        to: "r1",
        summary: "10.0.1.1 > 10.0.2.1 ICMP Echo request id=0x08b9 seq=1 ttl=64",
        fate: "arrived; r1 discards it: no route",
      },
    ],
    death: { where: "r1", why: "no route", at: 2.00015 },
  },
};

const CAPABILITIES: SchemaExamples["Capabilities"] = { ...localCapabilities(), version: "2.2.60" };

export const SCHEMA_EXAMPLES: SchemaExamples = {
  Template: {
    template_id: TEMPLATE,
    template_type: "vpcs",
    name: "VPCS",
    compute_id: null,
    builtin: true,
    category: "guest",
    default_name_format: "PC{0}",
    symbol: ":/symbols/vpcs_guest.svg",
    properties: { base_script_file: "vpcs_base_config.txt" },
  },
  Snapshot: {
    snapshot_id: SNAPSHOT,
    project_id: PROJECT,
    name: "before the change",
    created_at: 1767225600,
    description: "Snapshot 'before the change' taken on 2026-01-01 at 00:00:00",
    filename: "before the change.gns3snapshot",
  },
  Deletion: {
    deletion_id: DELETION,
    project_id: PROJECT,
    created_at: "2026-01-01T00:00:00.000Z",
    expires_at: "2026-01-01T01:00:00.000Z",
    nodes: [{ node_id: PC2, name: "PC2" }],
    links: [LINK],
    drawings: [],
    captures: 1,
  },
  UndoneDeletion: { nodes: [], links: [], drawings: [] },
  Drawing: {
    drawing_id: DRAWING,
    project_id: PROJECT,
    x: -150,
    y: -100,
    z: 0,
    rotation: 0,
    locked: false,
    svg: '<svg width="300" height="200"><rect width="300" height="200" fill="#eef4ff" stroke="#4466aa"/></svg>',
  },
  Project: {
    project_id: PROJECT,
    name: "first-lab",
    status: "opened",
    owner: "admin",
    shared_with: [],
    expires_at: null,
    variables: [
      { name: "seed", value: "1" },
      { name: "clock", value: "2026-01-01T00:00:00Z" },
    ],
    filename: "first-lab.gns3",
    path: `/projects/${PROJECT}`,
    supplier: null,
    auto_close: true,
    auto_open: false,
    auto_start: false,
    drawing_grid_size: 25,
    grid_size: 75,
    scene_height: 1000,
    scene_width: 2000,
    show_grid: false,
    show_interface_labels: false,
    show_layers: false,
    snap_to_grid: false,
    zoom: 100,
  },
  ProjectStats: { drawings: 0, links: 1, nodes: 2, snapshots: 0 },
  Node: {
    project_id: PROJECT,
    node_id: PC1,
    name: "PC1",
    node_type: "vpcs",
    status: "started",
    compute_id: "local",
    properties: { startup_script: "ip 10.0.0.1/24" },
    ports: [
      {
        adapter_number: 0,
        port_number: 0,
        name: "Ethernet0",
        short_name: "e0",
        link_type: "ethernet",
        data_link_types: { Ethernet: "DLT_EN10MB" },
      },
    ],
    command_line: null,
    console: 5000,
    console_auto_start: false,
    console_host: "127.0.0.1",
    console_type: "telnet",
    custom_adapters: [],
    first_port_name: null,
    height: 59,
    label: { rotation: 0, style: null, text: "PC1", x: null, y: -40 },
    locked: false,
    node_directory: null,
    port_name_format: "Ethernet{0}",
    port_segment_size: 0,
    symbol: ":/symbols/computer.svg",
    template_id: null,
    width: 65,
    x: 0,
    y: 0,
    z: 1,
  },
  SwitchState: {
    rstp: {
      bridge: "32768.02:5f:3a:11:02:00",
      root: "4096.02:91:0c:77:d4:00",
      root_path_cost: 20_000,
      root_port: 1,
      ports: [
        {
          port: 1,
          role: "root",
          state: "forwarding",
          is_edge: false,
          is_shut: false,
          protocol: "rstp",
          cost: 20_000,
          designated_bridge: "4096.02:91:0c:77:d4:00",
          designated_port: 32_770,
        },
      ],
    },
    bundles: [],
    lldp_neighbours: [
      {
        port: 1,
        chassis: "02:91:0c:77:d4:00",
        chassis_kind: "mac",
        neighbour_port: "Ethernet1",
        neighbour_port_kind: "name",
        port_description: "Port 1 of SW1",
        system_name: "SW1",
        capabilities: ["bridge"],
        enabled_capabilities: ["bridge"],
        ttl: 112.5,
      },
    ],
    igmp_snooping: null,
    mld_snooping: null,
    mirror: null,
    storm_control: [{ port: 0, kind: "broadcast", limit: 100, drops: 12 }],
    static_macs: [],
  },
  RouterState: {
    vxlan: [
      {
        name: "vxlan10",
        vni: 10,
        local: "192.0.2.1",
        remotes: ["198.51.100.1"],
        members: ["Ethernet1"],
        macs: [
          { mac: "00:50:79:66:68:00", interface: "Ethernet1", age: 2.5 },
          { mac: "00:50:79:66:68:01", remote: "198.51.100.1", age: 2 },
        ],
      },
    ],
  },
  MacTableEntry: { vlan: 1, mac: "00:50:79:66:68:00", port_number: 0, port_name: "Ethernet0", age: 2.5 },
  Startup: {
    status: "done",
    output:
      "\nExecuting the startup file\n\nChecking for duplicate address...\nPC1 : 10.0.0.1 255.255.255.0\n",
    remaining: [],
  },
  Impairments: {
    both: { delay: "20ms", loss: "0.5%" },
    a_to_b: { rate: "10mbit", queue: { limit: 100 } },
  },
  Link: {
    project_id: PROJECT,
    link_id: LINK,
    link_type: "ethernet",
    nodes: [linkEnd(PC1), linkEnd(PC2)],
    filters: { packet_loss: [10], delay: [50, 10] },
    suspend: false,
    link_style: {},
    capturing: true,
    capture_file_name: FILE,
    capture_file_path: FILE_PATH,
    capture_compute_id: "local",
  },
  LinkCounters: {
    link_id: LINK,
    a_to_b: {
      in: { packets: 6, bytes: 528 },
      delivered: { packets: 5, bytes: 430 },
      dropped: { packets: 1, bytes: 98 },
    },
    b_to_a: {
      in: { packets: 5, bytes: 434 },
      delivered: { packets: 5, bytes: 434 },
      dropped: { packets: 0, bytes: 0 },
    },
  },
  LinkImpairments: { link_id: LINK, impairments: { both: { delay: "20ms", loss: "0.5%" } } },
  FilterDescriptor: {
    type: "packet_loss",
    name: "Packet loss",
    description: "Drops each packet with the given chance.",
    parameters: [{ name: "Chance", type: "int", minimum: 0, maximum: 100, unit: "%" }],
  },
  Capture: {
    capture_id: CAPTURE,
    project_id: PROJECT,
    link_id: LINK,
    capture_file_name: FILE,
    capture_file_path: FILE_PATH,
    capture_compute_id: "local",
    data_link_type: "DLT_EN10MB",
    bpf: null,
    max_packets: null,
    max_bytes: null,
    snaplen: 65_535,
    tap: "after",
    limit_reached: false,
    status: "stopped",
    packets: 16,
    bytes: 1536,
    started_at: "2026-01-01T09:30:00.000Z",
    stopped_at: "2026-01-01T09:31:00.000Z",
  },
  CapturedPacket: {
    number: 10,
    time: "2026-01-01T00:00:03.150466Z",
    relative_s: 3.108523,
    length: 98,
    captured_length: 98,
    source: "10.0.0.1",
    target: "10.0.0.2",
    source_mac: "00:50:79:66:68:00",
    target_mac: "00:50:79:66:68:01",
    vlan: null,
    protocol: "ICMP",
    source_port: null,
    target_port: null,
    info: "Echo request id=0x03b9 seq=1 ttl=64",
  },
  ConsoleResult: {
    output:
      "PC1> ping 10.0.0.2 -c 2\n\n84 bytes from 10.0.0.2 icmp_seq=1 ttl=64 time=104.225 ms\n" +
      "84 bytes from 10.0.0.2 icmp_seq=2 ttl=64 time=109.557 ms\n\nPC1> ",
    stopped: "idle",
    started_at: "2026-01-01T00:00:03.000000000Z",
    elapsed: 2.312863,
    limit: null,
    loop: null,
    events: 10,
    digest: "a1c0ee6fe5ef4eb4",
  },
  RunReport: {
    started_at: "2026-01-01T00:00:05.312863000Z",
    elapsed: 30,
    stopped: "duration",
    limit: null,
    loop: null,
    events: 8,
    digest: "1adfec384d40f5f5",
    packets: 4,
    seed: "1",
    consoles: [
      {
        node_id: PC1,
        name: "PC1",
        output:
          "PC1> ping 10.0.0.2 -c 2\n\n84 bytes from 10.0.0.2 icmp_seq=1 ttl=64 time=110.473 ms\n" +
          "10.0.0.2 icmp_seq=2 timeout\n\nPC1> ",
        status: "done",
        started: 1,
        elapsed: 3.110473,
      },
    ],
    startups: [],
    replays: [],
    links: [
      {
        link_id: LINK,
        directions: [
          {
            from: PC1,
            to: PC2,
            in: { packets: 2, bytes: 196 },
            delivered: { packets: 2, bytes: 196 },
            dropped: NO_TRAFFIC,
            corrupted: NO_TRAFFIC,
            in_flight: NO_TRAFFIC,
            filters: { packet_loss: { seen: 2, dropped: 0, corrupted: 0 } },
            delay_ms: { min: 43.872, mean: 49.8505, p50: 43.872, p90: 55.829, p99: 55.829, max: 55.829 },
          },
          {
            from: PC2,
            to: PC1,
            in: { packets: 2, bytes: 196 },
            delivered: { packets: 1, bytes: 98 },
            dropped: { packets: 1, bytes: 98 },
            corrupted: NO_TRAFFIC,
            in_flight: NO_TRAFFIC,
            filters: { packet_loss: { seen: 2, dropped: 1, corrupted: 0 } },
            delay_ms: { min: 54.444, mean: 54.444, p50: 54.444, p90: 54.444, p99: 54.444, max: 54.444 },
          },
        ],
      },
    ],
  },
  Compute: {
    compute_id: "local",
    name: "Wirelab",
    protocol: "http",
    host: "127.0.0.1",
    port: 3080,
    user: null,
    connected: true,
    cpu_usage_percent: null,
    memory_usage_percent: null,
    last_error: null,
    capabilities: CAPABILITIES,
  },
  SimVm: SIMVM_DEFAULTS,
  SimVmEngine: {
    engine_id: "remote",
    name: "Remote",
    description: "Uses a registered compute as the helper virtual machine",
    support_when_exit: false,
    support_headless: false,
    support_ram: false,
  },
  Capabilities: CAPABILITIES,
  ComputePorts: {
    console_port_range: [5000, 10_000],
    console_ports: [],
    udp_port_range: [20_000, 30_000],
    udp_ports: [],
  },
  ComputeProject: { name: "first-lab", project_id: PROJECT, variables: null },
  Endpoint: { endpoint: "http://127.0.0.1:3080/v2/compute/qemu/images" },
  IouLicense: IOU_LICENSE_DEFAULTS,
  SameVersion: { version: "2.2.60" },
  Version: { local: false, version: "2.2.60", wirelab: "0.1.0" },
  ComputeStatistics: {
    compute_id: "local",
    compute_name: "Wirelab",
    statistics: {
      memory_total: 536_870_912,
      memory_free: 402_653_184,
      memory_used: 134_217_728,
      swap_total: 0,
      swap_free: 0,
      swap_used: 0,
      cpu_usage_percent: 12,
      memory_usage_percent: 25,
      swap_usage_percent: 0,
      disk_usage_percent: 1,
      load_average_percent: [12, 9, 4],
    },
  },
  LabVerdict: LAB_VERDICT,
  LabRunState: {
    run_id: "7a1f7d0e-64a1-4f0a-9a4e-3c1d2b9e5f60",
    status: "running",
    elapsed: 12.5,
    answer: null,
    error: null,
  },
  LabSweepStart: { sweep_id: "1f4c5a8e-6d0b-4c1f-9a57-3e2b8f7c9d10", cases: 11 },
  LabSweep: {
    sweep_id: "1f4c5a8e-6d0b-4c1f-9a57-3e2b8f7c9d10",
    status: "finished",
    error: null,
    cases: 11,
    done: 11,
    passed: 10,
    failed: 1,
    undecided: 0,
    failing: [
      {
        failures: ["link:wan"],
        seed: "1",
        status: "failed",
        verdicts: [{ name: "reach pc1 -> pc2", status: "failed", expected: "a reply", got: "no reply" }],
      },
    ],
  },
  LabReport: {
    name: "lab",
    seed: "1",
    status: "failed",
    verdicts: [LAB_VERDICT],
    boot_seconds: 3,
    lab_seconds: 0,
    events: 12,
    packets: 4,
    digest: "4a1c0f5be2d95a7700c1f3a9e0b7d644",
    fingerprint: "9b21c07d64e5f318",
    limit: null,
    loop: null,
    transcripts: [],
    links: [
      {
        link: "pc1-r1",
        from: "pc1",
        to: "r1",
        entered: 2,
        delivered: 2,
        dropped: 0,
        corrupted: 0,
        in_flight: 0,
        delivered_bytes: 128,
      },
    ],
  },
  Usage: {
    projects: 2,
    nodes: 2,
    links: 1,
    captures: 1,
    running_captures: 1,
    stored_bytes: 1512,
    symbols: 0,
    symbol_bytes: 0,
    runs: 3,
    complete: true,
  },
  Symbol: {
    builtin: true,
    filename: "computer.svg",
    symbol_id: ":/symbols/classic/computer.svg",
    theme: "Classic",
  },
  Dimensions: { height: 59, width: 65 },
};
