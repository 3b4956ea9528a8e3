/** Commands that edit the running configuration, in the form of the API's `properties`. */
import { findPort, noSuchPort } from "../../../../net/plane/find-port.ts";
import type { Kind } from "../../../../settings/kind.ts";
import type { PortProperties, RouterProperties } from "./config.ts";
import type { Configure } from "./configuring.ts";

type Edit = (properties: RouterProperties, args: readonly string[]) => RouterProperties | string;
type PortEdit = (
  port: PortProperties,
  args: readonly string[],
  properties: RouterProperties,
) => PortProperties | string;

export const changing =
  (edit: Edit): Configure =>
  (parts, args) =>
    parts.change((properties) => edit(properties, args));

/** A command with the words of a setting. @param off the word that takes it away. */
export const settingCommand = (
  key: keyof PortProperties,
  kind: Pick<Kind<unknown>, "parse">,
  usage: string,
  off?: string,
) =>
  portCommand(usage, (port, words) => {
    if (words.length === 1 && words[0]!.toLowerCase() === off) {
      const { [key]: _, ...others } = port;
      return others;
    }
    const value = kind.parse(words);
    return value === undefined ? USAGE : { ...port, [key]: value };
  });

/** An error text that is replaced by the usage of the current command. */
export const USAGE = "";

/** A command whose first argument is a port. */
export function portCommand(usage: string, edit: PortEdit): Configure {
  return (parts, [name, ...args]) => {
    if (name === undefined) return [`Usage: ${usage}`];
    const index = findPort(parts.core.tables.ports, name)?.index;
    if (index === undefined) return [noSuchPort(name)];
    return parts.change((properties) => {
      const { ports = [], interfaces = [] } = properties;
      const edited = edit([...ports, ...interfaces][index]!, args, properties);
      if (typeof edited === "string") return edited === USAGE ? `Usage: ${usage}` : edited;
      if (index < ports.length) return { ...properties, ports: ports.with(index, edited) };
      return { ...properties, interfaces: interfaces.with(index - ports.length, edited) };
    });
  };
}
