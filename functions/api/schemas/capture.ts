/** Packet captures: the request that starts one (interface document, 2.2) and the record of it. */
import * as z from "zod";
import { dataLinkType } from "./common.ts";
import { uuid } from "./ids.ts";

/** Of capture files, in and out. */
export const PCAP_CONTENT_TYPE = "application/vnd.tcpdump.pcap";

const FILE_NAME_MAX_BYTES = 255;

/** A plain file name: it becomes the last part of an object key, and of a path where somebody downloads it. */
export const captureFileName = z
  .string()
  .refine((name) => new TextEncoder().encode(name).length <= FILE_NAME_MAX_BYTES, "is longer than 255 bytes")
  .refine((name) => !/[/\\]/.test(name), "holds a path separator")
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  .refine((name) => !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name), "holds a control character")
  .refine((name) => !name.includes("..") && name !== ".", "holds '..' or is '.'");

export const captureRequest = z
  .strictObject({
    capture_file_name: captureFileName
      .optional()
      .describe("The wished name; made from the link's ends when absent"),
    data_link_type: dataLinkType.optional().describe("DLT_EN10MB when absent"),
  })
  .meta({ id: "CaptureRequest" });

export const capture = z
  .object({
    capture_id: uuid,
    project_id: uuid,
    link_id: uuid,
    capture_file_name: z.string(),
    capture_file_path: z.string().describe("S3 URI of the capture, where it lies once stopped"),
    capture_compute_id: z.string(),
    data_link_type: dataLinkType,
    status: z.enum(["capturing", "stopped"]),
    packets: z.int(),
    bytes: z.int().describe("Size of the pcap file so far"),
    started_at: z.string(),
    stopped_at: z.string().nullable(),
  })
  .meta({ id: "Capture" });
export type Capture = z.output<typeof capture>;
