/**
 * Filter patterns of event source mappings, as Lambda evaluates them: an object names the attributes that an event must have, and a
 * list the values of which one must match: a literal, or `{"prefix": "..."}`.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
import { LocalProblem } from "./problem.ts";

type Matches = (value: unknown) => boolean;

/**
 * @param where the pattern's place in the template, for error messages.
 * @throws LocalProblem for a kind of comparison that does not run locally.
 */
export function compilePattern(pattern: unknown, where: string): Matches {
  if (Array.isArray(pattern)) {
    const alternatives = pattern.map((each) => compileComparison(each, where));
    return (value) => alternatives.some((matches) => matches(value));
  }
  if (typeof pattern !== "object" || pattern === null) {
    throw new LocalProblem(`${where}: ${JSON.stringify(pattern)} must be an object or a list`);
  }
  const attributes = Object.entries(pattern).map(
    ([name, part]) => [name, compilePattern(part, where)] as const,
  );
  return (value) =>
    attributes.every(([name, matches]) => matches((value as Record<string, unknown> | undefined)?.[name]));
}

function compileComparison(comparison: unknown, where: string): Matches {
  if (typeof comparison !== "object" || comparison === null) return (value) => value === comparison;
  const [[kind, argument] = [], ...others] = Object.entries(comparison);
  if (kind === "prefix" && typeof argument === "string" && others.length === 0) {
    return (value) => typeof value === "string" && value.startsWith(argument);
  }
  throw new LocalProblem(
    `${where}: only literals and prefixes run locally, not ${JSON.stringify(comparison)}`,
  );
}
