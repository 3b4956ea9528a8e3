/**
 * The import law as a picture, docs/images/rooms.svg. A room is above all rooms that it may import. An arrow that follows from others is
 * left out: if a imports b, and b imports c, the picture has no arrow from a to c.
 */
import { folderOf, ROOMS } from "./law.ts";

const [BOX_WIDTH, BOX_HEIGHT, GAP_X, GAP_Y, MARGIN] = [132, 30, 16, 52, 24] as const;
const FLOOR_HEIGHT = BOX_HEIGHT + GAP_Y;

const importsOf = (room: string): readonly string[] => ROOMS[room]!.mayImport;

/** The floor of a room: 0 imports nothing. */
const floorOf = (room: string): number =>
  importsOf(room).reduce((floor, below) => Math.max(floor, floorOf(below) + 1), 0);

const reaches = (from: string, to: string): boolean =>
  importsOf(from).some((next) => next === to || reaches(next, to));

const arrowsOf = (room: string): readonly string[] =>
  importsOf(room).filter((below) => !importsOf(room).some((other) => reaches(other, below)));

/** The rooms of each floor, from the lowest. A room is near the middle of the rooms that it imports. */
function floors(): readonly (readonly string[])[] {
  const rooms = Object.keys(ROOMS);
  const count = Math.max(...rooms.map(floorOf)) + 1;
  const places = new Map<string, number>();
  const found: string[][] = [];
  for (let floor = 0; floor < count; floor++) {
    const here = rooms.filter((room) => floorOf(room) === floor);
    const wish = (room: string): number => {
      const below = arrowsOf(room).map((name) => places.get(name)!);
      return below.length === 0 ? 0 : below.reduce((a, b) => a + b, 0) / below.length;
    };
    const sorted = floor === 0 ? here : here.toSorted((a, b) => wish(a) - wish(b));
    for (const [index, room] of sorted.entries()) places.set(room, index - (sorted.length - 1) / 2);
    found.push(sorted);
  }
  return found;
}

const COLOURS: readonly (readonly [RegExp, fill: string, stroke: string])[] = [
  [/^packages\//, "#f0fdf4", "#16a34a"],
  [/^functions\/shared\//, "#f1f5f9", "#64748b"],
  [/^functions/, "#eff6ff", "#1d4ed8"],
  [/^/, "#fffbeb", "#d97706"],
];

export function roomsPicture(): string {
  const levels = floors();
  const width = Math.max(...levels.map(({ length }) => length)) * (BOX_WIDTH + GAP_X) - GAP_X + 2 * MARGIN;
  const height = levels.length * FLOOR_HEIGHT - GAP_Y + 2 * MARGIN + 22;
  const placeOf = new Map<string, readonly [x: number, y: number]>();
  for (const [floor, rooms] of levels.entries())
    for (const [index, room] of rooms.entries()) {
      const left = (width - rooms.length * (BOX_WIDTH + GAP_X) + GAP_X) / 2;
      placeOf.set(room, [
        left + index * (BOX_WIDTH + GAP_X),
        MARGIN + (levels.length - 1 - floor) * FLOOR_HEIGHT,
      ]);
    }
  const arrows = [...placeOf].flatMap(([room, [x, y]]) =>
    arrowsOf(room).map((below) => {
      const [toX, toY] = placeOf.get(below)!;
      const [fromX, fromY] = [x + BOX_WIDTH / 2, y + BOX_HEIGHT];
      return `    <path d="M${fromX} ${fromY} C${fromX} ${fromY + 26} ${toX + BOX_WIDTH / 2} ${toY - 32} ${toX + BOX_WIDTH / 2} ${toY - 6}"/>`;
    }),
  );
  const boxes = [...placeOf].flatMap(([room, [x, y]]) => {
    const [, fill, stroke] = COLOURS.find(([pattern]) => pattern.test(folderOf(room)))!;
    const name = room.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    return [
      `    <rect x="${x}" y="${y}" width="${BOX_WIDTH}" height="${BOX_HEIGHT}" rx="6" fill="${fill}" stroke="${stroke}"/>`,
      `    <text x="${x + BOX_WIDTH / 2}" y="${y + 20}" text-anchor="middle">${name}</text>`,
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#1f2933">`,
    "  <title>The rooms of the repository and the imports between them</title>",
    '  <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#475569"/></marker></defs>',
    `  <rect width="${width}" height="${height}" fill="#ffffff"/>`,
    '  <g stroke="#94a3b8" stroke-width="1.2" fill="none" marker-end="url(#tip)">',
    ...arrows,
    "  </g>",
    '  <g stroke-width="1.2">',
    ...boxes.map((line) => (line.includes("<text") ? line.replace("<text", '<text stroke="none"') : line)),
    "  </g>",
    `  <text x="${MARGIN}" y="${height - 12}" fill="#475569">An arrow is an import. A room may also import what its arrows lead to. Blue: functions; grey: functions/shared; green: packages.</text>`,
    "</svg>",
    "",
  ].join("\n");
}
