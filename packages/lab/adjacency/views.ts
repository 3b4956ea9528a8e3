/** What nodes know about a routing protocol at a moment. */
import type { RouterSpec, RouterState } from "@wirelab/engine/devices/router/index";
import type { LabModel } from "../model/lab-model.ts";
import type { Played } from "../play/play.ts";
import { askGuests } from "./ask-guests.ts";
import { type BgpView, unknownBgp } from "./bgp-view.ts";
import { guestBgp, questionsAboutBgp } from "./guest-bgp.ts";
import { guestOspf, questionsAboutOspf } from "./guest-ospf.ts";
import { type OspfView, unknownView } from "./ospf-view.ts";
import type { Answers, Question } from "./questions.ts";
import { simulatedBgp } from "./simulated-bgp.ts";
import { simulatedOspf } from "./simulated-ospf.ts";
import { type Source, sourceOf } from "./sources.ts";

interface Reader<V> {
  readonly unknown: (node: string, obstacle: string, isUnanswered?: boolean) => V;
  readonly simulated: (node: string, spec: RouterSpec, state: RouterState | undefined) => V;
  readonly questions: (source: Source) => readonly Question[];
  readonly guest: (source: Source, answers: Answers) => V;
}

/** @param names routers, and Linux nodes with a configuration of FRR or BIRD. @returns their views in this order. */
const viewsOf =
  <V>(reader: Reader<V>) =>
  (played: Played, atNs: number | undefined, names: readonly string[]): readonly V[] => {
    const { model } = played;
    const sources = names.flatMap((name) => {
      const node = nodeNamed(model, name);
      return (node && sourceOf(node)) ?? [];
    });
    const answers = askGuests(
      played,
      atNs,
      sources.map((source) => ({ node: source.node, questions: reader.questions(source) })),
    );
    const state = played.stateAt(atNs);
    return names.map((name) => {
      const spec = nodeNamed(model, name)?.spec;
      const now = state.nodes.get(name);
      if (now?.status !== "started")
        return reader.unknown(name, `is ${now?.status === "suspended" ? "suspended" : "off"}`);
      if (spec?.type === "router")
        return reader.simulated(name, spec, now.state?.device as RouterState | undefined);
      const [source, answer] = [sources.find(({ node }) => node === name), answers.get(name)];
      if (source === undefined || answer === undefined) return reader.unknown(name, "has not answered", true);
      return reader.guest(source, answer);
    });
  };

export const ospfViews = viewsOf<OspfView>({
  unknown: unknownView,
  simulated: simulatedOspf,
  questions: questionsAboutOspf,
  guest: guestOspf,
});

export const bgpViews = viewsOf<BgpView>({
  unknown: unknownBgp,
  simulated: simulatedBgp,
  questions: questionsAboutBgp,
  guest: guestBgp,
});

const nodeNamed = ({ nodes }: LabModel, name: string) => nodes.find((node) => node.name === name);
