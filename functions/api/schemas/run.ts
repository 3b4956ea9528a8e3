/** Consoles and runs: commands into a lab, and what happened. */
import * as z from "zod";
import { uuid } from "./ids.ts";

const MAX_COMMANDS = 256;
const MAX_LINE_CHARACTERS = 1_000;
const MAX_CONSOLES = 1_000;
const MAX_ACTIONS = 1_000;
/** A week; what the stack allows may be less. */
const MAX_LAB_SECONDS = 604_800;
/** A JSON body is at most 1 MiB, and there is more in it. */
const MAX_PCAP_CHARACTERS = 1_000_000;

const commands = z
  .array(
    z
      .string()
      .max(MAX_LINE_CHARACTERS)
      .refine((line) => !/[\r\n]/.test(line), "holds a line end; give one command a line"),
  )
  .min(1)
  .max(MAX_COMMANDS)
  .describe("Lines to type, each once the prompt is back");

const seconds = z.number().min(0).max(MAX_LAB_SECONDS);

export const consoleRequest = z.strictObject({ commands }).meta({ id: "ConsoleRequest" });

const limitName = z.enum([
  "events",
  "packets",
  "captured_bytes",
  "output_characters",
  "lab_seconds",
  "cpu_seconds",
]);

/** What every answer about a run tells. */
const outcome = {
  started_at: z.string().describe("Lab time of the run's start, RFC 3339 in UTC"),
  elapsed: z.number().describe("Lab seconds that the run took"),
  limit: limitName.nullable().describe("The limit at which the run stopped"),
  loop: z
    .array(z.string())
    .nullable()
    .describe("Names of the switches and hubs in which a storm went round, when the run stopped at a limit"),
  events: z.int(),
  digest: z.string().describe("Fingerprint of everything that happened; equal for equal runs"),
};

export const consoleResult = z
  .object({
    output: z.string().describe("The transcript: prompts, commands and what they printed"),
    stopped: z.enum(["idle", "limit"]),
    ...outcome,
  })
  .meta({ id: "ConsoleResult" });

const at = seconds.default(0).describe("Lab seconds from the run's start");
const filters = z.record(z.string(), z.unknown());

const action = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("set_filters"), at, link_id: uuid, filters }),
  z.strictObject({ action: z.literal("suspend_link"), at, link_id: uuid }),
  z.strictObject({ action: z.literal("resume_link"), at, link_id: uuid }),
  ...(["start", "stop", "suspend", "reload"] as const).map((name) =>
    z.strictObject({ action: z.literal(name), at, node_id: uuid }),
  ),
  z.strictObject({
    action: z.literal("replay"),
    at,
    node_id: uuid.describe("The packets leave from a port of this node, whose device does not see them"),
    port_number: z.int().min(0).default(0),
    pcap: z.base64().max(MAX_PCAP_CHARACTERS).describe("A pcap or pcapng file in base64"),
  }),
]);
export type RunAction = z.output<typeof action>;

export const runRequest = z
  .strictObject({
    duration: z
      .number()
      .gt(0)
      .max(MAX_LAB_SECONDS)
      .optional()
      .describe("Lab seconds; without it the run ends when nothing is left to happen"),
    consoles: z
      .array(z.strictObject({ node_id: uuid, commands, at }))
      .max(MAX_CONSOLES)
      .default([]),
    actions: z.array(action).max(MAX_ACTIONS).default([]),
  })
  .meta({ id: "RunRequest" });
export type RunRequest = z.output<typeof runRequest>;

const traffic = z.object({ packets: z.int(), bytes: z.int() });
const milliseconds = z.number();

const direction = z
  .object({
    from: uuid,
    to: uuid.nullable(),
    in: traffic,
    delivered: traffic,
    dropped: traffic,
    corrupted: traffic,
    in_flight: traffic.describe("Still on the way when the run ended"),
    filters: z.record(z.string(), z.object({ seen: z.int(), dropped: z.int(), corrupted: z.int() })),
    delay_ms: z
      .object({
        min: milliseconds,
        mean: milliseconds,
        p50: milliseconds,
        p90: milliseconds,
        p99: milliseconds,
        max: milliseconds,
      })
      .nullable(),
  })
  .meta({ id: "RunDirection" });

export const runReport = z
  .object({
    stopped: z.enum(["idle", "duration", "limit"]),
    ...outcome,
    packets: z.int().describe("Packets that entered links"),
    seed: z.string(),
    consoles: z.array(
      z.object({
        node_id: uuid,
        name: z.string(),
        output: z.string(),
        status: z
          .enum(["done", "interrupted", "off"])
          .describe("Interrupted by the run's end; off when the node was not on, or went off"),
        started: z.number().nullable().describe("Lab seconds from the run's start"),
        elapsed: z.number().nullable(),
      }),
    ),
    links: z
      .array(z.object({ link_id: uuid, directions: z.array(direction) }))
      .describe("The links that packets entered, in the order in which they were met"),
  })
  .meta({ id: "RunReport" });
export type RunReport = z.output<typeof runReport>;
