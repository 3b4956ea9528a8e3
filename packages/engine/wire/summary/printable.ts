const MOST_CHARACTERS = 64;

/** Returns bytes as printable ASCII, truncated, with `?` for any other byte. */
export function printable(bytes: Uint8Array): string {
  const shown = bytes.subarray(0, MOST_CHARACTERS);
  const text = Array.from(shown, (byte) =>
    byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "?",
  ).join("");
  return bytes.length > MOST_CHARACTERS ? `${text}...` : text;
}
