/** Packet captures: the request that starts one (docs/interface.md, section 2.3) and the record of it. */
import * as z from "zod/mini";
import { dataLinkType, visibleText } from "./common.ts";
import { uuid } from "./ids.ts";

/** Media type of uploaded and downloaded capture files. */
export const PCAP_CONTENT_TYPE = "application/vnd.tcpdump.pcap";

export const PCAPNG_CONTENT_TYPE = "application/x-pcapng";

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

/** Defaults for capture options. */
export const CAPTURE_DEFAULTS = { snaplen: 65_535, tap: "after" } as const;

/** The text of a pcap-filter expression; the route group that uses it compiles it. */
export const bpfExpression = z
  .string()
  .check(z.maxLength(BPF_MAX_CHARACTERS, `is longer than ${BPF_MAX_CHARACTERS} characters`));

export const captureTap = z.enum(["after", "before"]);

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

/** Largest number of packets in one response. */
const PAGE_MAX_PACKETS = 1000;
/** Any 15 digits are a safe integer. */
const wholeNumber = z.pipe(
  z.string().check(z.regex(/^\d{1,15}$/, "is not a whole number")),
  z.transform(Number),
);

export const packetsQuery = z.object({
  filter: z
    .optional(bpfExpression)
    .check(z.describe("A pcap-filter expression; only matching packets are returned")),
  limit: z
    ._default(z.pipe(wholeNumber, z.int().check(z.minimum(1), z.maximum(PAGE_MAX_PACKETS))), 100)
    .check(z.describe(`Maximum number of packets to return, 1 to ${PAGE_MAX_PACKETS}; 100 if absent`)),
  offset: z._default(wholeNumber, 0).check(z.describe("Number of matching packets to skip; 0 if absent")),
});

const port = z.nullable(z.int());

export const capturedPacket = z
  .object({
    number: z.int().check(z.describe("Position in the capture, from 1")),
    time: z.string().check(z.describe("RFC 3339, to the microsecond")),
    relative_s: z.number().check(z.describe("Seconds since the first packet of the capture")),
    length: z.int().check(z.describe("Length on the wire, in bytes")),
    captured_length: z.int(),
    source: z.nullable(z.string()).check(z.describe("Network-layer address if there is one, else the MAC")),
    target: z.nullable(z.string()),
    source_mac: z.nullable(z.string()),
    target_mac: z.nullable(z.string()),
    vlan: z.nullable(z.int()).check(z.describe("The outermost 802.1Q id")),
    protocol: z.string(),
    source_port: port,
    target_port: port,
    info: z.string().check(z.describe("Summary in one line")),
  })
  .check(z.meta({ id: "CapturedPacket" }));
export type CapturedPacket = z.output<typeof capturedPacket>;

export const packetPage = z
  .object({
    packets: z.array(capturedPacket),
    total: z.int().check(z.describe("Packets in the capture")),
    matched: z.int().check(z.describe("Packets that match the filter, among those read")),
    more: z.boolean().check(z.describe("Whether matching packets follow, or packets were not read")),
  })
  .check(z.meta({ id: "PacketPage" }));

const idList = z.pipe(
  z.string(),
  z.pipe(
    z.transform((text: string) => [...new Set(text.split(","))]),
    z.array(uuid),
  ),
);

export const pcapngQuery = z.object({
  links: z
    .optional(idList)
    .check(
      z.describe(
        "Ids of links, separated by commas; selects each link's running capture, else its latest one",
      ),
    ),
  captures: z.optional(idList).check(z.describe("Ids of captures, separated by commas")),
});
