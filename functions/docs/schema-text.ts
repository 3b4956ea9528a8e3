/** JSON Schema as HTML that a person reads. */

type Schema = Record<string, unknown>;

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char]!);

/** An object as a table of its fields, anything else as a line; nothing for bytes. */
export function renderSchema(schema: unknown): string {
  const { properties, required } = schema as { properties?: Record<string, Schema>; required?: string[] };
  if (properties === undefined) {
    const type = typeText(schema as Schema);
    return type === "any" ? "" : `<p class="type">${type}</p>`;
  }
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${typeText(field)}${required?.includes(name) ? "" : ", optional"}</td><td>${escapeHtml(String(field.description ?? ""))}</td></tr>`,
  );
  return `<table><tbody>${rows.join("")}</tbody></table>`;
}

function typeText(schema: Schema): string {
  if (typeof schema.$ref === "string") return reference(schema.$ref);
  if (Array.isArray(schema.enum))
    return schema.enum.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(" | ");
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((part) => typeText(part as Schema)).join(" | ");
  if (schema.type === "array") return `list of ${typeText((schema.items ?? {}) as Schema)}`;
  if (schema.type === "object") return objectText(schema);
  return `${escapeHtml(String(schema.type ?? "any"))}${bounds(schema)}`;
}

function reference(path: string): string {
  const name = escapeHtml(path.split("/").at(-1)!);
  return `<a href="#schema-${name}">${name}</a>`;
}

function objectText({ properties, additionalProperties }: Schema): string {
  if (properties) return `object { ${Object.keys(properties).map(escapeHtml).join(", ")} }`;
  const values = typeof additionalProperties === "object" ? typeText(additionalProperties as Schema) : "any";
  return `map of ${values}`;
}

function bounds({ minimum, maximum, format }: Schema): string {
  if (format) return ` (${escapeHtml(String(format))})`;
  const shown = (bound: unknown) => typeof bound === "number" && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  if (!shown(minimum) && !shown(maximum)) return "";
  return ` ${shown(minimum) ? minimum : ""}..${shown(maximum) ? maximum : ""}`;
}
