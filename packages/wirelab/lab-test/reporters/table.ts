/** Aligns columns of text. */

/** Pads each column to its longest cell, the first to the left, the others to the right unless `isLeft`. */
export function alignColumns(rows: readonly (readonly string[])[], isLeft = false): string[] {
  const widths = rows.reduce<number[]>(
    (all, row) => row.map((cell, index) => Math.max(cell.length, all[index] ?? 0)),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, index) =>
        index === 0 || isLeft ? cell.padEnd(widths[index]!) : cell.padStart(widths[index]!),
      )
      .join("  ")
      .trimEnd(),
  );
}
