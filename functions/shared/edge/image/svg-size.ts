/** The size that an SVG document states, in pixels (docs/interface.md, section 5.5). */

export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * 90 pixels to the inch: the rule of the clients that place symbols on a canvas, not the 96 of CSS. Units of fonts refer to the font that
 * browsers begin with.
 */
const PIXELS_PER_UNIT: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  pt: 1.25,
  pc: 15,
  mm: 3.543307,
  cm: 35.43307,
  in: 90,
  q: 0.88582675,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
};

/** The largest side that a PNG can have; a larger size is unusable. */
const MAX_SIDE = 2 ** 31 - 1;

/** Matches each digit in one way only, because an attribute may be megabytes long. */
const LENGTH = /^\+?((?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)([a-z]*|%)$/;

/** No meaningful length is longer. */
const LONGEST_LENGTH = 64;

/**
 * Returns the size. A side that is missing or `auto` is 100 %. Percentages, and parts of the place that the picture gets (`vw`, `vh`, `vmin`,
 * `vmax`), refer to the view box.
 *
 * @returns undefined when a side is unknown, or is less than one pixel
 */
export function svgSize(attributes: Readonly<Record<string, string>>): Size | undefined {
  const viewBox = parseViewBox(attributes.viewBox);
  const width = toPixels(attributes.width, viewBox?.width, viewBox);
  const height = toPixels(attributes.height, viewBox?.height, viewBox);
  return width && height ? { width, height } : undefined;
}

function toPixels(length = "auto", whole: number | undefined, viewBox: Size | undefined): number | undefined {
  if (length.length > LONGEST_LENGTH) return undefined;
  const text = length.trim().toLowerCase();
  const [, number, unit = ""] = LENGTH.exec(text === "auto" ? "100%" : text) ?? [];
  if (number === undefined) return undefined;
  const pixels = roundHalfEven(Number(number) * pixelsPer(unit, whole, viewBox));
  return pixels >= 1 && pixels <= MAX_SIDE ? pixels : undefined;
}

function pixelsPer(unit: string, whole = Number.NaN, { width, height }: Size = NO_SIZE): number {
  switch (unit) {
    case "%":
      return whole / 100;
    case "vw":
      return width / 100;
    case "vh":
      return height / 100;
    case "vmin":
      return Math.min(width, height) / 100;
    case "vmax":
      return Math.max(width, height) / 100;
    default:
      return PIXELS_PER_UNIT[unit] ?? Number.NaN;
  }
}

const NO_SIZE: Size = { width: Number.NaN, height: Number.NaN };

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
