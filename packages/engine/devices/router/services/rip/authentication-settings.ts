/** `rip.authentication`: by port, how its messages are authenticated, and with which keys. */
import { map } from "../../../../settings/collections.ts";
import type { Kind } from "../../../../settings/kind.ts";
import type { Path, PropertyReader } from "../../../../settings/property-reader.ts";
import { RIP_DIGESTS, type RipDigest } from "../../../../wire/rip-authentication.ts";
import { portName } from "../base/port-kind.ts";

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

const MODES = ["text", ...RIP_DIGESTS] as const;
const MAX_KEYS = 16;
const MAX_KEY_ID = 255;
/** The field in a message; a digest of SHA takes keys of any length. */
const MAX_SHORT_KEY = 16;
const MAX_KEY = 64;
const KEY = /^[!-~]+$/;

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
  return keys.every((key) => key !== null) ? { mode, keys } : null;
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

/** @returns undefined for words that are not a command. */
function readWords([given, ...words]: readonly string[]): object | undefined {
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

const ripAuthentication: Kind<RipAuthentication> = {
  read: readOne,
  format: ({ mode, keys }) => ({
    mode,
    keys: keys.map(({ id, key }) => (mode === "text" ? { key } : { id, key })),
  }),
  placeholder: `${MODES.join("|")} [ID] KEY...`,
  words: ({ mode, keys }) =>
    [mode, ...keys.map(({ id, key }) => (mode === "text" ? key : `${id} ${key}`))].join(" "),
  parse: readWords,
  schema: () => ({
    type: "object",
    properties: {
      mode: { enum: MODES },
      keys: {
        type: "array",
        items: {
          type: "object",
          properties: {
            id: { type: "integer", minimum: 0, maximum: MAX_KEY_ID },
            key: { type: "string", pattern: KEY.source, maxLength: MAX_KEY },
          },
          required: ["key"],
          additionalProperties: false,
        },
        minItems: 1,
        maxItems: MAX_KEYS,
      },
    },
    required: ["mode", "keys"],
    additionalProperties: false,
  }),
};

export const authenticationByPort = map(portName, ripAuthentication, { already: "is there already" });

export const bytesOfKey = ({ key }: RipKey): Uint8Array => new TextEncoder().encode(key);
