/**
 * As much of API Gateway's mappings as the stack uses: templates with values of `$context`, and headers.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/rest-api-parameter-mapping-sources.html
 */

/** Values of `$context` that templates may use, without the leading `$context.`. */
export type TemplateContext = Readonly<Record<string, string>>;

/** What the gateway sends by itself. */
export interface RenderedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Replaces `$context.name` by the value; by nothing when there is none. */
export const fillTemplate = (template: string, values: TemplateContext): string =>
  template.replace(/\$context\.([A-Za-z_][\w.]*\w)/g, (_whole, name: string) => values[name] ?? "");

/** @param headers name -> text in single quotes, or `context.` and a name; no other source is known here. */
export const mapHeaders = (
  headers: Readonly<Record<string, string>>,
  values: TemplateContext,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.startsWith("context.")
        ? (values[value.slice("context.".length)] ?? "")
        : value.replace(/^'|'$/g, ""),
    ]),
  );
