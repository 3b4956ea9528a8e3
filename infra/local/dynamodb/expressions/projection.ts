/** Projections: the attributes of an item that a request wants. */
import type { Item } from "../attribute.ts";
import type { Bindings } from "./bindings.ts";
import { overlap, pickPaths } from "./path.ts";
import { Tokens } from "./tokens.ts";

/** @throws DynamoDbError for another syntax. */
export function projectionOf(text: string | undefined, bindings: Bindings): (item: Item) => Item {
  if (text === undefined) return (item) => item;
  const tokens = new Tokens("ProjectionExpression", text, bindings);
  const paths = tokens.list(() => tokens.path());
  tokens.expectEnd();
  for (const [index, path] of paths.entries())
    if (paths.slice(index + 1).some((other) => overlap(path, other)))
      throw tokens.fault(
        "Two document paths overlap with each other; must remove or rewrite one of these paths",
      );
  return (item) => pickPaths(item, paths);
}
