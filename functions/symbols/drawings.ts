/** The images of the built-in symbols, drawn on first use: the same bytes every time. */

import { entityTag } from "../shared/edge/http/entity-tag.ts";
import { SVG_TYPE } from "../shared/edge/image/recognise-image.ts";
import type { BuiltinSymbol } from "../shared/schemas/builtin-symbols.ts";
import { drawAffinity } from "./affinity.ts";
import { drawClassic } from "./classic.ts";

export interface Image {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly etag: string;
}

const drawn = new Map<string, Image>();

/** @returns the symbol's SVG; callers must not change its bytes. */
export function builtinImage(symbol: BuiltinSymbol): Image {
  const known = drawn.get(symbol.symbol_id);
  if (known) return known;
  const bytes = new TextEncoder().encode(draw(symbol));
  const image = { bytes, contentType: SVG_TYPE, etag: entityTag(bytes) };
  drawn.set(symbol.symbol_id, image);
  return image;
}

function draw({ picture, width, height }: BuiltinSymbol): string {
  const shapes =
    picture.theme === "classic"
      ? drawClassic(picture.name, width, height)
      : drawAffinity(picture.shape, picture.colour, picture.name, width);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}" fill="none">${shapes}</svg>\n`
  );
}
