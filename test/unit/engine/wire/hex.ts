/** Golden frames as text. */

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** Spaces are allowed anywhere. */
export const fromHex = (text: string): Uint8Array =>
  Uint8Array.from(Buffer.from(text.replaceAll(/\s/g, ""), "hex"));
