/** Starting and stopping a packet capture (docs/interface.md, section 2.3). */

import { headerOf } from "@wirelab/engine/link/capture-header";
import { capturingEnd, carryOutStart } from "../shared/compute/capture-calls.ts";
import { stopThere } from "../shared/compute/captures.ts";
import { readSettledLink } from "../shared/compute/links.ts";
import { fetchCaptures } from "../shared/compute-capture/fetch-captures.ts";
import type { Access } from "../shared/edge/access.ts";
import { failureOf, invalidRequest } from "../shared/edge/errors.ts";
import { newId } from "../shared/edge/idempotency.ts";
import { count } from "../shared/edge/metrics.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { LINK_ERRORS } from "../shared/edge/own-errors/link.ts";
import type { CaptureOptions } from "../shared/schemas/capture.ts";
import { CAPTURE_DEFAULTS } from "../shared/schemas/capture-file.ts";
import type { DataLinkType } from "../shared/schemas/common.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import { readItems } from "../shared/store/contents/read.ts";
import { listCaptures, startCapture as storeStart } from "../shared/store/lab/capture.ts";
import { stopAndStore, storeIfThere } from "../shared/store/lab/capture-file.ts";
import { type LinkItem, type RunningCapture, toLink } from "../shared/store/lab/link.ts";
import { refuseOverQuota } from "../shared/store/limits/quota.ts";
import { defaultCaptureName } from "./capture-name.ts";
import { readLink, readLinkInProject } from "./read-link.ts";
import { isReal, refuseReal } from "./refuse-real.ts";
import type { group } from "./routes.ts";

const DEFAULT_DATA_LINK_TYPE = "DLT_EN10MB";

type StartRequest = Parameters<Operation<typeof group.routes.startCapture>>[0]["body"];

export const startCapture: Operation<typeof group.routes.startCapture> = async ({
  access,
  params,
  body,
  receipt,
}) => {
  const { project_id, link_id } = params;
  const options = optionsOf(body);
  const capture_id = newId({ receipt }, "capture");
  let begun: string | undefined;
  const link = await untilFresh(async () => {
    const { project, link: before } = await readLinkInProject(access, project_id, link_id);
    if (before.doing !== undefined) {
      await readSettledLink(access, project_id, link_id);
      return STALE;
    }
    const { capture: running } = before;
    const dataLinkType = body.data_link_type ?? running?.data_link_type ?? DEFAULT_DATA_LINK_TYPE;
    await refuseBadExpression(options.bpf, dataLinkType);
    if (before.document.nodes.length === 0) return before;
    if (running) return refuseOther(before, running, body);
    const at = isReal(before) ? await placeOf(access, before, options) : undefined;
    refuseOtherLinkType(before, dataLinkType);
    refuseOverQuota(project, { capture_count: 1 });
    const name = body.capture_file_name || (await nameOf(access, before));
    const outcome = await storeStart(before, capture_id, name, dataLinkType, options, at);
    // The same request started the capture, its response was lost, and the capture has been stopped since.
    if (outcome === "id") return before;
    if (outcome !== STALE) {
      count("Captures");
      begun = outcome.doing?.id;
    }
    return outcome;
  });
  if (begun === undefined) return { status: 201, body: toLink(link) };
  return { status: 201, body: toLink(await carryOutStart(access, link)) };
};

/** @throws ApiError `link.real` for a tap before the filters, which no compute has; `capture.no-running-node` */
async function placeOf(
  access: Access,
  link: LinkItem,
  { tap }: CaptureOptions,
): Promise<RunningCapture["at"]> {
  if (tap === "before") refuseReal(link, "record its packets before the filters");
  const ids = link.document.nodes.map(({ node_id }) => node_id);
  const { nodes } = await readItems(access, link.project_id, { nodes: ids });
  return capturingEnd(ids.flatMap((id) => nodes.get(id) ?? []));
}

/** An expression of white space matches all packets, so it counts as absent. */
function optionsOf({ bpf, max_packets, max_bytes, snaplen, tap }: StartRequest): CaptureOptions {
  return { bpf: bpf?.trim() ? bpf : undefined, max_packets, max_bytes, snaplen, tap };
}

/** @throws ApiError 400 with line and column. */
async function refuseBadExpression(bpf: string | undefined, dataLinkType: DataLinkType): Promise<void> {
  if (bpf === undefined) return;
  const { FilterSyntaxError } = await import("@wirelab/engine/bpf/index");
  const { compileForPeople } = await import("@wirelab/engine/bpf/compile-for-people");
  try {
    compileForPeople(bpf, dataLinkType);
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error;
    throw invalidRequest([{ path: "body.bpf", message: error.message }]);
  }
}

/** Packets of an Ethernet link have one encapsulation; a serial link may carry any. */
function refuseOtherLinkType({ link_type }: LinkItem, dataLinkType: DataLinkType): void {
  if (link_type !== "ethernet" || dataLinkType === "DLT_EN10MB") return;
  throw failureOf(LINK_ERRORS, "capture.link-type", { link_type, data_link_type: dataLinkType });
}

/** A repeated request for the running capture is no conflict: the client may not have received the first response. */
function refuseOther(link: LinkItem, running: RunningCapture, body: StartRequest): LinkItem {
  if (body.capture_file_name && body.capture_file_name !== running.file_name) {
    throw failureOf(LINK_ERRORS, "capture.running", { detail: `its file name is ${running.file_name}` });
  }
  if (body.data_link_type && body.data_link_type !== running.data_link_type) {
    throw failureOf(LINK_ERRORS, "capture.running", {
      detail: `its data link type is ${running.data_link_type}`,
    });
  }
  const wanted = optionsOf(body);
  const recorded: CaptureOptions = { ...CAPTURE_DEFAULTS, ...running.options };
  for (const name of OPTION_NAMES) {
    if (body[name] === undefined || wanted[name] === recorded[name]) continue;
    throw failureOf(LINK_ERRORS, "capture.running", {
      detail: `its ${name} is ${recorded[name] ?? "not set"}`,
    });
  }
  return link;
}

const OPTION_NAMES = ["bpf", "max_packets", "max_bytes", "snaplen", "tap"] as const;

async function nameOf(access: Access, link: LinkItem): Promise<string> {
  const { nodes: ends } = link.document;
  const { nodes } = await readItems(access, link.project_id, { nodes: ends.map((end) => end.node_id) });
  return defaultCaptureName(ends, (id) => nodes.get(id)?.name ?? "");
}

export const stopCapture: Operation<typeof group.routes.stopCapture> = async ({ access, params }) => {
  const { project_id, link_id } = params;
  const link = await untilFresh(async () => {
    const before = await readLink(access, project_id, link_id);
    if (isReal(before)) return stopReal(access, before);
    if (before.capture === undefined) {
      await finishInterrupted(project_id, link_id);
      return before;
    }
    return (await stopAndStore(before, headerOf(before.capture))) ? { ...before, capture: undefined } : STALE;
  });
  return { status: 201, body: toLink(link) };
};

/** Also fetches what an earlier stop has left on the compute. */
async function stopReal(access: Access, { project_id, link_id }: LinkItem): Promise<LinkItem> {
  await stopThere(access, project_id, link_id);
  await fetchCaptures(access, project_id, link_id);
  return readLink(access, project_id, link_id);
}

/** Stores captures whose stop was interrupted before they were stored. */
async function finishInterrupted(projectId: string, linkId: string): Promise<void> {
  for (const capture of await listCaptures(projectId, linkId)) {
    // A capture that was started meanwhile is still running.
    if (!capture.stored && capture.stopped_at) await storeIfThere(capture, headerOf(capture));
  }
}
