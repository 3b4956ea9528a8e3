/** `wirelab link`: sends the packets of a capture through a link in virtual time, exactly like a replay of the service. */

import type { EpochTime } from "@wirelab/engine/base/time";
import { addNanoseconds } from "@wirelab/engine/base/time";
import { type DeliveredFrame, LinkReplay, type ReplayReport } from "@wirelab/engine/link/replay";
import {
  type CaptureError,
  type CaptureFrame,
  type CaptureInterface,
  LINKTYPE_ETHERNET,
} from "@wirelab/engine/pcap/index";
import { FILE_HEADER_BYTES } from "@wirelab/engine/pcap/record-sieve";
import { readFully } from "./capture-input.ts";
import { type Transfer, transferCapture } from "./capture-transfer.ts";
import { CommandLineError, parseCommandLine, STANDARD_STREAM, type Surroundings } from "./command-line.ts";
import { CutOffError } from "./failure.ts";
import { compileFilterOptions, type FilterTexts, parseFilterOptions } from "./filter-options.ts";
import { type FrameSink, makeFrameSink } from "./frame-sink.ts";
import { FrameSource } from "./frame-source.ts";
import { HeldFrames } from "./held-frames.ts";
import { compileImpairments, parseImpairOption } from "./impair-option.ts";
import { formatJson, formatTable, type LinkReport } from "./link-report.ts";
import { readSeconds } from "./live/read-seconds.ts";

export const help = `Usage: wirelab link [options] in.pcap out.pcap
       wirelab link --live [options] A B

Runs a capture (pcap or pcapng) through a link and writes what arrives, each packet when it arrives, in the same format.
Of a capture that is cut off in the middle of a packet, the packets before that are used; the exit status is 1.

  --filter TYPE=VALUES   a filter of the link; may be repeated; numbers are integers, without fractions:
                           frequency_drop=N              drops every Nth packet, -1 all
                           packet_loss=PERCENT           drops each packet with this chance
                           bpf=EXPR                      drops what matches; may come several times
                           corrupt=PERCENT               flips a bit of a packet with this chance
                           delay=MS or delay=MS,JITTER   holds each packet, plus or minus up to the jitter
  --impair TEXT          impairments beyond the filters, after them: the name of a preset (lte, dsl, geo-satellite, ...), or JSON, as in
                         '{"both": {"delay": "20ms", "loss": "1%"}, "a_to_b": {"rate": "10mbit"}}'
  --suspend              the link is suspended: nothing arrives
  --reverse              the packets go from the link's second end to its first
  --seed TEXT            repeats a run to the byte; drawn and reported when absent
  --json                 the report as JSON, on standard output, or on standard error when the packets go to the former

  --live                 instead of captures, A and B are real networks; the link carries their packets in real time until Ctrl-C.
                         Each is udp:LISTEN,TO or vxlan:VNI,LISTEN,TO or tap:NAME or interface:NAME, as in
                         udp:127.0.0.1:20000,127.0.0.1:20001; a tap or interface takes socat, and root
  --seconds N            ends a live link after N seconds
  --real-time            a live link runs before other programs of the machine (SCHED_RR), so packets leave on time when it is
                         busy; as root

The report is a table on standard error. Packets that lie before one in front of them in the file enter at that one's time.
`;

/** The name of the random streams: the same for every link of the command line. */
const STREAM_NAME = "offline";
const MAX_SEED_CHARACTERS = 128;
/** The frames of a live link. */
const ETHERNET: CaptureInterface = { linkType: LINKTYPE_ETHERNET, snaplen: 0, littleEndian: true };

/** Packets delivered before the output is drained. */
const DELIVERED_AT_ONCE = 256;

interface LinkRun {
  readonly filters: FilterTexts;
  readonly impairments: Readonly<Record<string, unknown>> | undefined;
  readonly suspended: boolean;
  readonly direction: "a-to-b" | "b-to-a";
  readonly seed: string;
}

export async function run(args: string[], surroundings: Surroundings): Promise<void> {
  const { values, positionals } = parseCommandLine(args, {
    options: {
      filter: { type: "string", multiple: true, default: [] },
      impair: { type: "string" },
      suspend: { type: "boolean", default: false },
      reverse: { type: "boolean", default: false },
      seed: { type: "string" },
      json: { type: "boolean", default: false },
      live: { type: "boolean", default: false },
      seconds: { type: "string" },
      "real-time": { type: "boolean", default: false },
    },
    positionals: ["in.pcap", "out.pcap"],
  });
  const [inPath, outPath] = positionals as [string, string];
  const linkRun: LinkRun = {
    filters: parseFilterOptions(values.filter),
    impairments: values.impair === undefined ? undefined : parseImpairOption(values.impair),
    suspended: values.suspend,
    direction: values.reverse ? "b-to-a" : "a-to-b",
    seed: checkSeed(values.seed ?? crypto.randomUUID()),
  };
  const maxMs = readSeconds(values.seconds);
  if (values.live) {
    const { filters, impairments, suspended, seed } = linkRun;
    const live = {
      ends: [inPath, outPath] as const,
      filters: compileFilterOptions(filters, ETHERNET),
      impairments: impairments && {
        settings: impairments,
        impairments: compileImpairments(impairments, ETHERNET),
      },
      suspended,
    };
    const { runLiveLink } = await import("./live/live-link.ts");
    await runLiveLink(
      live,
      { seed, maxMs, json: values.json, isRealTime: values["real-time"] },
      surroundings,
    );
    return;
  }
  if (maxMs !== undefined) throw new CommandLineError("--seconds takes --live");
  if (values["real-time"]) throw new CommandLineError("--real-time takes --live");
  const { report, cutOff } = await transferCapture(inPath, outPath, surroundings, (transfer) =>
    runThroughLink(linkRun, transfer),
  );
  const { seed, direction } = linkRun;
  const linkReport: LinkReport = { ...report, seed, direction, cutOff: cutOff?.message ?? null };
  if (!values.json) surroundings.stderr.write(formatTable(linkReport));
  else if (outPath === STANDARD_STREAM) surroundings.stderr.write(formatJson(linkReport));
  else surroundings.stdout.write(formatJson(linkReport));
  if (cutOff !== undefined) throw new CutOffError(cutOff, report.packets.in);
}

function checkSeed(seed: string): string {
  if (seed.length >= 1 && seed.length <= MAX_SEED_CHARACTERS) return seed;
  throw new CommandLineError(`--seed takes 1 to ${MAX_SEED_CHARACTERS} characters`);
}

interface Replayed {
  readonly report: ReplayReport;
  readonly cutOff: CaptureError | undefined;
}

async function runThroughLink(linkRun: LinkRun, transfer: Transfer): Promise<Replayed> {
  const header = new Uint8Array(FILE_HEADER_BYTES);
  const beginning = header.subarray(0, await readFully(transfer.input, header));
  const source = new FrameSource(transfer, beginning);
  // The link is created when the link type is known: at the first frame, or at the end if there are no frames.
  let link: OfflineLink | undefined;
  for await (const frames of source.batches()) {
    link ??= makeLink(linkRun, transfer, source, frames[0]!);
    await enterAll(link, frames);
  }
  const { replay, sink } = link ?? makeLink(linkRun, transfer, source, { seconds: 0, nanoseconds: 0 });
  while (!replay.deliverSome(DELIVERED_AT_ONCE)) await sink.drain();
  const report = replay.finish();
  await sink.finish();
  return { report, cutOff: source.cutOff };
}

/** Drains the output between portions: after a pause, very many packets can be due before the next one enters. */
async function enterAll({ replay, sink }: OfflineLink, frames: readonly CaptureFrame[]): Promise<void> {
  for (const frame of frames) {
    while (!replay.deliverSome(DELIVERED_AT_ONCE, frame)) await sink.drain();
    replay.enter(frame);
  }
  await sink.drain();
}

interface OfflineLink {
  readonly replay: LinkReplay;
  readonly sink: FrameSink;
}

/** Makes a link that writes packets as they arrive, for a run that begins at `start`. */
function makeLink(
  { filters, impairments, ...options }: LinkRun,
  { output }: Transfer,
  source: FrameSource,
  start: EpochTime,
): OfflineLink {
  const compiled = compileFilterOptions(filters, source.interface);
  const sink = makeFrameSink(output, source);
  const deliver = (frame: DeliveredFrame): void => {
    const { seconds, nanoseconds } = addNanoseconds(start, frame.deliveryNs);
    sink.write(seconds, nanoseconds, frame.data, frame.originalLength);
  };
  const replay = new LinkReplay(
    {
      ...options,
      ...compiled,
      streamName: STREAM_NAME,
      ...(impairments && {
        impairments: { impairments: compileImpairments(impairments, source.interface), startUs: 0 },
      }),
    },
    deliver,
    new HeldFrames(),
  );
  return { replay, sink };
}
