/** Whether two lists of addresses with prefix length have IPv4 addresses of one network. */
import { contains4, parsePrefix4 } from "@wirelab/engine/net/address/prefix";

export function shareNetwork(one: readonly string[], other: readonly string[]): boolean {
  const [here, there] = [one, other].map((list) => list.flatMap((text) => parsePrefix4(text) ?? []));
  return (here ?? []).some((a) =>
    (there ?? []).some((b) => contains4(a, b.address) && contains4(b, a.address)),
  );
}
