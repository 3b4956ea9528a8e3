/** Conditions of writes, with the attributes of the entity that they are for. */

/** The part of an entity that this module needs. */
interface Stored {
  readonly schema: { readonly attributes: object };
}

type Value = string | number | boolean | undefined;
type Path = `${string}.${string}`;

/** Holds if each attribute, or path in one, has the value; undefined stands for an attribute that does not exist. */
type Values<Name extends string> = { readonly [N in Name | Path]?: Value };

type Comparison<Name extends string> = { readonly attr: Name | Path } & (
  | { readonly exists: boolean }
  | { readonly lt: number }
  | { readonly lte: number }
);

export type Test<Name extends string> =
  | Values<Name>
  | Comparison<Name>
  | { readonly or: readonly (Values<Name> | Comparison<Name>)[] };

/**
 * Makes the options of a write that is refused unless all tests hold.
 * @example update.options(when(NodeEntity, { revision: 3, state: undefined }, { attr: "wiring", lt: 9 }))
 */
export const when = <E extends Stored>(
  _entity: E,
  ...tests: readonly Test<keyof E["schema"]["attributes"] & string>[]
) => {
  const all = tests.flatMap(conditionsOf);
  return (all.length === 0 ? {} : { condition: { and: all } }) as { readonly condition: never };
};

function conditionsOf(test: object): object[] {
  if ("attr" in test) return [test];
  if ("or" in test)
    return [{ or: (test.or as readonly object[]).map((each) => ({ and: conditionsOf(each) })) }];
  return Object.entries(test).map(([attr, value]) =>
    value === undefined ? { attr, exists: false } : { attr, eq: value },
  );
}
