/** Reads the header of HTTP Basic (RFC 7617). */
import { PASSWORD_MAX_BYTES } from "../shared/edge/password-rules.ts";
import { isUserName } from "../shared/store/user/user.ts";

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

const HEADER = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** @returns null for a malformed header: another scheme, broken base64 or UTF-8, an impossible name. */
export function readCredentials(header: string): Credentials | null {
  const encoded = HEADER.exec(header)?.[1];
  if (encoded === undefined) return null;
  const text = decode(encoded);
  const colon = text?.indexOf(":") ?? -1;
  if (text === null || colon < 0) return null;
  const [user, password] = [text.slice(0, colon), text.slice(colon + 1)];
  if (!isUserName(user) || password === "" || Buffer.byteLength(password) > PASSWORD_MAX_BYTES) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 7617 allows none
  return /[\0-\x1f\x7f]/.test(password) ? null : { user, password };
}

function decode(encoded: string): string | null {
  try {
    return utf8.decode(Buffer.from(encoded, "base64"));
  } catch {
    return null;
  }
}
