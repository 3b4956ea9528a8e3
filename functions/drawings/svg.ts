/** What a drawing's SVG must be. */
import { invalidRequest } from "../shared/edge/errors.ts";
import { readSvgText } from "../shared/edge/svg-document.ts";

/** @throws ApiError 400 for text that is not a well-formed SVG document, because clients fail when they draw it. */
export function refuseOtherThanSvg(svg: string | undefined): void {
  const document = svg === undefined ? undefined : readSvgText(svg);
  if (document?.ok !== false) return;
  throw invalidRequest([{ path: "body.svg", message: `expected an SVG document, found ${document.found}` }]);
}
