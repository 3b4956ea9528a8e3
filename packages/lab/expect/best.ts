/** `best`: the path that BGP has chosen to a network, and why the others lost. */
import { type BgpPath, bgpRoutesOf } from "../adjacency/bgp-routes.ts";
import { describeBgp, describePath, hasBgp } from "./bgp-path.ts";
import { type MakeCheck, type Outcome, passes } from "./check.ts";

export const best: MakeCheck<"best"> = ({ node, to, via, reason, bgp }, { atNs: momentNs }) => {
  const wanted = [
    ...(via === undefined ? [] : [via === "local" ? "local" : `via ${via}`]),
    ...describeBgp(bgp),
    ...(reason === undefined ? [] : [`chosen by ${reason}`]),
  ];
  const expected = `${node} has chosen to ${to} a path${wanted.length === 0 ? "" : `: ${wanted.join(", ")}`}`;
  return {
    momentNs,
    judge(played): Outcome {
      const known = bgpRoutesOf(played, momentNs, node);
      if ("obstacle" in known)
        return {
          status: known.isUnanswered ? "undecided" : "failed",
          expected,
          got: `${node} ${known.obstacle}`,
        };
      const paths = known.paths.get(to) ?? [];
      const chosen = paths.find(({ isBest }) => isBest);
      const isRight =
        chosen !== undefined &&
        (via === undefined || via === chosen.via) &&
        (reason === undefined || reason === chosen.reason) &&
        hasBgp(bgp, chosen);
      return { status: passes(isRight), expected, got: describeAll(chosen, paths) };
    },
  };
};

function describeAll(chosen: BgpPath | undefined, paths: readonly BgpPath[]): string {
  const first =
    chosen === undefined
      ? `no path is chosen, of ${paths.length}`
      : `${describePath(chosen)}${chosen.reason === undefined ? "" : `: chosen by ${chosen.reason}`}`;
  const others = paths
    .filter((path) => path !== chosen)
    .map((path) => `not ${describePath(path)}${path.lostBy === undefined ? "" : `: ${path.lostBy}`}`);
  return [first, ...others].join("\n");
}
