/** `rip.authentication`: by port, how its messages are authenticated, and with which keys. */

import { RIP_DIGESTS, type RipDigest } from "../../../wire/rip-authentication.ts";
import type { Path, PropertyReader } from "../../property-reader.ts";
import { settingsByPort } from "../settings-by-port.ts";

export interface RipAuthentication {
  readonly mode: "text" | RipDigest;
  /** The first one is sent; all are accepted. */
  readonly keys: readonly RipKey[];
}

export interface RipKey {
  /** Passwords have no number: theirs is always 1. */
  readonly id: number;
  readonly key: string;
}

export interface RipAuthenticationProperties {
  mode: string;
  keys: { id?: number; key: string }[];
}

const MODES = ["text", ...RIP_DIGESTS] as const;
const MAX_KEYS = 16;
const MAX_KEY_ID = 255;
/** Those of the field in a message; a digest of SHA takes keys of any length. */
const MAX_SHORT_KEY = 16;
const MAX_KEY = 64;
const KEY = /^[!-~]+$/;

/** @param portName null for the name of no port. @returns null if a value is invalid. */
export const readAuthentication = (
  reader: PropertyReader,
  value: unknown,
  portName: (text: string) => string | null,
): Readonly<Record<string, RipAuthentication>> | null =>
  settingsByPort(reader, value, ["rip", "authentication"], (given, each, path) => {
    const name = portName(given);
    if (name === null) reader.add(path, `${JSON.stringify(given.slice(0, 64))} is not the name of a port`);
    const own = readOne(reader, each, path);
    return name === null || own === null ? null : [name, own];
  });

function readOne(reader: PropertyReader, value: unknown, path: Path): RipAuthentication | null {
  const given = reader.object(value, path, ["mode", "keys"]);
  if (given === null) return null;
  const mode =
    MODES.find((each) => each === given.mode) ?? reader.add([...path, "mode"], `must be ${MODES.join(", ")}`);
  const list = reader.array(given.keys, [...path, "keys"], 1, MAX_KEYS);
  if (mode === null || list === null) return null;
  const keys = Array.from(list, (key, index) => readKey(reader, key, mode, [...path, "keys", index]));
  for (const [index, key] of keys.entries()) {
    const first = keys.findIndex((each) => each?.id === key?.id);
    if (key !== null && mode !== "text" && first < index)
      reader.add([...path, "keys", index, "id"], `there is a key ${key.id} already`);
  }
  return { mode, keys: keys as RipKey[] };
}

function readKey(
  reader: PropertyReader,
  value: unknown,
  mode: RipAuthentication["mode"],
  path: Path,
): RipKey | null {
  const given = reader.object(value, path, mode === "text" ? ["key"] : ["id", "key"]);
  if (given === null) return null;
  const most = mode === "text" || mode === "md5" ? MAX_SHORT_KEY : MAX_KEY;
  const id = reader.integer(given.id ?? 1, [...path, "id"], 0, MAX_KEY_ID);
  const parse = (text: string): string | null => (KEY.test(text) && text.length <= most ? text : null);
  const text = reader.text(given.key, [...path, "key"]);
  // The message does not repeat the key.
  if (text !== null && parse(text) === null)
    reader.add([...path, "key"], `must have 1 to ${most} characters of ASCII without spaces`);
  return id === null || text === null ? null : { id, key: text };
}

export const formatAuthentication = (
  authentication: Readonly<Record<string, RipAuthentication>>,
): Record<string, RipAuthenticationProperties> =>
  Object.fromEntries(
    Object.entries(authentication).map(([port, { mode, keys }]) => [
      port,
      { mode, keys: keys.map(({ id, key }) => (mode === "text" ? { key } : { id, key })) },
    ]),
  );

/** The command after `router rip`. */
export const authenticationWords = (port: string, { mode, keys }: RipAuthentication): string =>
  [
    `authentication ${port} ${mode}`,
    ...keys.map(({ id, key }) => (mode === "text" ? key : `${id} ${key}`)),
  ].join(" ");

/** @returns undefined for words that are not a command. */
export function readAuthenticationWords(
  given: string | undefined,
  words: readonly string[],
): RipAuthenticationProperties | undefined {
  const mode = given?.toLowerCase();
  if (mode === undefined || words.length === 0) return undefined;
  if (mode === "text") return { mode, keys: words.map((key) => ({ key })) };
  if (words.length % 2 !== 0) return undefined;
  const keys: { id: number; key: string }[] = [];
  for (let at = 0; at < words.length; at += 2) {
    if (!/^\d{1,9}$/.test(words[at]!)) return undefined;
    keys.push({ id: Number(words[at]), key: words[at + 1]! });
  }
  return { mode, keys };
}

export const bytesOfKey = ({ key }: RipKey): Uint8Array => new TextEncoder().encode(key);
