/** The size that an SVG document states, in pixels (docs/interface.md, section 5.5). */

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** 90 pixels to the inch: the rule of the clients that place symbols on a canvas, not the 96 of CSS. */
const PIXELS_PER_UNIT: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  pt: 1.25,
  pc: 15,
  mm: 3.543307,
  cm: 35.43307,
  in: 90,
};

/** The largest side that a PNG can have; a larger size is unusable. */
const MAX_SIDE = 2 ** 31 - 1;

/** Matches each digit in one way only, because an attribute may be megabytes long. */
const LENGTH = /^\+?((?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)([a-z]*|%)$/;

/** No meaningful length is longer. */
const LONGEST_LENGTH = 64;

/**
 * Returns the size. A missing side is 100 %, and a percentage refers to the view box.
 *
 * @returns undefined when a side is unknown, or is less than one pixel
 */
export function svgSize(attributes: Readonly<Record<string, string>>): Size | undefined {
  const viewBox = parseViewBox(attributes.viewBox);
  const width = toPixels(attributes.width ?? "100%", viewBox?.width);
  const height = toPixels(attributes.height ?? "100%", viewBox?.height);
  return width && height ? { width, height } : undefined;
}

function toPixels(length: string, whole: number | undefined): number | undefined {
  if (length.length > LONGEST_LENGTH) return undefined;
  const [, number, unit] = LENGTH.exec(length.trim().toLowerCase()) ?? [];
  if (number === undefined) return undefined;
  const factor = unit === "%" ? (whole ?? Number.NaN) / 100 : PIXELS_PER_UNIT[unit!];
  const pixels = roundHalfEven(Number(number) * (factor ?? Number.NaN));
  return pixels >= 1 && pixels <= MAX_SIDE ? pixels : undefined;
}

/** A half is rounded to the even neighbour: 10pt are 12 pixels (docs/interface.md, section 5.5). */
function roundHalfEven(value: number): number {
  const below = Math.floor(value);
  return value - below === 0.5 ? below + (below % 2) : Math.round(value);
}

function parseViewBox(text: string | undefined): Size | undefined {
  const [, , width, height, ...more] = (text ?? "")
    .trim()
    .split(/[\s,]+/, 5)
    .map(Number);
  return width! > 0 && height! > 0 && more.length === 0 ? { width: width!, height: height! } : undefined;
}
