/** `passive-interface`: ports that are passive, or with `default` all but some. */
import type { Line } from "../../../../settings/lines.ts";

type Properties = Readonly<Record<string, unknown>>;
type Words = readonly string[];

const listOf = (properties: Properties, key: string): Words => (properties[key] ?? []) as Words;

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** A list that is empty is absent. */
function changed(
  properties: Properties,
  key: string,
  port: string,
  isThere: boolean,
): Properties | undefined {
  const before = listOf(properties, key);
  const others = before.filter((each) => !isSame(each, port));
  if (!isThere && others.length === before.length) return undefined;
  return { ...properties, [key]: isThere ? [...before, port] : others };
}

/** @param about of one port. The settings are `passive`, `passive_default` and `active`, with `passiveDefault` in code. */
export const passiveLines = (about: string): readonly Line[] => [
  {
    head: "passive-interface",
    syntax: "PORT",
    named: "PORT",
    about,
    set(properties, [port, ...more]) {
      if (port === undefined || more.length > 0) return undefined;
      if (properties.passive_default !== true) return changed(properties, "passive", port, true);
      return changed(properties, "active", port, false) ?? properties;
    },
    unset(properties, [port, ...more]) {
      if (port === undefined || more.length > 0) return undefined;
      if (properties.passive_default !== true) return changed(properties, "passive", port, false);
      const others = changed(properties, "passive", port, false) ?? properties;
      return listOf(others, "active").some((each) => isSame(each, port))
        ? others
        : changed(others, "active", port, true);
    },
    print: ({ passiveDefault, passive, active }) => [
      ...(passiveDefault === true ? ["passive-interface default"] : []),
      ...((passive ?? []) as Words).map((port) => `passive-interface ${port}`),
      ...((active ?? []) as Words).map((port) => `no passive-interface ${port}`),
    ],
  },
  {
    head: "passive-interface default",
    about: "the same at all ports; no passive-interface PORT excepts one",
    set: (properties, words) => (words.length > 0 ? undefined : { ...properties, passive_default: true }),
    unset(properties, words) {
      const { passive_default: isOn, active: _, ...others } = properties;
      return words.length > 0 || isOn !== true ? undefined : others;
    },
    print: () => [],
  },
];

interface Passive {
  readonly passive: Words;
  readonly passiveDefault?: boolean;
  readonly active?: Words;
}

export const isPassive = ({ passive, passiveDefault = false, active = [] }: Passive, name: string): boolean =>
  passive.includes(name) || (passiveDefault && !active.includes(name));
