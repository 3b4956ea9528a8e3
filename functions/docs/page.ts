/** Renders the OpenAPI document as one self-contained page: no script, no font, no picture from anywhere. */
import type { OpenApi, OpenApiOperation } from "../api/openapi.ts";
import { escapeHtml, renderSchema } from "./schema-text.ts";
import { STYLE } from "./style.ts";

export function renderPage(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Wirelab interface</title>
<style>${STYLE}</style>
</head>
<body>
<nav aria-label="Contents"><p class="brand">Wirelab</p>${groups.map(renderNavigation).join("")}</nav>
<main>
<h1>Wirelab interface</h1>
<p>Version ${escapeHtml(String(document.info.version))}. Paths are below <code>/v2</code>; bodies are JSON unless a content
type is named. Every error is <code>{"message", "status"}</code>; one about invalid fields lists them in
<code>errors</code>. The same as a document: <a href="openapi.json">openapi.json</a>.</p>
${renderCredentials(document)}
${groups.map(renderGroup).join("\n")}
<section id="schemas"><h2>Schemas</h2>
${Object.entries(document.components.schemas)
  .sort(([a], [b]) => a.localeCompare(b))
  .map(
    ([name, schema]) => `<h3 id="schema-${escapeHtml(name)}">${escapeHtml(name)}</h3>${renderSchema(schema)}`,
  )
  .join("\n")}
</section>
</main>
</body>
</html>
`;
}

interface Entry {
  readonly path: string;
  readonly method: string;
  readonly operation: OpenApiOperation;
}
interface Group {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Entry[];
}

const renderCredentials = ({ security, components: { securitySchemes } }: OpenApi): string =>
  `<section id="credentials"><h2>Credentials</h2><p>One of these, for every route that is not open to everybody:</p>
<dl>${security
    .flatMap((requirement) => Object.keys(requirement))
    .map((name) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(securitySchemes[name]!.description!)}</dd>`)
    .join("")}</dl></section>`;

const renderNavigation = ({ name, operations }: Group): string =>
  `<details open><summary>${escapeHtml(name)}</summary><ul>${operations
    .map(
      ({ operation }) => `<li><a href="#${operation.operationId}">${escapeHtml(operation.summary)}</a></li>`,
    )
    .join("")}</ul></details>`;

const renderGroup = ({ name, description, operations }: Group): string =>
  `<section id="group-${escapeHtml(name)}"><h2>${escapeHtml(name)}</h2><p>${escapeHtml(description)}</p>
${operations.map(renderOperation).join("\n")}</section>`;

function renderOperation({ path, method, operation }: Entry): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  return `<article id="${operationId}">
<h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3>
<p>${escapeHtml(summary)}. ${renderRole(operation["x-role"])}${description ? ` ${renderText(description)}` : ""}</p>
${renderParameters(parameters)}
${requestBody ? `<h4>Request body</h4>${renderContent(requestBody.content)}` : ""}
<h4>Responses</h4>
<dl>${Object.entries(responses).map(renderResponse).join("")}</dl>
</article>`;
}

const renderRole = (role: string): string =>
  role === "public" ? "Open to everybody." : `Takes the role <em>${escapeHtml(role)}</em>.`;

function renderParameters(parameters: OpenApiOperation["parameters"]): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map(
    ({ name, in: place, required, description = "" }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}${required ? "" : ", optional"}</td><td>${escapeHtml(description)}</td></tr>`,
  );
  return `<h4>Parameters</h4><table><tbody>${rows.join("")}</tbody></table>`;
}

/** Errors are told by their codes: their shape is the same everywhere. */
function renderResponse([status, { description, headers = {}, content }]: [
  string,
  OpenApiOperation["responses"][string],
]): string {
  const body = Number(status) < 400 && content ? renderContent(content) : "";
  return `<dt class="${Number(status) < 400 ? "good" : "bad"}">${status}</dt><dd>${escapeHtml(description)}${renderHeaders(headers)}${body}</dd>`;
}

const renderHeaders = (headers: Readonly<Record<string, { description: string }>>): string =>
  Object.entries(headers)
    .map(([name, { description }]) => `<p><code>${escapeHtml(name)}</code>: ${escapeHtml(description)}</p>`)
    .join("");

const renderContent = (content: Record<string, { schema: Record<string, unknown> }>): string =>
  Object.entries(content)
    .map(([type, { schema }]) => `<p class="type">${escapeHtml(type)}</p>${renderSchema(schema)}`)
    .join("");

/** Declarations mark code with backticks. */
const renderText = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
