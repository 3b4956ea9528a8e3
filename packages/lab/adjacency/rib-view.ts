/** The routes of a node that forward its packets, at a moment: the same for simulated routers and for FRR. */
import type { RouterState } from "@wirelab/engine/devices/router/index";
import { tablesOf } from "@wirelab/engine/devices/router/shell/tables-of";
import { formatAnyAddress, formatAnyPrefix } from "@wirelab/engine/net/address/prefix";
import type { Route } from "@wirelab/engine/net/fib/route";
import { parseFrrRoutes } from "../guest-state/frr-routes.ts";
import type { Played } from "../play/play.ts";
import { askGuests } from "./ask-guests.ts";

/** What forwards the packets to a network. */
export interface RibEntry {
  /** The network in its usual spelling. */
  readonly to: string;
  readonly protocol: string;
  readonly distance: number;
  readonly metric: number;
  /** Sorted: addresses, `connected`, `blackhole`, `unreachable`. */
  readonly via: readonly string[];
}

export type RibView =
  | { readonly entries: readonly RibEntry[] }
  /** @param isUnanswered whether it is open which routes the node has. */
  | { readonly obstacle: string; readonly isUnanswered: boolean };

/** @param name a router, or a Linux node with FRR. */
export function ribOf(played: Played, atNs: number | undefined, name: string): RibView {
  const spec = played.model.nodes.find((node) => node.name === name)?.spec;
  const now = played.stateAt(atNs).nodes.get(name);
  if (now?.status !== "started")
    return { obstacle: `is ${now?.status === "suspended" ? "suspended" : "off"}`, isUnanswered: false };
  if (spec?.type === "router") {
    const { routes4, routes6 } = tablesOf(spec, now.state?.device as RouterState | undefined);
    return { entries: [...entriesOf(routes4.list()), ...entriesOf(routes6.list())] };
  }
  const answers = askGuests(played, atNs, [{ node: name, questions: ["frr routes", "frr routes 6"] }]);
  const texts = answers.get(name);
  if (texts === undefined) return { obstacle: "has not answered", isUnanswered: true };
  const [routes4, routes6] = (["frr routes", "frr routes 6"] as const).map((each) =>
    parseFrrRoutes(texts.get(each) ?? ""),
  );
  if (routes4 === undefined || routes6 === undefined)
    return { obstacle: "prints routes that the reader does not understand", isUnanswered: true };
  return { entries: [...routes4, ...routes6] };
}

function entriesOf(routes: readonly Route<number | bigint>[]): readonly RibEntry[] {
  const byPrefix = Map.groupBy(routes, ({ network, prefixLength }) =>
    formatAnyPrefix({ address: network, prefixLength } as Parameters<typeof formatAnyPrefix>[0]),
  );
  return [...byPrefix].flatMap(([to, [first, ...others]]) =>
    first === undefined
      ? []
      : [
          {
            to,
            protocol: first.source,
            distance: first.distance,
            metric: first.metric,
            via: [first, ...others].map(howOf).toSorted(),
          },
        ],
  );
}

const howOf = ({ via, port, reject }: Route<number | bigint>): string =>
  via === undefined ? (port < 0 ? String(reject) : "connected") : formatAnyAddress(via);
