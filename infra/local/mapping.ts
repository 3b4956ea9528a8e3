/**
 * The part of API Gateway's mappings that the stack uses: templates with values of `$context`, and headers.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/rest-api-parameter-mapping-sources.html
 */

/** Values of `$context` that templates may use, without the leading `$context.`. */
export type TemplateContext = Readonly<Record<string, string>>;

/** A response that the gateway creates without a function. */
export interface RenderedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Replaces `$context.name` by its value, or by an empty string if it has none. */
export const fillTemplate = (template: string, values: TemplateContext): string =>
  template.replace(/\$context\.([A-Za-z_][\w.]*\w)/g, (_whole, name: string) => values[name] ?? "");

/** @param headers name -> text in single quotes, or `context.` and a name; other sources are not supported. */
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
