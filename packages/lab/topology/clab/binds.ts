/** Reads `binds`: files and folders beside the topology that the container sees. */
import type { Problems } from "../../file/problem.ts";
import type { Container, Placed } from "./container.ts";

/** Files of the host that a guest has of its own. */
const OWN_FILES =
  /^\/(?:lib\/modules|usr\/lib\/modules|sys(?:\/fs\/cgroup)?|dev(?:\/[\w/-]+)?|etc\/(?:localtime|timezone|hosts|resolv\.conf))\/?$/;
/** Sockets, and folders that differ from machine to machine. */
const OF_HOST = /^~|\.sock$|^\/(?:var\/run|run|proc|sys|dev|etc|root|usr|lib)(?:\/|$)|^\/$/;
/** Files without which a simulated device is the same: names of hosts, time zones, modules. */
const WITHOUT_EFFECT = /^\/(?:lib\/modules|etc\/(?:hosts|localtime|timezone))\/?$/;

const partsOf = ({ text }: Placed): readonly [source: string, target: string] => {
  const [source = "", target = ""] = text.split(":");
  return [source, target];
};

/** Whether a container sees files that a simulated device does not have. */
export const seesFiles = ({ binds }: Container): boolean =>
  binds.some((bind) => !WITHOUT_EFFECT.test(partsOf(bind)[1]));

/** `router1/frr.conf:/etc/frr/frr.conf:ro`; a more special bind of a target replaces the others. */
export function readBinds(
  { binds }: Container,
  folder: string,
  problems: Problems,
): Record<string, { readonly from: string }> {
  const files: Record<string, { readonly from: string }> = {};
  for (const bind of binds) {
    const [source, target] = partsOf(bind);
    if (OWN_FILES.test(source)) continue;
    if (source === "" || target === "") {
      problems.add(bind.path, `must be source:target, got ${JSON.stringify(bind.text)}.`);
    } else if (OF_HOST.test(source)) {
      problems.add(
        bind.path,
        `cannot be run here: ${JSON.stringify(source)} belongs to the host. Copy what the node needs beside the topology, or delete the bind.`,
      );
    } else files[target] = { from: source.startsWith("/") ? source : `${folder}${source}` };
  }
  return files;
}
