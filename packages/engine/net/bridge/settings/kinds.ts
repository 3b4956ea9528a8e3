/** Kinds of values of a switch's settings, which name ports by their numbers. */
import { type Kind, unspoken } from "../../../settings/kind.ts";
import { type Rules, readShape, type Shape, type SpecOf, schemaOfShape } from "../../../settings/shape.ts";
import { formatMac, parseMac } from "../../../wire/mac.ts";
import type { SwitchPort } from "../ports.ts";

/** A switch as far as its settings depend on it. */
export interface SwitchShape {
  readonly name: string;
  readonly ports: readonly SwitchPort[];
  /** The names of the ports, by number. */
  readonly portNames: readonly string[];
}

const noPort = ({ ports }: SwitchShape): string =>
  `is not a port of the switch, which has ports 0 to ${ports.length - 1}`;

export const port = unspoken<number, SwitchShape>(
  (reader, value, path, shape) => {
    const isPort = typeof value === "number" && shape.ports[value] !== undefined;
    return isPort ? value : reader.add(path, noPort(shape));
  },
  { type: "integer", minimum: 0 },
);

/** Different ports, in the given order. */
export const portList = unspoken<readonly number[], SwitchShape>(
  (reader, value, path, shape) => {
    const found: number[] = [];
    for (const [index, each] of (reader.array(value, path, 1, shape.ports.length) ?? []).entries()) {
      const number = port.read(reader, each, [...path, index], shape);
      if (number === null) continue;
      if (found.includes(number)) reader.add([...path, index], `names port ${number} again`);
      else found.push(number);
    }
    return found;
  },
  { type: "array", items: port.schema(), minItems: 1, uniqueItems: true },
);

/** An object whose keys are numbers of ports. */
export const byPort = <T>(kind: Kind<T, SwitchShape>) =>
  unspoken<Readonly<Record<number, T>>, SwitchShape>(
    (reader, value, path, shape) => {
      if (typeof value !== "object" || value === null || Array.isArray(value))
        return reader.add(path, "must be an object whose keys are numbers of ports");
      const found: Record<number, T> = {};
      for (const [key, given] of Object.entries(value)) {
        const number = Number(key);
        if (String(number) !== key || shape.ports[number] === undefined) {
          reader.add([...path, key], noPort(shape));
          continue;
        }
        const read = kind.read(reader, given, [...path, key], shape);
        if (read !== null) found[number] = read;
      }
      return found;
    },
    () => ({ type: "object", additionalProperties: kind.schema(), propertyNames: { pattern: "^\\d+$" } }),
  );

export const macAddress = unspoken<number>(
  (reader, value, path) => reader.parsed(value, path, parseMac, "a MAC address, such as 02:00:00:00:00:01"),
  { type: "string" },
  formatMac,
);

interface Protocol<S, M> {
  readonly rules?: Rules<S, SwitchShape>;
  /** What the switch itself adds. */
  readonly more?: (shape: SwitchShape) => M;
}

/** A protocol that is off (`false`), on with its defaults (`true`), or on with some settings. */
export const protocol = <const S extends Shape<SwitchShape>, M extends object = object>(
  settings: S,
  { rules, more }: Protocol<S, M> = {},
) =>
  unspoken<(SpecOf<S> & M) | undefined, SwitchShape>(
    (reader, value, path, shape) => {
      if (value === false) return undefined;
      if (value !== true && typeof value !== "object")
        return reader.add(path, "must be true, false or an object");
      const given = value === true ? {} : value;
      const read = readShape<SwitchShape, S>(reader, given, path, settings, shape, rules);
      return read && { ...read, ...(more?.(shape) as M) };
    },
    () => ({ anyOf: [{ type: "boolean" }, schemaOfShape(settings as Shape)] }),
  );
