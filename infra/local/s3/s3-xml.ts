/** The XML of S3's requests and responses, without attributes. */

/** @param content text, which this function escapes, or child elements. */
export function element(name: string, content: string | readonly string[]): string {
  const inner =
    typeof content === "string"
      ? // XML has no other way for most control characters; S3 does the same.
        content.replace(/[&<>"\p{Cc}]/gu, (character) => `&#${character.charCodeAt(0)};`)
      : content.join("");
  return `<${name}>${inner}</${name}>`;
}

export const document = (name: string, content: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element(name, content)}`;

/** Returns the contents of all elements of this name, which do not contain each other. */
export const contentsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, "g"))].map(
    ([, inner]) => inner!,
  );

export const textOf = (xml: string, name: string): string | undefined => {
  const [content] = contentsOf(xml, name);
  return content === undefined ? undefined : unescapeText(content);
};

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const unescapeText = (text: string): string =>
  text.replaceAll(
    /&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name = "") => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      return decimal === undefined ? (NAMED[name] ?? whole) : String.fromCodePoint(Number(decimal));
    },
  );
