/** Converts the timed actions of a run from the request to the engine. */

import { NS_PER_SECOND, NS_PER_US } from "@wirelab/engine/base/time";
import { compileFilter } from "@wirelab/engine/bpf/index";
import { compileFilters } from "@wirelab/engine/link/filters/compile";
import { parseImpairments } from "@wirelab/engine/link/impairments/index";
import { type CaptureFrame, LINKTYPE_ETHERNET, readCapture } from "@wirelab/engine/pcap/index";
import {
  type Action,
  changeLink,
  type PlannedFrame,
  sendFrames,
  switchPower,
} from "@wirelab/engine/simulation/actions";
import type { LinkFilters, LinkImpairments } from "@wirelab/engine/simulation/lab";
import { failure, failureOf, invalidAt } from "../shared/edge/errors.ts";
import { NODE_ERRORS } from "../shared/edge/own-errors/node.ts";
import type { Lab } from "../shared/run/lab-run.ts";
import type { RunAction, RunReport } from "../shared/schemas/run.ts";
import { existingLink } from "../shared/store/lab/link.ts";
import { existingNode, portKey } from "../shared/store/lab/node.ts";
import { isAffected, refuseStart } from "./affected.ts";

type ReplayedFile = RunReport["replays"][number];

/**
 * @param index position of the action in the request, for messages.
 * @param startUs the lab's clock at the run's start, microseconds since 1970.
 * @param replays collects the replayed files for the report.
 * @throws ApiError if the node or link does not exist, or the action is not possible.
 */
export function planAction(
  action: RunAction,
  lab: Lab,
  index: number,
  startUs: number,
  replays: ReplayedFile[],
): Action {
  switch (action.action) {
    case "set_filters":
      existingLink(lab.links.get(action.link_id), action.link_id);
      return changeLink(action.link_id, { filters: compile(action.filters, index) });
    case "set_impairments":
      existingLink(lab.links.get(action.link_id), action.link_id);
      return changeLink(action.link_id, { impairments: parse(action, index, startUs) });
    case "suspend_link":
    case "resume_link":
      existingLink(lab.links.get(action.link_id), action.link_id);
      return changeLink(action.link_id, { suspended: action.action === "suspend_link" });
    case "replay":
      return planReplay(action, lab, index, replays);
    default:
      return planPower(action, lab);
  }
}

function compile(filters: Record<string, unknown>, index: number): LinkFilters {
  const parsed = compileFilters(filters);
  if (parsed.ok) return parsed;
  throw invalidAt(`body.actions.${index}.filters`, parsed.problems);
}

type ImpairmentsRequest = Extract<RunAction, { action: "set_impairments" }>;

/** Returns null for the empty set, which removes the link's impairments. */
function parse(
  { impairments: settings, at }: ImpairmentsRequest,
  index: number,
  startUs: number,
): LinkImpairments | null {
  if (Object.keys(settings).length === 0) return null;
  const parsed = parseImpairments(settings, { compileBpf: compileFilter });
  if (!parsed.ok) throw invalidAt(`body.actions.${index}.impairments`, parsed.problems);
  return { impairments: parsed.impairments, sinceUs: startUs + Math.round(at * 1e6), settings };
}

type PowerRequest = Extract<RunAction, { action: "start" | "stop" | "suspend" | "reload" }>;

function planPower({ action, node_id }: PowerRequest, lab: Lab): Action {
  const node = existingNode(lab.nodes.get(node_id), node_id);
  refuseStart(node, action);
  // The engine decides at the action's time whether it has an effect; actions that never can are omitted here.
  const never =
    !isAffected({ ...node, status: "started" }, action) &&
    !isAffected({ ...node, status: "stopped" }, action);
  return switchPower(never ? [] : [node_id], action);
}

type ReplayRequest = Extract<RunAction, { action: "replay" }>;

function planReplay(
  { node_id, port_number, pcap }: ReplayRequest,
  lab: Lab,
  index: number,
  replays: ReplayedFile[],
): Action {
  const node = existingNode(lab.nodes.get(node_id), node_id);
  if (node.links[portKey(0, port_number)] === undefined) {
    throw failureOf(NODE_ERRORS, "node.port-not-wired", { name: node.name, port: `0/${port_number}` });
  }
  const file = readCapture(Buffer.from(pcap, "base64"));
  if (!file.ok) throw failure("run.not-a-capture", { index, detail: file.error.message });
  replays.push({ action: index, packets: file.frames.length, cut_off: file.cutOff?.message ?? null });
  const other = file.interfaces.find(({ linkType }) => linkType !== LINKTYPE_ETHERNET);
  if (other) throw failure("run.not-a-capture", { index, detail: "its link type is not Ethernet" });
  return sendFrames(node_id, port_number, planFrames(file.frames));
}

/** Plans each frame at its offset from the first. A frame with an earlier time stamp than the previous one follows at once. */
function planFrames(frames: readonly CaptureFrame[]): PlannedFrame[] {
  const first = frames[0];
  let latestNs = 0;
  return frames.map(({ seconds, nanoseconds, data }) => {
    const offsetNs = (seconds - first!.seconds) * NS_PER_SECOND + nanoseconds - first!.nanoseconds;
    latestNs = Math.max(latestNs, offsetNs - (offsetNs % NS_PER_US));
    return { offsetNs: latestNs, data };
  });
}
