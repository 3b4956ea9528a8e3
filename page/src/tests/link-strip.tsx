/** The traffic of one link over time as bars, with its losses above them. */
import { useEffect, useRef } from "preact/hooks";
import type { TimelineLink } from "./timeline.ts";

const HEIGHT = 24;
const LOSS_HEIGHT = 5;

interface Properties {
  readonly link: TimelineLink;
  /** The most bytes of a bin, of all links. */
  readonly most: number;
  /** The chosen time, from 0 to 1. */
  readonly atShare: number;
}

export const LinkStrip = ({ link, most, atShare }: Properties) => {
  const { name, bytes, lost } = link;
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current) draw(canvas.current, link, most);
  }, [link, most]);
  const total = bytes.reduce((sum, each) => sum + each, 0);
  const losses = lost.reduce((sum, each) => sum + each, 0);
  return (
    <>
      <span class="strip-name" title={name}>
        {name}
      </span>
      <span class="strip">
        <canvas
          ref={canvas}
          width={bytes.length}
          height={HEIGHT}
          role="img"
          aria-label={`${name}: ${total} bytes, ${losses} packets lost`}
        />
        <span class="strip-time" style={{ insetInlineStart: `${100 * atShare}%` }} />
      </span>
    </>
  );
};

function draw(canvas: HTMLCanvasElement, { bytes, lost }: TimelineLink, most: number): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const colours = getComputedStyle(canvas);
  context.clearRect(0, 0, canvas.width, canvas.height);
  for (const [bin, count] of bytes.entries()) {
    const height = count === 0 ? 0 : Math.max(2, (count / most) * (HEIGHT - LOSS_HEIGHT));
    context.fillStyle = colours.getPropertyValue("--accent");
    context.fillRect(bin, HEIGHT - height, 1, height);
    if (!lost[bin]) continue;
    context.fillStyle = colours.getPropertyValue("--danger");
    context.fillRect(bin, 0, 1, LOSS_HEIGHT);
  }
}
