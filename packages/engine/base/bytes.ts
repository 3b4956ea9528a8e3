/** Big-endian reads and writes. Callers check lengths first: reads past the end return 0, writes past the end are ignored. */

export const readU16 = (bytes: Uint8Array, offset: number): number =>
  ((bytes[offset] as number) << 8) | (bytes[offset + 1] as number);

export const readU32 = (bytes: Uint8Array, offset: number): number =>
  ((readU16(bytes, offset) << 16) | readU16(bytes, offset + 2)) >>> 0;

export function writeU16(bytes: Uint8Array, offset: number, value: number): void {
  bytes[offset] = value >>> 8;
  bytes[offset + 1] = value;
}

export function writeU32(bytes: Uint8Array, offset: number, value: number): void {
  writeU16(bytes, offset, value >>> 16);
  writeU16(bytes, offset + 2, value & 0xffff);
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param text a result of `toHex`. */
export const fromHex = (text: string): Uint8Array =>
  Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(2 * index, 2 * index + 2), 16),
  );
