/** The files that containerlab makes for the kind `frr`: `frr.conf` from `startup-config`, `daemons` from `extras`, `vtysh.conf`. */
import type { Problems } from "../../file/problem.ts";
import type { Container } from "./container.ts";

const FOLDER = "/etc/frr";
/** Daemons that zebra's image runs in any case, and those that it can start. */
const DAEMONS = [
  ...["zebra", "staticd", "mgmtd", "watchfrr", "ospfd", "bgpd", "ospf6d", "ripd", "ripngd", "isisd", "bfdd"],
  ...["pimd", "ldpd", "vrrpd", "pbrd", "fabricd", "eigrpd", "babeld", "nhrpd"],
];
/** Asks the image `frr` to start the daemons that `frr.conf` configures: those that it does not name have nothing to do. */
const CONFIGURED = "configured=yes\n";

export function frrFiles(
  { startupConfig, daemons, path }: Container,
  folder: string,
  problems: Problems,
): Record<string, string | { readonly from: string }> {
  for (const daemon of daemons ?? [])
    if (!DAEMONS.includes(daemon))
      problems.add([...path, "extras"], `cannot be run here: there is no daemon ${JSON.stringify(daemon)}.`, {
        given: daemon,
        known: DAEMONS,
      });
  return {
    [`${FOLDER}/daemons`]: daemons?.map((daemon) => `${daemon}=yes\n`).join("") ?? CONFIGURED,
    [`${FOLDER}/vtysh.conf`]: "service integrated-vtysh-config\n",
    ...(startupConfig && { [`${FOLDER}/frr.conf`]: configOf(startupConfig, folder, problems) }),
  };
}

/** A text of several lines, or the path of a file. */
function configOf(
  { text, path }: NonNullable<Container["startupConfig"]>,
  folder: string,
  problems: Problems,
): string | { readonly from: string } {
  if (text.includes("\n")) return text;
  if (/^[a-z0-9]+:\/\/|^~/.test(text))
    problems.add(
      path,
      `cannot be run here: ${JSON.stringify(text)} is not beside the topology. Copy the file there, and name the copy.`,
    );
  return { from: text.startsWith("/") ? text : `${folder}${text}` };
}
