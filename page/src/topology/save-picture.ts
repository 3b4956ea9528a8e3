/** Saves the map as a picture. */
import { send } from "../api/call.ts";
import { pictureOfDrawing, shapeOf } from "../drawings/shape.ts";
import type { Lab } from "../lab/lab.ts";
import { dataUrl } from "../ui/data-url.ts";
import { saveFile } from "../ui/save-file.ts";
import { isDark } from "../ui/theme.tsx";
import { arePortsNamed } from "../viewport/tools.ts";
import { coloursOf } from "./colours.ts";
import { labSvg, type PlacedPicture } from "./lab-svg.ts";

/** Pixels of a picture for each pixel of the canvas; a large lab gets fewer. */
const SCALE = 2;
const MOST_PIXELS = 8_000;

/** A picture has its symbols within it. A symbol that is gone leaves its place empty, as on the map. */
async function symbolsOf(lab: Lab): Promise<Map<string, string>> {
  const ids = new Set([...lab.nodes.peek().values()].map(({ symbol }) => symbol));
  const read = async (id: string) => {
    const response = await send("GET", `/symbols/${encodeURIComponent(id)}/raw`).catch(() => undefined);
    return [id, response ? await dataUrl(await response.blob()) : ""] as const;
  };
  return new Map(await Promise.all([...ids].map(read)));
}

const placed = (lab: Lab): PlacedPicture[] =>
  [...lab.drawings.peek().values()]
    .toSorted((a, b) => a.z - b.z)
    .flatMap((drawing) => {
      const picture = pictureOfDrawing(drawing);
      if (picture === null) return [];
      const { x, y, rotation } = drawing;
      const shape = shapeOf(drawing);
      return {
        url: picture.url,
        x: x + Math.min(0, shape.width) - picture.inset,
        y: y + Math.min(0, shape.height) - picture.inset,
        width: picture.width,
        height: picture.height,
        ...{ rotation, originX: x, originY: y },
      };
    });

export async function savePicture(lab: Lab, kind: "svg" | "png"): Promise<void> {
  const { name } = lab.project.peek();
  const { svg, width, height } = labSvg({
    ...{ name, nodes: lab.nodes.peek(), links: [...lab.links.peek().values()], drawings: placed(lab) },
    symbols: await symbolsOf(lab),
    colours: coloursOf(isDark.peek()),
    arePortsNamed: arePortsNamed.peek(),
  });
  const document = new Blob([svg], { type: "image/svg+xml" });
  if (kind === "svg") return saveFile(`${name}.svg`, document);
  const picture = new Image();
  picture.src = await dataUrl(document);
  await picture.decode();
  const scale = Math.min(SCALE, MOST_PIXELS / width, MOST_PIXELS / height);
  const canvas = new OffscreenCanvas(Math.ceil(width * scale), Math.ceil(height * scale));
  canvas.getContext("2d")!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  saveFile(`${name}.png`, await canvas.convertToBlob({ type: "image/png" }));
}
