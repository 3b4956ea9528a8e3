/**
 * The part of the Velocity Template Language that the stack's templates use: `#set` and `#if` on lines of their own, text with values
 * of `$context`. https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html
 */
import { fillTemplate, type TemplateContext } from "./mapping.ts";
import { LocalProblem } from "./problem.ts";

export interface RenderedTemplate {
  readonly body: string;
  /** Headers that the template sets with `$context.responseOverride.header`. */
  readonly headers: Readonly<Record<string, string>>;
}

const SET = /^#set\(\$([\w.-]+) = (.+)\)$/;
const IF = /^#if\((.+)\)$/;
const PARAMETER = /^\$input\.params\("([\w-]+)"\)$/;
const OVERRIDE = "context.responseOverride.header.";

/**
 * @param parameter returns a header of the request; its name has the case that the client sent.
 * @throws LocalProblem for a directive outside of this part of the language.
 */
export function renderTemplate(
  template: string,
  context: TemplateContext,
  parameter: (name: string) => string,
): RenderedTemplate {
  const variables = new Map<string, string>();
  const evaluate = (expression: string): string => {
    const text = expression.trim();
    const name = PARAMETER.exec(text)?.[1];
    if (name !== undefined) return parameter(name);
    if (/^"[^"$]*"$/.test(text)) return text.slice(1, -1);
    const value = text.startsWith("$") ? variables.get(text.slice(1)) : undefined;
    if (value === undefined) throw new LocalProblem(`the template has ${text}, which does not run locally`);
    return value;
  };
  const holds = (condition: string): boolean =>
    condition.split("||").some((part) => {
      const [left = "", right = ""] = part.split("==");
      return evaluate(left) === evaluate(right);
    });
  const output: string[] = [];
  /** Whether each enclosing `#if` holds. */
  const branches: boolean[] = [];
  for (const line of template.split("\n")) {
    const [, target, expression] = SET.exec(line) ?? [];
    const condition = IF.exec(line)?.[1];
    const isActive = branches.every(Boolean);
    if (condition !== undefined) branches.push(isActive && holds(condition));
    else if (line === "#end") branches.pop();
    else if (!isActive) continue;
    else if (target !== undefined) variables.set(target, evaluate(expression!));
    else if (line.startsWith("#"))
      throw new LocalProblem(`the template has ${line}, which does not run locally`);
    else output.push(fillTemplate(line, context));
  }
  const overrides = [...variables].filter(([name]) => name.startsWith(OVERRIDE));
  return {
    body: output.join("\n"),
    headers: Object.fromEntries(overrides.map(([name, value]) => [name.slice(OVERRIDE.length), value])),
  };
}
