/** What nodes know about OSPF at a moment. */
import type { RouterState } from "@wirelab/engine/devices/router/index";
import type { LabModel } from "../model/lab-model.ts";
import type { Played } from "../play/play.ts";
import { askGuests } from "./ask-guests.ts";
import { guestOspf, questionsAboutOspf } from "./guest-ospf.ts";
import { type OspfView, unknownView } from "./ospf-view.ts";
import { simulatedOspf } from "./simulated-ospf.ts";
import { sourceOf } from "./sources.ts";

/** @param names routers, and Linux nodes with a configuration of FRR or BIRD. @returns their views in this order. */
export function ospfViews(
  played: Played,
  atNs: number | undefined,
  names: readonly string[],
): readonly OspfView[] {
  const { model } = played;
  const sources = names.flatMap((name) => {
    const node = nodeNamed(model, name);
    return (node && sourceOf(node)) ?? [];
  });
  const answers = askGuests(
    played,
    atNs,
    sources.map((source) => ({ node: source.node, questions: questionsAboutOspf(source) })),
  );
  const state = played.stateAt(atNs);
  return names.map((name) => {
    const spec = nodeNamed(model, name)?.spec;
    const now = state.nodes.get(name);
    if (now?.status !== "started")
      return unknownView(name, `is ${now?.status === "suspended" ? "suspended" : "off"}`);
    if (spec?.type === "router")
      return simulatedOspf(name, spec, now.state?.device as RouterState | undefined);
    const [source, answer] = [sources.find(({ node }) => node === name), answers.get(name)];
    if (source === undefined || answer === undefined) return unknownView(name, "has not answered", true);
    return guestOspf(source, answer);
  });
}

const nodeNamed = ({ nodes }: LabModel, name: string) => nodes.find((node) => node.name === name);
