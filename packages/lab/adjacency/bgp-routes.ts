/** The routes of BGP that a node knows, at a moment, with their attributes: the same for simulated routers and for FRR. */
import type { RouterSpec, RouterState } from "@wirelab/engine/devices/router/index";
import { bgpBetweenRuns } from "@wirelab/engine/devices/router/services/bgp/between-runs";
import { tablesOf } from "@wirelab/engine/devices/router/shell/tables-of";
import { formatAnyPrefix } from "@wirelab/engine/net/address/prefix";
import { ORIGIN_WORDS } from "@wirelab/engine/routing/bgp/attributes";
import { whyNotBest } from "@wirelab/engine/routing/bgp/explain";
import type { Bgp, Entry, Path } from "@wirelab/engine/routing/bgp/state";
import { asPathText } from "@wirelab/engine/wire/bgp-text";
import { formatIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { type FrrBgpPath, parseFrrBgpRoutes } from "../guest-state/frr-bgp-routes.ts";
import type { Played } from "../play/play.ts";
import { askGuests } from "./ask-guests.ts";

export interface BgpPath extends FrrBgpPath {
  /** As `65001:100`, ascending; undefined where they are not read. */
  readonly communities: readonly string[] | undefined;
  /** The step of the decision by which it is worse than the best path; undefined where it is not known. */
  readonly lostBy: string | undefined;
}

export type BgpRoutes =
  /** The paths by prefix in its usual spelling. */
  | { readonly paths: ReadonlyMap<string, readonly BgpPath[]> }
  | { readonly obstacle: string; readonly isUnanswered: boolean };

/** @param name a router, or a Linux node with FRR. */
export function bgpRoutesOf(played: Played, atNs: number | undefined, name: string): BgpRoutes {
  const spec = played.model.nodes.find((node) => node.name === name)?.spec;
  const now = played.stateAt(atNs).nodes.get(name);
  if (now?.status !== "started")
    return { obstacle: `is ${now?.status === "suspended" ? "suspended" : "off"}`, isUnanswered: false };
  if (spec?.type === "router") return simulated(spec, now.state?.device as RouterState | undefined);
  const text = askGuests(played, atNs, [{ node: name, questions: ["frr bgp routes"] }])
    .get(name)
    ?.get("frr bgp routes");
  if (text === undefined) return { obstacle: "has not answered", isUnanswered: true };
  if (text.trim() === "") return { obstacle: "does not run BGP", isUnanswered: false };
  const routes = parseFrrBgpRoutes(text);
  if (routes === undefined)
    return { obstacle: "prints routes of BGP that the reader does not understand", isUnanswered: true };
  const paths = [...routes].map(
    ([to, all]) => [to, all.map((each) => ({ ...each, communities: undefined, lostBy: undefined }))] as const,
  );
  return { paths: new Map(paths) };
}

function simulated(spec: RouterSpec, state: RouterState | undefined): BgpRoutes {
  const process = state && bgpBetweenRuns(state.running, tablesOf(spec, state), state.services?.bgp);
  if (process === undefined) return { obstacle: "does not run BGP", isUnanswered: false };
  const bgp = process.state;
  const entries = [...bgp.table.values()].map((entry) => {
    const to = formatAnyPrefix({ address: entry.network, prefixLength: entry.length });
    return [to, entry.paths.map((path) => pathOf(bgp, entry, path))] as const;
  });
  return { paths: new Map(entries) };
}

function pathOf(bgp: Bgp, entry: Entry, path: Path): BgpPath {
  const { attributes, weight, neighbour } = path;
  const isBest = path === entry.best;
  return {
    isBest,
    via: neighbour === undefined ? "local" : formatIpv4(attributes.nextHop),
    asPath: asPathText(attributes.asPath),
    origin: (ORIGIN_WORDS[attributes.origin] ?? "").toLowerCase(),
    localPreference:
      attributes.localPreference ??
      (neighbour === undefined ? bgp.config.bestPath.defaultLocalPreference : undefined),
    med: attributes.med ?? undefined,
    weight,
    reason: isBest ? entry.reason : undefined,
    communities: attributes.communities.map((each) => `${each >>> 16}:${each & 0xffff}`),
    lostBy: whyNotBest(bgp, entry, path),
  };
}
