/** Reads JSON that a guest's program has printed: nothing of its shape is certain. */

/** @returns undefined for a text that is no JSON: a program prints its errors as plain text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Several documents behind each other, as some commands of FRR print them for several VRFs. @returns none for a text that is no JSON. */
export function parseJsons(text: string): readonly unknown[] | undefined {
  const all = text.split(/(?<=^\})\s+(?=^\{)/m).map(parseJson);
  return all.includes(undefined) ? undefined : all;
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;
