/** How the properties of a node, in the words of the interface, become its device. `readers.ts` has the reader of each type. */
import { type Problem, PropertyReader } from "../settings/property-reader.ts";

export type Properties = Readonly<Record<string, unknown>>;

/** What a node has beside its properties. */
interface Own {
  readonly name: string;
  /** The number of a node with MAC addresses of its own; 0 for others. */
  readonly index: number;
  /** Absent: the links are not known. */
  readonly isWired?: ((port: number) => boolean) | undefined;
}

interface ReadNode<S> {
  readonly ok: true;
  readonly spec: S;
  /** Names of the ports, by port number. */
  readonly ports: readonly string[];
  /** The addresses that the properties give the node, without prefix length. */
  readonly addresses: readonly string[];
  /** What of the properties has no effect, in words; absent if there is nothing. */
  readonly leftOut?: readonly string[];
}

type Read<S> = ReadNode<S> | { readonly ok: false; readonly problems: readonly Problem[] };

/** Properties that only clients use are ignored. */
export type NodeReader<S> = (properties: Properties, own: Own) => Read<S>;

/** @param read returns null after it has added a problem. */
export function reading<T>(
  read: (reader: PropertyReader) => T | null,
): { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problems: readonly Problem[] } {
  const reader = new PropertyReader();
  const value = read(reader);
  return value === null || reader.problems.length > 0
    ? { ok: false, problems: reader.problems }
    : { ok: true, value };
}

export const withoutLengths = (prefixes: readonly (string | undefined)[]): string[] =>
  prefixes.flatMap((prefix) => (prefix === undefined ? [] : [prefix.slice(0, prefix.indexOf("/"))]));
