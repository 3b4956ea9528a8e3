/** The commands of a service, from its lines: `HEAD`, `HEAD LINE`, `no HEAD` and `no HEAD LINE`. */

import { findPort, noSuchPort } from "../../../../net/plane/find-port.ts";
import type { Line } from "../../../../settings/lines.ts";
import type { RouterProperties } from "./config.ts";
import type { ConfigureCommands, Configuring } from "./configuring.ts";
import type { ShapedService } from "./service-shape.ts";

type Words = readonly string[];
type Own = Readonly<Record<string, unknown>>;

/** @param key of the service in `properties`. */
export function serviceCommands<K extends keyof RouterProperties, N extends string, T>(
  key: K,
  { head, lines, off, about, aboutNo }: ShapedService<N, T, NonNullable<RouterProperties[K]>>,
): ConfigureCommands {
  const usage = usageOfLines({ head, lines });
  const edit = (parts: Configuring, edited: (own: Own) => Own | string) =>
    parts.change((properties) => {
      const own = edited((properties[key] ?? {}) as Own);
      return typeof own === "string" ? own : { ...properties, [key]: own };
    });
  const remove = (parts: Configuring, edited: (own: Own) => Own | undefined | string) =>
    parts.change((properties) => {
      const { [key]: own, ...others } = properties;
      if (own === undefined) return off;
      const left = edited(own as Own);
      if (left === undefined) return others as RouterProperties;
      return typeof left === "string" ? left : { ...properties, [key]: left };
    });
  const noSuchLine = (words: Words) => `There is no such line: ${join(head, ...words)}`;
  /** `HEAD PORT VALUE`: the entries of a map are lines without a word of their own. */
  const entries = lines.find((line) => line.head === "");
  const bare: ConfigureCommands = [
    {
      head,
      meaning: about,
      run: (parts, words) => edit(parts, (own) => (words.length > 0 ? usage : own)),
      checksWords: true,
    },
    {
      head: `no ${head}`,
      meaning: aboutNo,
      run: (parts, words) => remove(parts, () => (words.length > 0 ? noSuchLine(words) : undefined)),
      checksWords: true,
      unlisted: true,
    },
  ];
  return [
    ...(entries === undefined ? bare : []),
    ...lines.flatMap((line) => [
      {
        head: join(head, line.head),
        ...(line.syntax !== undefined && { syntax: line.syntax }),
        meaning: line.about,
        run: (parts: Configuring, words: Words) => {
          const named = withPort(parts, line, words);
          if (named === undefined) return [noSuchPort(words[0]!)];
          return edit(parts, (own) => line.set(own, named) ?? usage);
        },
        checksWords: true as const,
      },
      {
        head: `no ${join(head, line.head)}`,
        ...(line.named !== undefined && { syntax: line === entries ? `[${line.named}]` : line.named }),
        meaning: line === entries ? aboutNo : line.about,
        run: (parts: Configuring, words: Words) =>
          remove(parts, (own) => {
            if (line === entries && words.length === 0) return undefined;
            const left = line.unset(own, withPort(parts, line, words) ?? words);
            if (left === undefined) return noSuchLine([line.head, ...words]);
            return line === entries && line.print(left).length === 0 ? undefined : left;
          }),
        checksWords: true as const,
        ...(line !== entries && { unlisted: true as const }),
      },
    ]),
  ];
}

export const usageOfLines = ({
  head,
  lines,
}: Pick<ShapedService<string, unknown, unknown>, "head" | "lines">): string =>
  `Usage: ${lines.map((line) => join(head, line.head, line.syntax)).join(" | ")}`;

const join = (...words: readonly (string | undefined)[]): string => words.filter(Boolean).join(" ");

/** A port may be typed by its number. @returns undefined if there is no such port. */
function withPort({ core }: Configuring, { named }: Line, words: Words): Words | undefined {
  const [name, ...others] = words;
  if (named !== "PORT" || name === undefined) return words;
  const port = findPort(core.tables.ports, name);
  return port && [port.name, ...others];
}
