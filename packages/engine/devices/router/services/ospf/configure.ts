/** The commands that configure OSPF, the router's and at ports: the words of FRR. */
import type { MapKind } from "../../../../settings/collections.ts";
import type { Shape } from "../../../../settings/shape.ts";
import type { PortProperties } from "../base/config.ts";
import type { ConfigureCommands } from "../base/configuring.ts";
import { portCommand, USAGE } from "../base/edit.ts";
import { serviceCommands } from "../base/service-commands.ts";
import { OSPF_PORT } from "./port-settings.ts";
import { OSPF } from "./settings.ts";

type Own = Readonly<Record<string, unknown>>;
type Row = Shape[string];

/** `ip ospf LINE PORT VALUE` and `no ip ospf LINE PORT`. In the mode of an interface the port is left out. */
const PORT_LINES: ConfigureCommands = Object.entries<Row>(OSPF_PORT).flatMap(([key, row]) => {
  const { kind, line = key, about = "", isPresence } = row;
  const entries = "key" in kind;
  const value = isPresence
    ? ""
    : ` ${entries ? `ID ${kind.placeholder.split(" ").slice(1).join(" ")}` : kind.placeholder}`;
  const usage = `ip ospf ${line} PORT${value}`;
  const named = entries ? " ID" : "";
  return [
    {
      head: `ip ospf ${line}`,
      syntax: `PORT${value}`,
      meaning: about,
      run: portCommand(usage, (port, words) => edited(port, (own) => setIn(own, key, row, words))),
      checksWords: true as const,
    },
    {
      head: `no ip ospf ${line}`,
      syntax: `PORT${named}`,
      meaning: about,
      run: portCommand(`no ip ospf ${line} PORT${named}`, (port, words) =>
        edited(port, (own) => unsetIn(own, key, row, words)),
      ),
      checksWords: true as const,
      unlisted: true as const,
    },
  ];
});

function edited(port: PortProperties, edit: (own: Own) => Own | string | undefined): PortProperties | string {
  const { ospf = {}, ...others } = port;
  const own = edit(ospf as Own);
  if (own === undefined) return USAGE;
  if (typeof own === "string") return own;
  return Object.keys(own).length === 0 ? others : { ...others, ospf: own };
}

function setIn(own: Own, key: string, { kind, isPresence }: Row, words: readonly string[]): Own | undefined {
  if (isPresence) return words.length > 0 ? undefined : { ...own, [key]: true };
  if (!("key" in kind)) {
    const value = kind.parse(words);
    return value === undefined ? undefined : { ...own, [key]: value };
  }
  const [id = "", ...rest] = words;
  const secret = (kind as MapKind<unknown, never>).value.parse(rest);
  if (id === "" || secret === undefined) return undefined;
  return { ...own, [key]: { ...(own[key] as Own | undefined), [id]: secret } };
}

function unsetIn(
  own: Own,
  key: string,
  { kind, line }: Row,
  words: readonly string[],
): Own | string | undefined {
  const { [key]: before, ...others } = own;
  // FRR's line against `passive-interface default`.
  if (before === undefined && key === "passive") return { ...others, passive: false };
  if (before === undefined) return `There is no such line: ip ospf ${line}`;
  if (!("key" in kind)) return others;
  const [id] = words;
  if (id === undefined) return others;
  const { [id]: secret, ...left } = before as Own;
  if (secret === undefined) return `There is no such line: ip ospf ${line} ${id}`;
  return Object.keys(left).length === 0 ? others : { ...others, [key]: left };
}

export const OSPF_CONFIGURE: ConfigureCommands = [...serviceCommands("ospf", OSPF), ...PORT_LINES];
