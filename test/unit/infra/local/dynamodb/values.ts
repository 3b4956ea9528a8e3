/** Random attribute values, keys and items. */
import fc from "fast-check";

/** No two differ by case alone: to Dynoxide, "a" begins with "A". */
export const keyText = fc.constantFrom("k", "b", "A#1", "A#2", "A#", "é", "😀", "ÿ", "zz");
export const number = fc.oneof(
  fc.integer({ min: -3, max: 12 }).map(String),
  fc.constantFrom(
    "0.5",
    "-0.25",
    "1e3",
    "1E-7",
    "100",
    "1.50",
    "-0",
    "12345678901234567890",
    "99999999999999999999999999999999999999",
  ),
);
export const text = fc.constantFrom("", "x", "xy", "é", "A#1", "longer text");
export const bytes = fc.constantFrom("AQ==", "AQI=", "/w==");
export const unique = <T>(one: fc.Arbitrary<T>) => fc.uniqueArray(one, { minLength: 1, maxLength: 3 });
export const small = fc.constantFrom("1", "2", "3", "-4", "0.5");

interface Tree {
  readonly value: object;
}
export const { value: attribute } = fc.letrec<Tree>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthIdentifier: "attribute" },
    text.map((S) => ({ S })),
    number.map((N) => ({ N })),
    bytes.map((B) => ({ B })),
    fc.boolean().map((BOOL) => ({ BOOL })),
    fc.constant({ NULL: true }),
    unique(fc.constantFrom("p", "q", "r")).map((SS) => ({ SS })),
    unique(small).map((NS) => ({ NS })),
    unique(bytes).map((BS) => ({ BS })),
    fc.array(tie("value"), { maxLength: 3 }).map((L) => ({ L })),
    fc.dictionary(fc.constantFrom("m", "n"), tie("value"), { maxKeys: 2 }).map((M) => ({ M })),
  ),
}));

export const key = fc.record({ pk: keyText.map((S) => ({ S })), sk: keyText.map((S) => ({ S })) });
export const item = fc
  .tuple(
    key,
    fc.record(
      {
        grp: fc.constantFrom("g", "h").map((S) => ({ S })),
        num: number.map((N) => ({ N })),
        a: attribute,
        b: attribute,
        c: attribute,
        l: fc.array(attribute, { minLength: 2, maxLength: 3 }).map((L) => ({ L })),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([keys, others]) => ({ ...keys, ...others }));
