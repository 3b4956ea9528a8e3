/** `pbr-map ...` and `pbr-policy ...`: policy routing at the console. */
import { text } from "../../../../settings/kind.ts";
import type { RouterProperties } from "../base/config.ts";
import type { ConfigureCommands } from "../base/configuring.ts";
import { changing, portCommand, settingCommand, USAGE } from "../base/edit.ts";
import { withoutRule, withRule } from "../base/numbered-rules.ts";
import { PBR_RULE_USAGE } from "./parse-pbr-rule.ts";
import { PBR_GRAMMAR } from "./settings.ts";

type Lines = readonly string[];

const MAP_USAGE = `pbr-map NAME ${PBR_RULE_USAGE}`;
const NO_MAP_USAGE = "no pbr-map NAME [seq N]";

const pbrPolicyCommand = settingCommand("pbr_policy", text("MAP"), "pbr-policy PORT NAME");

const noPbrPolicyCommand = portCommand("no pbr-policy PORT", (port, words) => {
  const { pbr_policy, ...others } = port;
  if (words.length > 0) return USAGE;
  return pbr_policy === undefined ? `${port.name} has no PBR map` : others;
});

/** The first rule of a map creates it. */
function addRule(properties: RouterProperties, [name, ...words]: Lines): RouterProperties | string {
  if (name === undefined || words.length === 0) return `Usage: ${MAP_USAGE}`;
  const { pbr_maps: before = [] } = properties;
  const map = before.find((each) => each.name === name) ?? { name, rules: [] };
  const maps = withRule(before, map, words.join(" "), PBR_GRAMMAR, "map");
  return typeof maps === "string" ? maps : { ...properties, pbr_maps: maps };
}

function removeRule(
  properties: RouterProperties,
  [name, seq, number, ...rest]: Lines,
): RouterProperties | string {
  const isOne = seq?.toLowerCase() === "seq" && number !== undefined;
  if (name === undefined || rest.length > 0 || (seq !== undefined && !isOne)) return `Usage: ${NO_MAP_USAGE}`;
  const { pbr_maps: before = [] } = properties;
  const map = before.find((each) => each.name === name);
  if (map === undefined) return `There is no PBR map ${name}`;
  const maps = withoutRule(before, map, number, "map");
  return typeof maps === "string" ? maps : { ...properties, pbr_maps: maps };
}

export const POLICY_CONFIGURE: ConfigureCommands = [
  {
    head: "pbr-map",
    syntax:
      "NAME [seq N] [match] [src-ip PREFIX] [dst-ip PREFIX] [ip-protocol tcp|udp|icmp|icmpv6|NUMBER] [src-port N[-M]] [dst-port N[-M]] [dscp DSCP] set [dscp DSCP] [nexthop GW [track ADDR]]... [vrf VRF] [drop]",
    usage: MAP_USAGE,
    meaning: "add a rule to a map of policy routing, in place of the one with its number",
    run: changing(addRule),
    checksWords: true,
  },
  {
    head: "no pbr-map",
    syntax: "MAP [seq N]",
    usage: NO_MAP_USAGE,
    meaning: "remove a rule, or a map",
    run: changing(removeRule),
    checksWords: true,
  },
  {
    head: "pbr-policy",
    syntax: "PORT MAP",
    usage: "pbr-policy PORT NAME",
    meaning: "let a map decide the way of the packets that arrive at a port and are forwarded",
    run: pbrPolicyCommand,
    checksWords: true,
  },
  {
    head: "no pbr-policy",
    syntax: "PORT",
    meaning: "let the table of routes decide again",
    run: noPbrPolicyCommand,
    checksWords: true,
  },
];
