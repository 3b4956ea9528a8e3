/** Packet captures: the request that starts one (docs/interface.md, section 2.3) and the record of it. */
import * as z from "zod/mini";
import { CAPTURE_TAPS } from "./capture-file.ts";
import { dataLinkType, visibleText } from "./common.ts";
import { uuid } from "./ids.ts";

const FILE_NAME_MAX_BYTES = 255;

/** A plain file name: it becomes the last part of an object key, and of the path of a downloaded file. */
export const captureFileName = z.string().check(
  z.normalize("NFC"),
  z.refine(
    (name) => new TextEncoder().encode(name).length <= FILE_NAME_MAX_BYTES,
    "is longer than 255 bytes",
  ),
  z.refine((name) => !/[/\\]/.test(name), "holds a path separator"),
  visibleText,
  z.refine((name) => !name.includes("..") && name !== ".", "holds '..' or is '.'"),
);

/** Longest pcap-filter expression, in characters. */
const BPF_MAX_CHARACTERS = 4096;
/** Largest snapshot length of a capture file: libpcap's MAXIMUM_SNAPLEN. */
const SNAPLEN_MAX = 262_144;

/** The text of a pcap-filter expression; the route group that uses it compiles it. */
export const bpfExpression = z
  .string()
  .check(z.maxLength(BPF_MAX_CHARACTERS, `is longer than ${BPF_MAX_CHARACTERS} characters`));

const captureTap = z.enum(CAPTURE_TAPS);

/** Options of a capture; all are optional. */
export const captureOptions = z.strictObject({
  bpf: z
    .optional(bpfExpression)
    .check(z.describe("A pcap-filter expression; only matching packets are recorded")),
  max_packets: z
    .optional(z.int().check(z.minimum(1)))
    .check(z.describe("Recording ends after this many packets")),
  max_bytes: z
    .optional(z.int().check(z.minimum(1)))
    .check(
      z.describe(
        "Recording ends before the packet that would make the records, with 16 bytes of header each, exceed this size",
      ),
    ),
  snaplen: z
    .optional(z.int().check(z.minimum(1), z.maximum(SNAPLEN_MAX)))
    .check(z.describe("Maximum number of bytes recorded per packet; 65535 if absent")),
  tap: z
    .optional(captureTap)
    .check(z.describe("Whether packets are recorded after the link's filters (the default) or before")),
});
export type CaptureOptions = z.output<typeof captureOptions>;

export const captureRequest = z
  .strictObject({
    capture_file_name: z
      .optional(captureFileName)
      .check(z.describe("The requested name; if absent, made from the link's ends")),
    data_link_type: z
      .optional(dataLinkType)
      .check(z.describe("DLT_EN10MB if absent, which is the only type for ethernet links")),
    ...captureOptions.shape,
  })
  .check(z.meta({ id: "CaptureRequest" }));

export const capture = z
  .object({
    capture_id: uuid,
    project_id: uuid,
    link_id: uuid,
    capture_file_name: z.string(),
    capture_file_path: z.string().check(z.describe("S3 URI of the capture after it is stopped")),
    capture_compute_id: z.string(),
    data_link_type: dataLinkType,
    bpf: z.nullable(z.string()),
    max_packets: z.nullable(z.int()),
    max_bytes: z.nullable(z.int()),
    snaplen: z.int(),
    tap: captureTap,
    limit_reached: z.boolean().check(z.describe("Whether max_packets or max_bytes has ended the recording")),
    status: z.enum(["capturing", "stopped"]),
    packets: z.int(),
    bytes: z.int().check(z.describe("Size of the pcap file so far")),
    started_at: z.string(),
    stopped_at: z.nullable(z.string()),
  })
  .check(z.meta({ id: "Capture" }));
export type Capture = z.output<typeof capture>;
