/** `rib`: the routes of a router that forward its packets. */
import { type BgpPath, bgpRoutesOf } from "../adjacency/bgp-routes.ts";
import { type RibEntry, ribOf } from "../adjacency/rib-view.ts";
import { holds } from "../model/comparison.ts";
import type { WantedRoute } from "../model/expectation.ts";
import { describeBgp, describePath, hasBgp } from "./bgp-path.ts";
import { type MakeCheck, type Outcome, passes } from "./check.ts";

export const rib: MakeCheck<"rib"> = ({ node, routes, protocol, isWhole }, expectation) => {
  const { atNs: momentNs } = expectation;
  return {
    momentNs,
    judge(played): Outcome {
      const of = protocol === undefined ? "" : ` of ${protocol}`;
      const expected = [
        ...routes.map(describeWanted),
        ...(isWhole ? [`no ${routes.length > 0 ? "other " : ""}route${of}`] : []),
      ].join("\n");
      const view = ribOf(played, momentNs, node);
      if ("obstacle" in view)
        return {
          status: view.isUnanswered ? "undecided" : "failed",
          expected,
          got: `${node} ${view.obstacle}`,
        };
      const known = routes.some(({ bgp }) => bgp !== undefined)
        ? bgpRoutesOf(played, momentNs, node)
        : NO_ROUTES;
      if ("obstacle" in known)
        return {
          status: known.isUnanswered ? "undecided" : "failed",
          expected,
          got: `${node} ${known.obstacle}`,
        };
      const entries = view.entries.filter((each) => protocol === undefined || each.protocol === protocol);
      const wrong = routes.flatMap((wanted) => [
        ...problemWith(wanted, entries, of),
        ...bgpProblemWith(wanted, known.paths),
      ]);
      const extra = isWhole
        ? entries.filter(({ to }) => !routes.some((wanted) => wanted.to === to)).map(describe)
        : [];
      const got = [...wrong, ...extra.map((text) => `also ${text}`)];
      const right = `${routes.length} route${routes.length === 1 ? "" : "s"} as expected, of ${entries.length}${of}`;
      return { status: passes(got.length === 0), expected, got: got.length === 0 ? right : got.join("\n") };
    },
  };
};

const NO_ROUTES = { paths: new Map<string, readonly BgpPath[]>() } as const;

function bgpProblemWith({ to, bgp }: WantedRoute, paths: ReadonlyMap<string, readonly BgpPath[]>): string[] {
  if (bgp === undefined) return [];
  const best = paths.get(to)?.find(({ isBest }) => isBest);
  if (best === undefined) return [`${to}: BGP has no best path`];
  return hasBgp(bgp, best) ? [] : [`${to} ${describePath(best)}`];
}

function describeWanted({ to, via, protocol, distance, metric, bgp }: WantedRoute): string {
  return [
    to,
    ...(via === undefined ? [] : [howOf(via)]),
    ...(protocol === undefined ? [] : [`by ${protocol}`]),
    ...(distance === undefined ? [] : [`distance ${distance.text}`]),
    ...(metric === undefined ? [] : [`metric ${metric.text}`]),
    ...(bgp === undefined ? [] : describeBgp(bgp)),
  ].join(" ");
}

const describe = ({ to, via, protocol, distance, metric }: RibEntry): string =>
  `${to} ${howOf(via)} by ${protocol}, distance ${distance}, metric ${metric}`;

const howOf = (via: readonly string[]): string =>
  via.map((each) => (/^[a-z]+$/.test(each) ? each : `via ${each}`)).join(", ");

function problemWith(wanted: WantedRoute, entries: readonly RibEntry[], of: string): string[] {
  const found = entries.find(({ to }) => to === wanted.to);
  if (found === undefined) return [`${wanted.to}: no route${of}`];
  const { via, protocol, distance, metric } = wanted;
  const isRight =
    (via === undefined || via.join() === found.via.join()) &&
    (protocol === undefined || protocol === found.protocol) &&
    (distance === undefined || holds(distance, found.distance)) &&
    (metric === undefined || holds(metric, found.metric));
  return isRight ? [] : [describe(found)];
}
