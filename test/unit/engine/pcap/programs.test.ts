/** Other programs accept the files written here, and read captures with equal results. */

import { readFileSync } from "node:fs";
import { FILE_HEADER_BYTES } from "@wirelab/engine/pcap/classic-format";
import {
  type CaptureFrame,
  DATA_LINK_TYPES,
  dataLinkTypeName,
  encodeCapture,
  encodeCaptureHeader,
  encodeRecords,
  MAX_CAPTURED_BYTES,
  type RecordInput,
  readCapture,
} from "@wirelab/engine/pcap/index";
import { describe, expect, it } from "vitest";
import { concat, hex } from "../../../helpers/engine/pcap.ts";
import {
  convert,
  isInstalled,
  linesOf,
  type Program,
  realCaptures,
  withFile,
} from "../../../helpers/engine/programs.ts";

/** A UDP datagram from 10.0.0.1 to 10.0.0.2 with a payload of five bytes. */
const UDP = hex(
  `ffffffffffff 020000000001 0800 45000021 00000000 4011 66ca 0a000001 0a000002 1388 1389 000d 0000 68656c6c6f`,
);
const FRAMES: RecordInput[] = [
  { seconds: 1_700_000_000, nanoseconds: 123_456_789, data: UDP, originalLength: UDP.length },
  { seconds: 1_700_000_000, nanoseconds: 999_999_999, data: UDP.subarray(0, 20), originalLength: UDP.length },
  { seconds: 4_294_967_295, nanoseconds: 0, data: UDP, originalLength: 1_500 },
];

function describeWith(program: Program, tests: () => void): void {
  const installed = isInstalled(program);
  describe.skipIf(!installed)(installed ? program : `${program} (skipped: it is not installed)`, tests);
}

/** Time in seconds with nine decimals, captured and original length, as tshark prints them. */
function tsharkRows(file: Uint8Array): string[] {
  const fields = ["frame.time_epoch", "frame.cap_len", "frame.len"].flatMap((field) => ["-e", field]);
  return withFile(file, (path) => linesOf("tshark", ["-r", path, "-T", "fields", ...fields]));
}

function ourRows(frames: readonly (RecordInput | CaptureFrame)[]): string[] {
  return frames.map(({ seconds, nanoseconds, data, originalLength }) => {
    return [`${seconds}.${String(nanoseconds).padStart(9, "0")}`, data.length, originalLength].join("\t");
  });
}

/** Converts to text, because a failing comparison of long arrays prints them whole. */
function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function framesOf(file: Uint8Array): CaptureFrame[] {
  const read = readCapture(file);
  if (!read.ok) throw read.error;
  return read.frames;
}

describeWith("tcpdump", () => {
  it("reads written files, to the nanosecond", () => {
    const file = encodeCapture(FRAMES.slice(0, 1), { linkType: 1, resolution: "nanosecond" });
    const [line] = withFile(file, (path) => linesOf("tcpdump", ["-r", path, "-tt", "-n", "--nano"]));
    expect(line).toContain("1700000000.123456789 IP 10.0.0.1.5000 > 10.0.0.2.5001: UDP, length 5");
  });

  it("reads segments behind one header as one file", () => {
    const segments = FRAMES.map((frame) => encodeRecords([frame]));
    const file = concat(encodeCaptureHeader({ linkType: 1 }), ...segments);
    expect(withFile(file, (path) => linesOf("tcpdump", ["-r", path, "-n", "-tt"]))).toHaveLength(3);
  });

  it.each(DATA_LINK_TYPES.map(({ name, linkType }) => [name, linkType] as const))(
    "recognises the data link type %s",
    (name, linkType) => {
      const file = encodeCapture(FRAMES, { linkType });
      const copy = withFile(file, (path) => {
        linesOf("tcpdump", ["-r", path, "-w", `${path}.copy`, "-y", name.replace("DLT_", "")]);
        return new Uint8Array(readFileSync(`${path}.copy`));
      });
      expect(readCapture(copy)).toEqual(readCapture(file));
    },
  );
});

describeWith("capinfos", () => {
  it("reports the same type, snaplen, link type and number of packets", () => {
    const file = encodeCapture(FRAMES, { linkType: 104, snaplen: 4_096 });
    const facts = withFile(file, (path) => linesOf("capinfos", ["-M", path])).map((line) =>
      line.replace(/\s+/g, " "),
    );
    expect(facts).toEqual(
      expect.arrayContaining([
        "File type: pcap",
        "File encapsulation: chdlc",
        "Packet size limit: file hdr: 4096 bytes",
        "Number of packets: 3",
      ]),
    );
  });
});

describeWith("tshark", () => {
  it("reads the written times and lengths, in both resolutions", () => {
    expect(tsharkRows(encodeCapture(FRAMES, { linkType: 1, resolution: "nanosecond" }))).toEqual(
      ourRows(FRAMES),
    );
    const cut = FRAMES.map((frame) => ({
      ...frame,
      nanoseconds: Math.floor(frame.nanoseconds / 1_000) * 1_000,
    }));
    expect(tsharkRows(encodeCapture(FRAMES, { linkType: 1 }))).toEqual(ourRows(cut));
  });
});

const captures = realCaptures();
const reason = captures.length === 0 ? " (skipped: WIRELAB_CAPTURES names no folder with captures)" : "";

describe.skipIf(captures.length === 0)(`captures of real networks${reason}`, () => {
  it.each(captures)("$name: its records, written again, are equal byte for byte", ({ bytes }) => {
    const file = readCapture(bytes);
    if (!file.ok) throw file.error;
    expect(dataLinkTypeName(file.interfaces[0]?.linkType as number)).toBeDefined();
    // The headers may differ: one of these files has records longer than the snaplen in its header.
    const records = encodeRecords(file.frames, { snaplen: MAX_CAPTURED_BYTES });
    expect(toHex(records)).toBe(toHex(bytes.subarray(FILE_HEADER_BYTES)));
  });
});

describe.skipIf(captures.length === 0 || !isInstalled("tshark") || !isInstalled("editcap"))(
  `captures of real networks, against tshark and editcap${reason || " (skipped if they are not installed)"}`,
  () => {
    it.each(captures)("$name: tshark reads the same times and lengths", ({ bytes }) => {
      expect(ourRows(framesOf(bytes))).toEqual(tsharkRows(bytes));
    });

    it.each(captures)(
      "$name: converted by editcap to pcapng and to nanoseconds it has the same packets",
      ({ bytes }) => {
        const frames = framesOf(bytes);
        expect(framesOf(convert(bytes, "pcapng"))).toEqual(frames);
        expect(framesOf(convert(bytes, "nsecpcap"))).toEqual(frames);
      },
    );
  },
);
