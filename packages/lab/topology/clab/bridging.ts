/** Finds containers that are a host on a bridge of their own: their links are the ports of the bridge, and the bridge has their address. */
import type { LinuxConfig } from "../linux-config.ts";
import { readScript } from "../linux-exec.ts";
import type { Container } from "./container.ts";
import { scriptOf } from "./shell-words.ts";

/** @param addresses what the commands configure, by interface. */
export function isHostOnBridge(
  { ends, commands }: Pick<Container, "ends" | "commands">,
  { addresses }: Pick<LinuxConfig, "addresses">,
): boolean {
  const lines = commands.flatMap(({ words }) => {
    const script = scriptOf(words);
    return script === undefined ? [words] : (readScript(script) ?? []);
  });
  const bridges = new Map(lines.flatMap((words) => portOf(words) ?? []));
  const used = new Set(ends.map(({ port }) => bridges.get(port)));
  const [bridge] = used;
  return used.size === 1 && bridge !== undefined && addresses.size === 1 && addresses.has(bridge);
}

/** `ip link set eth1 up master br0`, `ip link set dev eth1 master br0`, `brctl addif br0 eth1` */
function portOf(words: readonly string[]): [readonly [port: string, bridge: string]] | undefined {
  const [program, object = "", action = "", ...others] = words;
  if (program === "brctl" && object === "addif") return [[others[0] ?? "", action]];
  if (program !== "ip" || !/^l(?:i(?:nk?)?)?$/.test(object) || action !== "set") return undefined;
  const wordAfter = (key: string): string | undefined =>
    others.includes(key) ? others[others.indexOf(key) + 1] : undefined;
  const bridge = wordAfter("master");
  return bridge === undefined ? undefined : [[wordAfter("dev") ?? others[0] ?? "", bridge]];
}
