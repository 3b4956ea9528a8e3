/** `ip nat ...` and `no ip nat ...`, as edits of the router's `properties`; each returns an error as text. */
import type { RouterProperties } from "../base/config.ts";
import { NAT_LINES } from "./settings.ts";

export const NAT_USAGES = NAT_LINES.map(({ head, syntax }) =>
  ["ip nat", head, syntax].filter(Boolean).join(" "),
);
const USAGE = `Usage: [no] ${NAT_USAGES.join(" | [no] ")}`;

/** A rule is removed by the words that added it, as `show running-config` prints them. */
const edit =
  (way: "set" | "unset") =>
  (properties: RouterProperties, [what = "", ...words]: readonly string[]): RouterProperties | string => {
    const line = NAT_LINES.find(({ head }) => head === what.toLowerCase());
    const nat = line?.[way](properties.nat ?? {}, words);
    if (nat !== undefined) return { ...properties, nat };
    return way === "unset" && line?.named !== undefined
      ? "There is no such rule: show running-config lists the rules"
      : USAGE;
  };

export const addNat = edit("set");
export const removeNat = edit("unset");
