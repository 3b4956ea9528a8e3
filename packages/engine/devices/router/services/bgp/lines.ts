/** The settings of BGP make these lines: some stand in `router bgp`, the others in `address-family ipv4 unicast`. */
import { type Line, linesOf, together } from "../../../../settings/lines.ts";
import type { Shape } from "../../../../settings/shape.ts";
import { IPV4_UNICAST, PROCESS } from "./process-settings.ts";

type Properties = Readonly<Record<string, unknown>>;

/** A line without a value, or its `no`: what is not the default is printed. */
function switchLine(
  key: string,
  { name = key, line: head = key, about = "", otherwise }: Shape[string],
): Line {
  const setting = (properties: Properties, words: readonly string[], value: boolean) =>
    words.length > 0 ? undefined : { ...properties, [key]: value };
  return {
    head,
    about,
    set: (properties, words) => setting(properties, words, true),
    unset: (properties, words) => setting(properties, words, false),
    print: ({ [name]: value }) => (value === otherwise ? [] : [value ? head : `no ${head}`]),
  };
}

const isSwitch = ({ otherwise }: Shape[string]): boolean => typeof otherwise === "boolean";

const linesIn = (shape: Shape): Line[] => {
  const rows = Object.entries(shape);
  return rows.flatMap(([key, row]) => (isSwitch(row) ? [switchLine(key, row)] : linesOf({ [key]: row })));
};

export const PROCESS_LINES: readonly Line[] = [
  ...linesIn(PROCESS),
  together(PROCESS, ["keepalive_seconds", "hold_seconds"], {
    head: "timers bgp",
    syntax: "KEEPALIVE HOLDTIME",
    about: "seconds between keepalives (60), and without a message until a session is lost (180)",
  }),
];

export const IPV4_LINES: readonly Line[] = [
  ...linesIn(IPV4_UNICAST as Shape),
  together(IPV4_UNICAST as Shape, ["external_distance", "internal_distance", "local_distance"], {
    head: "distance bgp",
    syntax: "EXTERNAL INTERNAL LOCAL_ROUTES",
    about: "distances of external (20), internal (200) and own routes (200)",
  }),
];
