/** Random expressions, right and wrong ones, with the values of their placeholders. */
import fc from "fast-check";
import { attribute, bytes, number, small, text, unique } from "./values.ts";

const path = fc.constantFrom("a", "b", "c", "a.m", "a.n", "b[0]", "b[1]", "a.m.n", "c[0].m", "num", "#group");
/** Dynoxide makes a list of the attribute whose element is set, which AWS refuses, and fills a list up to the element, which AWS appends. */
const target = fc.constantFrom("a", "b", "c", "a.m", "a.n", "l[0]", "l[1]", "a.m.n", "num", "#group");
/** Values by their placeholders. Each has the types that its operators take: Dynoxide checks types less often than AWS does. */
const VALUES: Readonly<Record<string, fc.Arbitrary<object>>> = {
  ":any": attribute,
  ":ordered": fc.oneof(
    text.map((S) => ({ S })),
    number.map((N) => ({ N })),
    bytes.map((B) => ({ B })),
  ),
  ":text": text.map((S) => ({ S })),
  ":count": small.map((N) => ({ N })),
  ":set": unique(fc.constantFrom("p", "q", "r")).map((SS) => ({ SS })),
  ":list": fc.array(attribute, { maxLength: 2 }).map((L) => ({ L })),
};
export const values = fc.record(VALUES);

/** An expression, with the placeholders that it uses. */
export interface Expression {
  readonly text: string;
}

const comparison = fc.oneof(
  fc
    .tuple(path, fc.constantFrom("=", "<>"), fc.oneof(path, fc.constant(":any")))
    .map((parts) => parts.join(" ")),
  fc
    .tuple(path, fc.constantFrom("<", "<=", ">", ">="), fc.oneof(path, fc.constant(":ordered")))
    .map((parts) => parts.join(" ")),
  fc.tuple(path, fc.constantFrom("=", "<", ">=")).map(([each, by]) => `size(${each}) ${by} :count`),
);
const single = fc.oneof(
  comparison,
  path.map((each) => `attribute_exists(${each})`),
  path.map((each) => `attribute_not_exists(${each})`),
  fc.constantFrom("attribute_exists(pk)", "attribute_not_exists(pk)"),
  path.map((each) => `begins_with(${each}, :text)`),
  path.map((each) => `contains(${each}, :ordered)`),
  path.map((each) => `${each} IN (:ordered, :any)`),
  path.map((each) => `${each} BETWEEN :count AND :count`),
);
const wrong = fc.constantFrom("a =", "a = = :any", "nofunction(a)", "a BETWEEN :any", "(a = :any");
const right = fc.oneof(
  single,
  fc.tuple(single, fc.constantFrom("AND", "OR"), single).map((parts) => parts.join(" ")),
  single.map((each) => `NOT ${each}`),
  fc.tuple(single, single, single).map(([x, y, z]) => `(${x} OR ${y}) AND NOT (${z})`),
);
const asExpression = (text: string): Expression => ({ text });
export const condition: fc.Arbitrary<Expression> = right.map(asExpression);
export const anyCondition = fc.oneof({ arbitrary: right, weight: 9 }, wrong).map(asExpression);

const setValue = fc.oneof(
  fc.constant(":any"),
  path,
  fc.tuple(path, fc.constantFrom("+", "-")).map(([each, by]) => `${each} ${by} :count`),
  path.map((each) => `if_not_exists(${each}, :any)`),
  path.map((each) => `if_not_exists(${each}, :count) + :count`),
  path.map((each) => `list_append(${each}, :list)`),
  path.map((each) => `list_append(:list, ${each})`),
);
/** Dynoxide takes it for right when the parent of a removed path is missing, which AWS refuses. */
const top = fc.constantFrom("a", "b", "c", "num", "#group");
const section = fc.oneof(
  fc
    .array(
      fc.tuple(target, setValue).map((parts) => parts.join(" = ")),
      { minLength: 1, maxLength: 2 },
    )
    .map((each) => `SET ${each.join(", ")}`),
  fc.uniqueArray(top, { minLength: 1, maxLength: 2 }).map((each) => `REMOVE ${each.join(", ")}`),
  fc
    .tuple(fc.constantFrom("a", "b", "num"), fc.constantFrom(":count", ":set"))
    .map(([each, value]) => `ADD ${each} ${value}`),
  fc.constantFrom("a", "b").map((each) => `DELETE ${each} :set`),
);
/**
 * For transactions. Dynoxide lets their paths overlap, which AWS refuses; and it refuses the whole request, not the one part, when an update makes
 * the key of an index empty.
 */
export const distinctUpdate: fc.Arbitrary<Expression> = fc
  .uniqueArray(
    target.filter((each) => each !== "#group"),
    { minLength: 2, maxLength: 2, selector: (each) => each.split(/[.[]/)[0] },
  )
  .map(([first, second]) => [first, second?.split(/[.[]/)[0]] as const)
  .chain(([first, second]) =>
    fc
      .tuple(
        fc.constantFrom(
          ":any",
          ":list",
          `if_not_exists(${first}, :any)`,
          `if_not_exists(${first}, :count) + :count`,
        ),
        fc.constantFrom("", ` REMOVE ${second}`, ` ADD ${second} :count`, ` DELETE ${second} :set`),
      )
      .map(([value, rest]) => `SET ${first} = ${value}${rest}`),
  )
  .map(asExpression);
export const update: fc.Arbitrary<Expression> = fc
  .uniqueArray(section, { minLength: 1, maxLength: 2, selector: (each) => each.split(" ")[0] })
  .map((sections) => ({ text: sections.join(" ") }));

/** Gives the placeholders of the expressions their values. */
export function placeholders(
  expressions: readonly (string | undefined)[],
  given: Readonly<Record<string, object>>,
): { readonly ExpressionAttributeNames?: object; readonly ExpressionAttributeValues?: object } {
  const all = expressions.join(" ");
  const used = Object.entries(given).filter(([name]) => all.includes(name));
  return {
    ...(used.length > 0 && { ExpressionAttributeValues: Object.fromEntries(used) }),
    ...(all.includes("#group") && { ExpressionAttributeNames: { "#group": "grp" } }),
  };
}

/** Of paths that do not overlap. */
export const projection: fc.Arbitrary<string> = fc
  .uniqueArray(path, { minLength: 1, maxLength: 3, selector: (each) => each.split(/[.[]/)[0] })
  .map((each) => each.join(", "));
