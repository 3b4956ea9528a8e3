/**
 * Reads the root element of an SVG document, and only a well-formed one. The parser keeps no tree, and a document that could
 * declare entities is rejected, so that its cost is its length in every program that shows it.
 */
import { SaxesParser } from "saxes";

export type SvgDocument =
  | { readonly ok: true; readonly attributes: Readonly<Record<string, string>> }
  /** `found` describes what the bytes are instead. */
  | { readonly ok: false; readonly found: string };

const NAME_SHOWN = 40;

/** @param bytes UTF-8, or UTF-16 that starts with a byte order mark */
export function readSvgDocument(bytes: Uint8Array): SvgDocument {
  const text = decode(bytes);
  if (text === null) return { ok: false, found: `${bytes.length} bytes that are neither an image nor text` };
  return readSvgText(text);
}

/** @param takesType accepts a document type declaration that declares nothing itself, as drawing programs write it. */
export function readSvgText(text: string, { takesType = false } = {}): SvgDocument {
  let root: { name: string; attributes: Readonly<Record<string, string>> } | undefined;
  const parser = new SaxesParser({ xmlns: false });
  parser.on("doctype", (declaration) => {
    if (takesType && !declaration.includes("[")) return;
    throw new NotSvg("XML with a document type declaration (remove <!DOCTYPE ...>)");
  });
  parser.on("opentag", ({ name, attributes }) => {
    root ??= { name, attributes };
    if (!isSvg(root.name)) throw new NotSvg(`XML whose root element is ${root.name.slice(0, NAME_SHOWN)}`);
  });
  parser.on("error", (error) => {
    throw new NotSvg(`text that is not well-formed XML (${error.message})`);
  });
  try {
    parser.write(text).close();
  } catch (error) {
    if (error instanceof NotSvg) return { ok: false, found: error.message };
    throw error;
  }
  return { ok: true, attributes: root!.attributes };
}

class NotSvg extends Error {}

/** Accepts any prefix or none, in any namespace; viewers decide how to read documents of old programs. */
const isSvg = (name: string): boolean => name === "svg" || name.endsWith(":svg");

function decode(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
