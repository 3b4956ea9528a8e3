/** Names of nodes that a lab file may have, by their ids: without other characters, and with a number if a name is taken. */
export function uniqueNames(
  nodes: readonly { readonly id: string; readonly name: string }[],
): Map<string, string> {
  const taken = new Set<string>();
  return new Map(
    nodes.map(({ id, name }) => {
      const plain = name.replaceAll(/[^A-Za-z0-9_.-]/g, "") || "node";
      let unique = plain;
      for (let number = 2; taken.has(unique); number++) unique = `${plain}-${number}`;
      taken.add(unique);
      return [id, unique];
    }),
  );
}
