/**
 * A service of a router by its settings. Its place in `properties`, its lines in a configuration and its commands follow from them:
 * `service-settings.ts` has the list, `service-commands.ts` the commands.
 */
import type { Kind } from "../../../../settings/kind.ts";
import { type Line, linesOf } from "../../../../settings/lines.ts";
import {
  formatShape,
  type PropertiesOf,
  present,
  type Rules,
  readShape,
  type Shape,
  type SpecOf,
  schemaOfShape,
} from "../../../../settings/shape.ts";
import type { Ports } from "./port-kind.ts";

/** @template N its name in a router's configuration. @template T its settings. @template P their JSON form. */
export interface ServiceSettings<N extends string, T, P> {
  readonly name: N;
  /** What is read if `properties` have no such key; absent: nothing is. */
  readonly otherwise?: readonly never[];
  /** Settings without a value are stored as absent ones. */
  readonly omitsEmpty?: true;
  readonly read: Kind<T, Ports>["read"];
  readonly format: (settings: T) => P;
  /** The commands that configure it; defaults are omitted. */
  readonly print: (settings: T) => readonly string[];
  readonly schema: Kind<T>["schema"];
}

/** A service with a line for each setting. */
export interface ShapedService<N extends string, T, P> extends ServiceSettings<N, T, P> {
  /** The first words of its lines. */
  readonly head: string;
  readonly lines: readonly Line[];
  /** An error: `DNS is not configured`. */
  readonly off: string;
  readonly about: string;
  readonly aboutNo: string;
}

interface Words<S> {
  readonly head: string;
  readonly off: string;
  /** What the service does, and what its end does, for `help`. */
  readonly about: string;
  readonly aboutNo: string;
  /** A configuration has the lines in a block: `router rip`, then a line for each setting, then `exit`. */
  readonly isBlock?: true;
  readonly rules?: Rules<S, Ports>;
  /** Lines with several settings. */
  readonly together?: readonly Line[];
  /** The words of lines, in the order in which a configuration has them; absent: the order of the shape. */
  readonly order?: readonly string[];
}

export function shapedService<const N extends string, const S extends Shape<Ports>>(
  name: N,
  shape: S,
  { rules, together = [], order, isBlock, ...words }: Words<S>,
): ShapedService<N, SpecOf<S>, PropertiesOf<S>> {
  const lines = [...linesOf(shape), ...together];
  const inOrder = order?.map((head) => lines.find((line) => line.head === head)!) ?? lines;
  return {
    name,
    ...words,
    lines,
    read: (reader, value, path, ports) => readShape<Ports, S>(reader, value, path, shape, ports, rules),
    format: (settings) => formatShape(shape, settings),
    print(settings) {
      const inside = inOrder.flatMap(({ print }) => print(settings));
      if (isBlock) return [words.head, ...inside.map((line) => ` ${line}`), "exit"];
      const own = inside.map((line) => `${words.head} ${line}`.trimEnd());
      if (lines.every(({ head }) => head !== "")) return [words.head, ...own];
      return own.length > 0 ? own : shownDefault(shape, settings).map((line) => `${words.head} ${line}`);
    },
    schema: () => schemaOfShape(shape),
  };
}

/** A service without a line of its own head is configured by a default that is shown. */
const shownDefault = <S extends Shape<Ports>>(shape: S, settings: SpecOf<S>): string[] =>
  present(shape, settings)
    .flatMap(({ line, kind, value }) => (line ? [`${line} ${kind.words(value)}`] : []))
    .slice(0, 1);
