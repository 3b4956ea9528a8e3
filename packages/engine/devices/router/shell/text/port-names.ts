/** The names of ports that `properties` do not name: FRR's on Linux (eth0), if the configuration has them, else the router's (Ethernet0). */
import type { PortProperties } from "../../services/base/config.ts";
import { DEFAULT_PORTS, defaultPortName, MAX_PORTS } from "../config.ts";

const LINUX = /^eth(0|[1-9]\d?)(\.\d+)?$/;
const OWN = /^Ethernet(0|[1-9]\d?)(\.\d+)?$/;

/**
 * @param given undefined if `properties` have no ports: then there are as many as the configuration has blocks for, four at least.
 * @param text the configuration.
 */
export function namePorts(given: readonly PortProperties[] | undefined, text: string): PortProperties[] {
  const words = text.split(/\s+/);
  const isLinux = words.some((word) => LINUX.test(word));
  const nameOf = isLinux ? (index: number) => `eth${index}` : defaultPortName;
  const blocks = words.flatMap((word, at) => {
    const number = words[at - 1] === "interface" ? (isLinux ? LINUX : OWN).exec(word)?.[1] : undefined;
    return number === undefined ? [] : [Number(number)];
  });
  const count =
    given?.length ?? Math.min(MAX_PORTS, Math.max(DEFAULT_PORTS, ...blocks.map((each) => each + 1)));
  return Array.from({ length: count }, (_, index) => ({ name: nameOf(index), ...given?.[index] }));
}
