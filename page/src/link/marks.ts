/** What is special about a link: each mark has a shape on the map and in the list, and words. Pure. */
import type { Impairments, Link } from "../api/types.ts";
import type { LinkTraffic } from "../lab/traffic.ts";

export type MarkKind = "suspended" | "filtered" | "impaired" | "losing" | "capturing";

export interface Mark {
  readonly kind: MarkKind;
  readonly words: string;
}

/**
 * @param impairments as far as the page knows them; undefined and an empty set are no mark.
 * @param recent what the link carried last; packets that it lost are a mark.
 */
export function marksOf(
  { suspend, filters, capturing }: Pick<Link, "suspend" | "filters" | "capturing">,
  impairments?: Impairments,
  recent?: LinkTraffic["recent"],
): Mark[] {
  const marks: Mark[] = [];
  if (suspend) marks.push({ kind: "suspended", words: "suspended" });
  if (Object.keys(filters).length > 0) marks.push({ kind: "filtered", words: filterWords(filters) });
  if (impairments && Object.keys(impairments).length > 0)
    marks.push({ kind: "impaired", words: impairmentWords(impairments) });
  if (recent && recent.lost > 0)
    marks.push({
      kind: "losing",
      words: `lost ${COUNT.format(recent.lost)} of ${COUNT.format(recent.packets)}`,
    });
  if (capturing) marks.push({ kind: "capturing", words: "capture" });
  return marks;
}

const COUNT = new Intl.NumberFormat("en");

function filterWords(filters: Link["filters"]): string {
  const loss = filters.packet_loss?.[0];
  const delay = filters.delay?.[0];
  const others = Object.keys(filters).filter((type) => type !== "packet_loss" && type !== "delay");
  return [
    loss !== undefined && `${loss} % loss`,
    delay !== undefined && `${delay} ms`,
    ...others.map((type) => type.replaceAll("_", " ")),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The set has too much for a line: the panel of the link shows it. */
function impairmentWords({ carrier, preset }: Impairments): string {
  if (carrier === "down") return "cable pulled";
  return typeof preset === "string" ? preset : "impaired";
}
