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

/** @param bytes in UTF-16 with a byte order mark, in the encoding that the XML declaration names, or in UTF-8 */
export function readSvgDocument(bytes: Uint8Array): SvgDocument {
  const encoding = encodingOf(bytes);
  const text = decode(bytes, encoding);
  return typeof text === "string" ? readSvgText(text) : text;
}

function decode(bytes: Uint8Array, encoding: string): string | SvgDocument {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError)
      return { ok: false, found: `XML in the encoding ${encoding}, which is not known (save it as UTF-8)` };
    const what = encoding === UTF_8 ? "neither an image nor text" : `no text in the encoding ${encoding}`;
    return { ok: false, found: `${bytes.length} bytes that are ${what}` };
  }
}

/** A document type declaration is accepted if it declares nothing itself, as drawing programs write it. */
export function readSvgText(text: string): SvgDocument {
  let root: { name: string; attributes: Readonly<Record<string, string>> } | undefined;
  const parser = new SaxesParser({ xmlns: false });
  parser.on("doctype", (declaration) => {
    if (declaration.includes("["))
      throw new NotSvg("XML whose document type declares entities (remove <!DOCTYPE ...>)");
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

const UTF_8 = "utf-8";

/** A declaration is ASCII, and stands at the beginning. */
const DECLARATION_BYTES = 200;

/** Names UTF-16 by its mark alone: a declaration that can be read as ASCII is in another encoding, whatever it says. */
function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const head = String.fromCharCode(...bytes.subarray(0, DECLARATION_BYTES));
  const declared = /^(?:\xef\xbb\xbf)?<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z][\w.-]{0,39})["']/.exec(
    head,
  )?.[1];
  return declared === undefined || /^(utf|ucs)-?16|^iso-10646-ucs/i.test(declared)
    ? UTF_8
    : declared.toLowerCase();
}
