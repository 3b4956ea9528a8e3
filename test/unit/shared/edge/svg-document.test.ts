import { describe, expect, test } from "vitest";
import { readSvgDocument } from "../../../../functions/shared/edge/svg-document.ts";
import { utf8 } from "../../symbols/images.ts";

const withMark = (text: string, mark: number[], swap: boolean): Uint8Array => {
  const bytes = Buffer.from(text, "utf16le");
  return Buffer.concat([Buffer.from(mark), swap ? bytes.swap16() : bytes]);
};

const DOCTYPE =
  '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';

/** A document that would grow to 10^9 words if its entities were expanded. */
const LAUGHS = `<!DOCTYPE svg [<!ENTITY a0 "ha">${Array.from(
  { length: 9 },
  (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`,
).join("")}]><svg width="1" height="1">&a9;</svg>`;

describe("an SVG document", () => {
  test.each([
    ["with a namespace", '<svg xmlns="http://www.w3.org/2000/svg" width="3"/>'],
    ["without one", '<svg width="3"></svg>'],
    ["with a prefix", '<s:svg xmlns:s="http://www.w3.org/2000/svg" width="3"/>'],
    ["with a declaration", '<?xml version="1.0" encoding="UTF-8"?>\n<svg width="3"/>\n'],
    ["with a byte order mark", '\ufeff<?xml version="1.0"?><svg width="3"/>'],
    ["with a document type, as drawing programs write it", `${DOCTYPE}<svg width="3"/>`],
    ["with comments and instructions around it", '<!-- a --><?x y?><svg width="3"/><!-- b -->'],
    ["with character data", '<svg width="3"><style><![CDATA[a > b {}]]></style>&lt;&#x41;é</svg>'],
    ["with attributes named like properties", '<svg width="3" __proto__="1" constructor="2"/>'],
    ["with a script, which raw GET makes harmless", '<svg width="3" onload="x()"><script>x()</script></svg>'],
  ])("%s is accepted, and its attributes are read", (_what, text) => {
    const document = readSvgDocument(utf8(text));
    expect(document).toMatchObject({ ok: true, attributes: { width: "3" } });
  });

  test.each([
    ["little", [0xff, 0xfe], false],
    ["big", [0xfe, 0xff], true],
  ] as const)("in UTF-16, %s-endian, with a byte order mark, is one", (_what, mark, swap) => {
    const text = '<?xml version="1.0" encoding="UTF-16"?><svg width="3">é</svg>';
    expect(readSvgDocument(withMark(text, [...mark], swap))).toMatchObject({ ok: true });
  });

  test.each([
    ["ISO-8859-1", [0xe9]],
    ["windows-1252", [0xe9]],
    ["iso-8859-15", [0xe9]],
    ["Shift_JIS", [0x83, 0x65]],
    ["UTF-16", [0xc3, 0xa9]],
  ])("in %s, as its declaration says, is one", (encoding, letter) => {
    const text = `<?xml version="1.0" encoding="${encoding}"?>\n<svg width="3"><desc>~</desc></svg>`;
    const [before, after] = text.split("~").map((part) => Buffer.from(part));
    const bytes = Buffer.concat([before!, Buffer.from(letter), after!]);
    expect(readSvgDocument(bytes)).toMatchObject({ ok: true, attributes: { width: "3" } });
  });

  test.each([
    ["nothing but space", "  \n"],
    ["prose", "hello"],
    ["JSON", '{"a": 1}'],
    ["HTML", "<!DOCTYPE html><html><body>hi</body></html>"],
    ["an SVG inside HTML", "<html><svg/></html>"],
    ["a name that ends like one", "<mysvg/>"],
    ["two roots", "<svg/><svg/>"],
    ["text after the root", "<svg/>hello"],
    ["text before the root", "hello<svg/>"],
    ["no end", "<svg><g></g>"],
    ["tags that cross", "<svg><g></svg></g>"],
    ["an attribute twice", '<svg a="1" a="2"/>'],
    ["an attribute without quotes", "<svg a=1/>"],
    ["a less-than sign in an attribute", '<svg a="<"/>'],
    ["a lone ampersand", "<svg>a & b</svg>"],
    ["an undeclared entity", "<svg>&nbsp;</svg>"],
    ["an entity named like a property", "<svg>&constructor;</svg>"],
    ["a control character", "<svg>\u0001</svg>"],
    ["a reference to a control character", "<svg>&#1;</svg>"],
    ["a comment with two hyphens", "<svg><!-- a -- b --></svg>"],
    ["a comment without end", "<svg><!-- </svg>"],
    ["a declaration in the middle", '<svg><?xml version="1.0"?></svg>'],
    ["a document that declares entities", '<!DOCTYPE svg [<!ENTITY a "b">]><svg width="3"/>'],
    ["a document whose entities grow to 10^9 words", LAUGHS],
    [
      "a document with an external entity",
      '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>',
    ],
    ["a document type without a root", "<!DOCTYPE svg>"],
    ["a document type without end", "<!DOCTYPE svg ["],
    ["a document type in the root", "<svg><!DOCTYPE svg></svg>"],
  ])("is rejected: %s", (_what, text) => {
    expect(readSvgDocument(utf8(text))).toMatchObject({ ok: false });
  });

  test.each([
    ["the actual root", utf8("<html/>"), /root element is html$/],
    [
      "that the document type has to go",
      utf8('<!DOCTYPE svg [<!ENTITY a "b">]><svg/>'),
      /remove <!DOCTYPE \.\.\.>/,
    ],
    ["the place of the fault", utf8("<svg>\n<g a=1/></svg>"), /not well-formed XML \(2:/],
    ["that it is no text", Uint8Array.of(0, 159, 146, 150), /4 bytes that are neither/],
    ["that UTF-16 is cut in half", Uint8Array.of(0xff, 0xfe, 0x3c), /no text in the encoding utf-16le/],
    [
      "an unknown encoding",
      utf8('<?xml version="1.0" encoding="EBCDIC-US"?><svg/>'),
      /encoding ebcdic-us.*UTF-8/,
    ],
    [
      "bytes that the encoding does not have",
      Buffer.from("<?xml version='1.0' encoding='Shift_JIS'?><svg>\x81</svg>", "latin1"),
      /no text in the encoding shift_jis/,
    ],
    ["UTF-16 without a mark", Buffer.from("<svg/>", "utf16le"), /not well-formed/],
  ])("a refusal reports %s", (_what, bytes, found) => {
    expect(readSvgDocument(bytes)).toEqual({ ok: false, found: expect.stringMatching(found) });
  });

  test("a refusal is short, whatever the document is", () => {
    const document = readSvgDocument(utf8(`<${"x".repeat(100_000)}/>`));
    expect(document.ok || document.found.length).toBeLessThan(200);
  });

  const MANY = 200_000;
  test.each([
    ["deep nesting", "<svg>".repeat(MANY) + "</svg>".repeat(MANY)],
    ["nesting without end", "<svg>".repeat(MANY)],
    ["many attributes", `<svg ${Array.from({ length: MANY }, (_, i) => `a${i}="1"`).join(" ")}/>`],
    ["many entities", `<!DOCTYPE svg [${'<!ENTITY a "b">'.repeat(MANY)}]><svg/>`],
    ["many document types", `<!DOCTYPE svg [${"<!".repeat(MANY)}`],
    ["many spaces", `<svg a${" ".repeat(1_000_000)}x/>`],
    ["an attribute without end", `<svg a="${"x ".repeat(MANY)}`],
    ["many entity names without end", `<!DOCTYPE svg [<!ENTITY ${"a".repeat(1_000_000)}`],
  ])("%s gets a result", (_what, text) => {
    expect(readSvgDocument(utf8(text)).ok).toBeTypeOf("boolean");
  });
});
