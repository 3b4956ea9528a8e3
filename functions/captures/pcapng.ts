/** Captures of a project as one pcapng file, with an interface for each. */

import {
  encodeInterface,
  encodeSectionHeader,
  type InterfaceDescription,
  linkTypeOf,
  PacketBlockEncoder,
} from "@wirelab/engine/pcap/index";
import type { Access } from "../shared/edge/access.ts";
import { begunStream } from "../shared/edge/begun-stream.ts";
import { failure } from "../shared/edge/errors.ts";
import { attachment } from "../shared/edge/http/attachment.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { refuseTooLong, withinStream } from "../shared/edge/stream-limit.ts";
import { CAPTURE_DEFAULTS } from "../shared/schemas/capture-file.ts";
import { BlockReader } from "../shared/store/base/block-reader.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import { readTopology } from "../shared/store/contents/read.ts";
import { type CaptureItem, listCaptures } from "../shared/store/lab/capture.ts";
import { existingLink, type LinkItem } from "../shared/store/lab/link.ts";
import type { NodeItem } from "../shared/store/lab/node.ts";
import { existingProject } from "../shared/store/project/project.ts";
import { mergeFrames } from "./merge-frames.ts";
import { readFile } from "./read-file.ts";
import type { group } from "./routes.ts";

/** Memory for all files that are read at once, and the bounds for each of them. */
const READ_AHEAD_BYTES = 64 * 1024 * 1024;
const SMALLEST_BLOCK_BYTES = 64 * 1024;
const LARGEST_BLOCK_BYTES = 1024 * 1024;
const WRITE_BYTES = 64 * 1024;
/** In chunks: the head is known without a read from the bucket. */
const HEAD_AND_MORE = 2;

interface Selected {
  readonly link: LinkItem;
  readonly capture: CaptureItem;
}

export const downloadPcapng: Operation<typeof group.routes.downloadPcapng> = async ({
  access,
  params,
  query,
}) => {
  const { topology, captures } = await untilFresh(() => readAll(access, params.project_id));
  const { name } = existingProject(topology.project, params.project_id);
  const selected = select(topology.links, captures, query);
  const nodes = new Map(topology.nodes.map((node) => [node.node_id, node]));
  const head = describe(selected, nodes);
  refuseTooLong(
    head.length + selected.reduce((sum, each) => sum + packetBytes(each), 0),
    "name fewer captures with `captures`, or download each as a pcap file",
  );
  const body = await begunStream(() => withinStream(write(head, selected)), HEAD_AND_MORE);
  return { status: 200, body, headers: { "content-disposition": attachment(`${name}.pcapng`) } };
};

async function readAll(access: Access, project_id: string) {
  const [topology, captures] = await Promise.all([
    readTopology(access, project_id, "topology"),
    listCaptures(project_id),
  ]);
  const running = new Set(topology.links.map(({ capture }) => capture?.capture_id));
  // The capture was read before it stopped, and its link after that.
  const isTorn = captures.some(({ capture_id, stopped_at }) => !stopped_at && !running.has(capture_id));
  return isTorn && topology.project !== undefined ? STALE : { topology, captures };
}

/** Returns captures in the order of the links, and of each link's captures. @throws ApiError for an unknown id. */
function select(
  links: readonly LinkItem[],
  captures: readonly CaptureItem[],
  wanted: { links?: readonly string[] | undefined; captures?: readonly string[] | undefined },
): Selected[] {
  const all = wanted.links === undefined && wanted.captures === undefined;
  for (const id of wanted.links ?? [])
    existingLink(
      links.find(({ link_id }) => link_id === id),
      id,
    );
  for (const id of wanted.captures ?? []) {
    if (captures.every(({ capture_id }) => capture_id !== id)) {
      throw failure("capture.not-found", { capture_id: id });
    }
  }
  return links.flatMap((link) => {
    const own = captures.filter(({ link_id }) => link_id === link.link_id);
    const current = all || wanted.links?.includes(link.link_id) ? currentOf(link, own) : undefined;
    const chosen = own.filter((each) => each === current || wanted.captures?.includes(each.capture_id));
    return chosen.map((capture) => ({ link, capture }));
  });
}

/** Returns the running capture, else the one that was started last. */
const currentOf = (link: LinkItem, own: readonly CaptureItem[]): CaptureItem | undefined =>
  own.find(({ capture_id }) => capture_id === link.capture?.capture_id) ?? own.at(-1);

/** Returns the blocks before the packets: the section, and an interface for each capture. */
const describe = (selected: readonly Selected[], nodes: ReadonlyMap<string, NodeItem>): Uint8Array =>
  Buffer.concat([
    encodeSectionHeader("wirelab"),
    ...selected.map((each) => encodeInterface(describeInterface(each, nodes))),
  ]);

/** A pcapng packet has 32 bytes of overhead and up to 3 of padding, where a pcap record has 16. */
const MOST_BYTES_MORE = 32 + 3 - 16;

/** Upper bound of the bytes that a capture's packets take, except for those that only a compute has. */
function packetBytes({ link, capture }: Selected): number {
  const running = link.capture?.capture_id === capture.capture_id ? link.capture : undefined;
  const { bytes = 0, packets = 0 } = running ?? capture;
  return bytes + MOST_BYTES_MORE * packets;
}

async function* write(head: Uint8Array, selected: readonly Selected[]): AsyncGenerator<Uint8Array> {
  yield head;
  const blockBytes = Math.max(
    SMALLEST_BLOCK_BYTES,
    Math.min(LARGEST_BLOCK_BYTES, Math.floor(READ_AHEAD_BYTES / selected.length)),
  );
  const blocks = new BlockReader(blockBytes, selected.length);
  const files = selected.map(({ link, capture }) => {
    return readFile(capture, link.capture, blocks);
  });
  const encoder = new PacketBlockEncoder(selected.map(() => "microsecond"));
  for await (const frames of mergeFrames(files)) {
    for (const { frame, source } of frames) {
      encoder.write(source, frame.seconds, frame.nanoseconds, frame.data, frame.originalLength);
      if (encoder.sizeBytes >= WRITE_BYTES) yield encoder.take();
    }
  }
  if (encoder.sizeBytes > 0) yield encoder.take();
}

function describeInterface(
  { link, capture }: Selected,
  nodes: ReadonlyMap<string, NodeItem>,
): InterfaceDescription {
  const ends = link.document.nodes.map(({ node_id, adapter_number, port_number }) =>
    `${nodes.get(node_id)?.name ?? ""} ${adapter_number}/${port_number}`.trim(),
  );
  const { bpf, snaplen = CAPTURE_DEFAULTS.snaplen } = capture.options ?? {};
  return {
    linkType: linkTypeOf(capture.data_link_type),
    snaplen,
    name: ends.join(" - "),
    description: capture.file_name,
    ...(bpf !== undefined && { filter: bpf }),
  };
}
