/** The commands of lists and route maps. */
import type { RouterCommands } from "../base/command.ts";
import { ROUTE_POLICY_CONFIGURE } from "./configure.ts";
import { showLists, showRouteMaps } from "./show.ts";

export const ROUTE_POLICY_COMMANDS: RouterCommands = [
  ...ROUTE_POLICY_CONFIGURE,
  {
    head: "show ip prefix-list",
    syntax: "[NAME]",
    meaning: "lists of prefixes of IPv4; show ipv6 prefix-list",
    run: showLists("ip prefix-list"),
  },
  {
    head: "show ipv6 prefix-list",
    syntax: "[NAME]",
    meaning: "lists of prefixes of IPv6",
    run: showLists("ipv6 prefix-list"),
    unlisted: true,
  },
  {
    head: "show bgp as-path-access-list",
    syntax: "[NAME]",
    meaning: "lists of paths",
    run: showLists("bgp as-path access-list"),
  },
  {
    head: "show bgp community-list",
    syntax: "[NAME]",
    meaning: "lists of communities",
    run: showLists("bgp community-list standard", "bgp community-list expanded"),
  },
  {
    head: "show bgp large-community-list",
    syntax: "[NAME]",
    meaning: "lists of large communities",
    run: showLists("bgp large-community-list standard", "bgp large-community-list expanded"),
  },
  { head: "show route-map", syntax: "[NAME]", meaning: "route maps", run: showRouteMaps },
];
