/** Consoles and runs: commands for a lab, and their results. */
import * as z from "zod/mini";
import { cutOff } from "./cut-off.ts";
import { uuid } from "./ids.ts";
import { impairmentReport } from "./impairment-report.ts";
import { nodeStartup } from "./node.ts";

const MAX_COMMANDS = 256;
const MAX_LINE_CHARACTERS = 1_000;
const MAX_CONSOLES = 1_000;
const MAX_ACTIONS = 1_000;
/** One week; a setting of the stack may lower it. */
const MAX_LAB_SECONDS = 604_800;
/** Leaves space for the other fields, because a JSON body has at most 1 MiB. */
const MAX_PCAP_CHARACTERS = 1_000_000;

const commands = z
  .array(
    z.string().check(
      z.maxLength(MAX_LINE_CHARACTERS),
      z.refine((line) => !/[\r\n]/.test(line), "holds a line end; give one command a line"),
    ),
  )
  .check(z.minLength(1), z.maxLength(MAX_COMMANDS), z.describe("Lines to type; each waits for the prompt"));

const seconds = z.number().check(z.minimum(0), z.maximum(MAX_LAB_SECONDS));

const MAX_SWITCHED_NODES = 1_000;

/** Other fields are ignored: some clients send a body that means nothing. */
export const powerRequest = z
  .object({
    nodes: z
      .optional(z.array(uuid).check(z.minLength(1), z.maxLength(MAX_SWITCHED_NODES)))
      .check(z.describe("Switches these nodes; default: all nodes")),
  })
  .check(z.meta({ id: "PowerRequest" }));

export const consoleRequest = z.strictObject({ commands }).check(z.meta({ id: "ConsoleRequest" }));

const limitName = z.enum([
  "events",
  "packets",
  "captured_bytes",
  "bytes_in_flight",
  "output_characters",
  "lab_seconds",
  "cpu_seconds",
]);

/** Fields that every response about a run has. */
const outcome = {
  started_at: z.string().check(z.describe("Lab time of the run's start, RFC 3339 in UTC")),
  elapsed: z.number().check(z.describe("Duration of the run, in lab seconds")),
  limit: z.nullable(limitName).check(z.describe("The limit at which the run stopped")),
  unsettled: z
    .optional(z.string())
    .check(z.describe("Why the run has ended although a routing protocol still changed")),
  loop: z
    .nullable(z.array(z.string()))
    .check(
      z.describe("If the run stopped at a limit: names of the switches and hubs in which packets looped"),
    ),
  events: z.int(),
  digest: z.string().check(z.describe("Fingerprint of all events of the run; equal for equal runs")),
};

export const consoleResult = z
  .object({
    output: z.string().check(z.describe("The transcript: prompts, commands and their output")),
    stopped: z.enum(["idle", "limit"]),
    ...outcome,
  })
  .check(z.meta({ id: "ConsoleResult" }));
export type ConsoleResult = z.output<typeof consoleResult>;

const at = z._default(seconds, 0).check(z.describe("Lab seconds from the run's start"));
const filters = z
  .record(z.string(), z.unknown())
  .check(z.describe("Same form as a link's filters: numbers are integers, including percentages"));

const impairments = z
  .record(z.string(), z.unknown())
  .check(
    z.describe(
      "Same form as a link's impairments; `{}` removes them. Their schedule begins at the action's time",
    ),
  );

const action = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("set_filters"), at, link_id: uuid, filters }),
  z.strictObject({ action: z.literal("set_impairments"), at, link_id: uuid, impairments }),
  z.strictObject({ action: z.literal("suspend_link"), at, link_id: uuid }),
  z.strictObject({ action: z.literal("resume_link"), at, link_id: uuid }),
  ...(["start", "stop", "suspend", "reload"] as const).map((name) =>
    z.strictObject({ action: z.literal(name), at, node_id: uuid }),
  ),
  z.strictObject({
    action: z.literal("replay"),
    at,
    node_id: uuid.check(
      z.describe("The packets leave from a port of this node, as if its device had sent them"),
    ),
    port_number: z._default(z.int().check(z.minimum(0)), 0),
    pcap: z.base64().check(z.maxLength(MAX_PCAP_CHARACTERS), z.describe("A pcap or pcapng file in base64")),
  }),
]);
export type RunAction = z.output<typeof action>;

export const runRequest = z
  .strictObject({
    duration: z
      .optional(z.number().check(z.gt(0), z.maximum(MAX_LAB_SECONDS)))
      .check(z.describe("Lab seconds; if absent, the run ends when no event is left")),
    routing: z
      .optional(z.strictObject({ quiet: z.optional(seconds), limit: z.optional(seconds) }))
      .check(
        z.describe(
          "When a run without a duration ends in a lab with OSPF: `quiet` lab seconds (40) after the last change of routing, at most `limit` (600) after the last action",
        ),
      ),
    consoles: z._default(
      z.array(z.strictObject({ node_id: uuid, commands, at })).check(z.maxLength(MAX_CONSOLES)),
      [],
    ),
    actions: z._default(z.array(action).check(z.maxLength(MAX_ACTIONS)), []),
  })
  .check(z.meta({ id: "RunRequest" }));
export type RunRequest = z.output<typeof runRequest>;

const traffic = z.object({ packets: z.int(), bytes: z.int() });
const milliseconds = z.number();

const direction = z
  .object({
    from: uuid,
    to: z.nullable(uuid),
    in: traffic,
    delivered: traffic,
    dropped: traffic,
    corrupted: traffic,
    in_flight: traffic.check(z.describe("Packets in flight at the end of the run")),
    filters: z.record(z.string(), z.object({ seen: z.int(), dropped: z.int(), corrupted: z.int() })),
    impairments: z.optional(impairmentReport),
    delay_ms: z.nullable(
      z.object({
        min: milliseconds,
        mean: milliseconds,
        p50: milliseconds,
        p90: milliseconds,
        p99: milliseconds,
        max: milliseconds,
      }),
    ),
  })
  .check(z.meta({ id: "RunDirection" }));

export const runReport = z
  .object({
    stopped: z.enum(["idle", "duration", "limit"]),
    ...outcome,
    packets: z.int().check(z.describe("Packets that entered links")),
    seed: z.string(),
    consoles: z.array(
      z.object({
        node_id: uuid,
        name: z.string(),
        output: z.string(),
        status: z
          .enum(["done", "interrupted", "off"])
          .check(
            z.describe("`interrupted` if the run ended first; `off` if the node was off or was switched off"),
          ),
        started: z.nullable(z.number()).check(z.describe("Lab seconds from the run's start")),
        elapsed: z.nullable(z.number()),
      }),
    ),
    startups: z
      .array(nodeStartup)
      .check(
        z.describe("The nodes that ran part of their start-up script, sorted by name, with their progress"),
      ),
    replays: z
      .array(z.object({ action: z.int(), packets: z.int(), cut_off: cutOff }))
      .check(z.describe("The files of `replay` actions, each with the index of its action")),
    links: z
      .array(z.object({ link_id: uuid, directions: z.array(direction) }))
      .check(z.describe("The links that packets entered, in the order in which the run loaded them")),
  })
  .check(z.meta({ id: "RunReport" }));
export type RunReport = z.output<typeof runReport>;

export const labRunState = z
  .object({
    run_id: uuid,
    status: z.enum(["running", "finished", "failed"]),
    elapsed: z.number().check(z.describe("Lab seconds that have been simulated; written every two seconds")),
    answer: z
      .nullable(z.object({ status: z.int(), body: z.unknown() }))
      .check(z.describe("What the request would have returned, had the run ended in time")),
    error: z.nullable(z.object({ code: z.string(), message: z.string(), status: z.int() })),
  })
  .check(z.meta({ id: "LabRunState" }));
export type LabRunState = z.output<typeof labRunState>;
