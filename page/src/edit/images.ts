/** Adds pictures from files as drawings. */
import type { Lab } from "../lab/lab.ts";
import { dataUrl } from "../ui/data-url.ts";
import { addDrawing } from "./drawings.ts";

/** A drawing has at most 256 KB: what is larger is made smaller, step by step. */
const MOST_CHARACTERS = 250_000;
const LARGEST = 800;
const SMALLER = 0.7;
const LEAST = 16;

export const isImage = ({ type }: Pick<File, "type">): boolean => type.startsWith("image/");

async function scaled(bitmap: ImageBitmap, scale: number) {
  const [width, height] = [bitmap.width, bitmap.height].map((size) =>
    Math.max(1, Math.round(size * scale)),
  ) as [number, number];
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")!.drawImage(bitmap, 0, 0, width, height);
  const url = await dataUrl(await canvas.convertToBlob({ type: "image/webp", quality: 0.9 }));
  return { url, width, height };
}

/** @throws Error for a file that is no picture. */
export async function addImage(
  lab: Lab,
  file: File,
  place: { readonly x: number; readonly y: number },
): Promise<void> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(`${file.name} cannot be read as a picture.`);
  });
  const size = Math.max(bitmap.width, bitmap.height);
  for (let scale = Math.min(1, LARGEST / size); scale * size >= LEAST; scale *= SMALLER) {
    const { url, width, height } = await scaled(bitmap, scale);
    if (url.length > MOST_CHARACTERS) continue;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image href="${url}" width="${width}" height="${height}"/></svg>`;
    return addDrawing(lab, svg, { x: place.x - width / 2, y: place.y - height / 2 });
  }
  throw new Error(`${file.name} is too large for a drawing.`);
}
