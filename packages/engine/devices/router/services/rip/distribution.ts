/** `distribute-list prefix NAME in|out [PORT]`: which routes RIP takes and sends. As in FRR, a list that does not exist permits all. */
import type { Prefix4 } from "../../../../net/address/prefix.ts";
import type { Policies } from "../../../../routing/policy/policies.ts";
import { checked, type Kind, text } from "../../../../settings/kind.ts";
import { namedPort, type Ports } from "../base/port-kind.ts";

const FORM = /^(\S+) (in|out)(?: (\S+))?$/;

/** The words of the line: `A in Ethernet0`. */
const words: Kind<string> = {
  ...text("NAME in|out [PORT]"),
  parse: (given) => (FORM.test(given.join(" ")) ? given.join(" ") : undefined),
};

export const distribution: Kind<string, Ports> = checked(words, (given, ports: Ports) => {
  const [, , , port] = FORM.exec(given) ?? [];
  if (!FORM.test(given)) return `${given} is not the name of a prefix list, in or out, and perhaps a port`;
  return port === undefined || namedPort(port, ports) !== null ? undefined : `there is no port ${port}`;
});

/** Whether all lists of the direction at a port permit a route. */
export function isTaken(
  lists: readonly string[] | undefined,
  direction: "in" | "out",
  port: string,
  policies: Policies,
  prefix: Prefix4,
): boolean {
  return (lists ?? []).every((given) => {
    const [, name = "", way, at] = FORM.exec(given) ?? [];
    if (way !== direction || (at !== undefined && at.toLowerCase() !== port.toLowerCase())) return true;
    return !policies.hasPrefixList(4, name) || policies.prefix(4, name, prefix);
  });
}
