import { drawSketch, HEIGHT, type Sketch, WIDTH } from "./sketch.ts";

const JOINT = 9;

/** The name and the size of the lab are beside the picture. */
export const SketchPicture = ({ sketch }: { readonly sketch: Sketch | null }) => {
  const { devices, lines } = drawSketch(sketch ?? { nodes: [], links: [] });
  return (
    <svg class="sketch" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {lines.map(([a, b], index) => (
        <line key={index} x1={a.x} y1={a.y} x2={b.x} y2={b.y} />
      ))}
      {devices.map(({ x, y, isJoint }, index) =>
        isJoint ? (
          <rect key={index} x={x - JOINT / 2} y={y - JOINT / 2} width={JOINT} height={JOINT} rx={2} />
        ) : (
          <circle key={index} cx={x} cy={y} r={4} />
        ),
      )}
    </svg>
  );
};
