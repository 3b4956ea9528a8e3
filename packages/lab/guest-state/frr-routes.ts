/** FRR's `show ip route json` and `show ipv6 route json`, as of FRR 8.4: the routes that are in the kernel. */
import { fieldsOf } from "../file/fields.ts";
import { listOf, numberOf, parseJson, textOf } from "./json.ts";

export interface FrrRoute {
  readonly to: string;
  readonly protocol: string;
  readonly distance: number;
  readonly metric: number;
  /** Sorted: addresses, `connected`, `blackhole`, `unreachable`. */
  readonly via: readonly string[];
}

/** @returns undefined if the daemon has printed something else. */
export function parseFrrRoutes(text: string): readonly FrrRoute[] | undefined {
  const data = parseJson(text);
  if (data === undefined) return undefined;
  return Object.values(fieldsOf(data)).flatMap((candidates) =>
    listOf(candidates).flatMap((each) => {
      const { prefix, protocol, selected, distance, metric, nexthops } = fieldsOf(each);
      const [to, by] = [textOf(prefix), textOf(protocol)];
      if (to === undefined || by === undefined || selected !== true) return [];
      return [
        {
          to,
          protocol: by,
          distance: numberOf(distance) ?? 0,
          metric: numberOf(metric) ?? 0,
          via: listOf(nexthops)
            .map(fieldsOf)
            .filter(({ active }) => active === true)
            .map(viaOf)
            .toSorted(),
        },
      ];
    }),
  );
}

function viaOf({ ip, blackhole, reject, unreachable }: Readonly<Record<string, unknown>>): string {
  if (blackhole === true) return "blackhole";
  if (reject === true || unreachable === true) return "unreachable";
  return textOf(ip) ?? "connected";
}
