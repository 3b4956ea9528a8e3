/** `adjacency` with `protocol: bgp`: whether two routers have a session, and if not, in what their two ends differ. */
import { type BgpEnd, bgpDifferences, policyRemarks } from "../adjacency/bgp-end.ts";
import { type BgpView, findSessions, type Session } from "../adjacency/bgp-view.ts";
import { bgpViews } from "../adjacency/views.ts";
import type { LabModel } from "../model/lab-model.ts";
import type { Played } from "../play/play.ts";
import { type ClaimOf, type Outcome, passes } from "./check.ts";

const UP = "Established";

export function judgeSession(
  { ends, state: wanted }: ClaimOf<"adjacency">,
  played: Played,
  momentNs: number | undefined,
  model: LabModel,
): Outcome {
  const views = bgpViews(
    played,
    momentNs,
    ends.map(({ node }) => node),
  ) as [BgpView, BgpView];
  const [one, other] = views;
  const expected = `a BGP session of ${one.node} and ${other.node}: ${wanted ?? UP}`;
  const unknown = views.filter(({ obstacle }) => obstacle !== undefined);
  if (unknown.length > 0) {
    const got = unknown.map(({ node, obstacle }) => `${node} ${obstacle}`).join("; ");
    return { status: unknown.some((view) => view.isUnanswered) ? "undecided" : "failed", expected, got };
  }
  const sessions = findSessions(views, [ends[0].port, ends[1].port]);
  if (sessions.length === 0)
    return {
      status: "failed",
      expected,
      got: `neither of ${one.node} and ${other.node} names the other as its neighbour`,
    };
  const isRight = ({ state }: BgpEnd): boolean => state.toLowerCase() === (wanted ?? UP.toLowerCase());
  const looked = sessions.map((session) => ({
    session,
    isUp: session.every((end) => end !== undefined && isRight(end)),
  }));
  const cut = downLinks(views, played, momentNs, model);
  const got = looked.flatMap(({ session, isUp }) => [
    describe(session, views),
    ...(isUp ? [] : [...cut, ...reasonsFor(session, views)]),
    ...(isWhole(session) ? policyRemarks(session) : []),
  ]);
  return { status: passes(looked.every(({ isUp }) => isUp)), expected, got: got.join("\n") };
}

const isWhole = (session: Session): session is readonly [BgpEnd, BgpEnd] =>
  session.every((end) => end !== undefined);

const describe = (session: Session, views: readonly BgpView[]): string =>
  session
    .map((end, index) =>
      end === undefined
        ? `${views[index]?.node} names no address of ${views[1 - index]?.node} as its neighbour`
        : `${end.node} shows ${end.name} ${end.state}${end.lastError === undefined || end.state === UP ? "" : ` (last: ${end.lastError})`}`,
    )
    .join("; ");

function reasonsFor(session: Session, views: readonly BgpView[]): string[] {
  if (isWhole(session)) return bgpDifferences(session);
  // The end without the neighbour may name another address for it.
  return session.flatMap((end, index) => {
    if (end !== undefined) return end.unreachable === undefined ? [] : [`${end.node} ${end.unreachable}`];
    const view = views[index];
    const names = view?.ends.map(({ name }) => name).join(", ");
    return [names ? `the neighbours of ${view?.node} are ${names}` : `${view?.node} has no neighbours`];
  });
}

/** Links between the two that are down. */
function downLinks(
  [one, other]: readonly [BgpView, BgpView],
  played: Played,
  momentNs: number | undefined,
  { links }: LabModel,
): string[] {
  const state = played.stateAt(momentNs);
  const isBetween = (ends: LabModel["links"][number]["ends"]): boolean =>
    [one, other].every((view) => ends.some(({ node }) => node === view.node));
  return links.flatMap(({ name, ends }) =>
    isBetween(ends) && state.links.get(name)?.isDown ? [`the link ${name} is down`] : [],
  );
}
