/** The OpenAPI 3.1 document, made from the route declarations alone. */
import * as z from "zod/mini";
import { errorBody } from "../schemas/common.ts";
import { PATH_PARAMETERS } from "../schemas/ids.ts";
import { ALL_ERRORS } from "./all-errors.ts";
import { parsePath } from "./path-template.ts";
import { commonErrors, neededRole, type ResponseSpec, type Route, type RouteGroup } from "./route.ts";
import { SECURITY, SECURITY_SCHEMES } from "./security-schemes.ts";
import { SERVICE_VERSION } from "./version.ts";

type Json = Record<string, unknown>;

export interface OpenApi {
  readonly openapi: string;
  readonly info: Json;
  readonly servers: readonly Json[];
  readonly tags: readonly { name: string; description: string }[];
  readonly paths: Record<string, Record<string, OpenApiOperation>>;
  /** Alternatives, by the names of their schemes. */
  readonly security: readonly SecurityRequirement[];
  readonly components: {
    readonly schemas: Json;
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
}

type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  /** The role that it takes, or `public`. */
  readonly "x-role": string;
  /** Empty for public routes, and only there: the others have the document's. */
  readonly security?: readonly SecurityRequirement[];
  readonly parameters: readonly {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: Json;
  }[];
  readonly requestBody?: {
    required: boolean;
    description?: string;
    content: Record<string, MediaType>;
  };
  readonly responses: Record<
    string,
    {
      description: string;
      headers?: Record<string, { description: string; schema: Json }>;
      content?: Record<string, { schema: Json }>;
    }
  >;
}

interface MediaType {
  readonly schema: Json;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly externalValue: string }>>;
}

/** A value, or where there is a file: a URL relative to that of the document. */
type BodyExample = { readonly value: unknown } | { readonly externalValue: string };

export interface Examples {
  /** Request bodies, by operation id. */
  readonly bodies: Readonly<Record<string, BodyExample>>;
  /** Values of named schemas, by name. */
  readonly schemas: Readonly<Record<string, unknown>>;
  /** Schemas that rows describe in place of the routes, by name. */
  readonly described: Readonly<Record<string, Readonly<Json>>>;
}

export function makeOpenApi(groups: readonly RouteGroup[], examples: Examples): OpenApi {
  const components: Json = {};
  const paths: OpenApi["paths"] = {};
  for (const group of groups) {
    for (const [operationId, route] of Object.entries(group.routes)) {
      const path = route.path.replace("+}", "}");
      paths[path] ??= {};
      paths[path][route.method.toLowerCase()] = describe(
        operationId,
        group,
        route,
        components,
        examples.bodies[operationId],
      );
    }
  }
  Object.assign(components, examples.described);
  for (const [name, example] of Object.entries(examples.schemas))
    components[name] = { ...(components[name] as Json), examples: [example] };
  return {
    openapi: "3.1.0",
    info: {
      title: "Wirelab",
      version: SERVICE_VERSION,
      summary: "A network emulation service without servers",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/v2" }],
    tags: groups.map(({ name, description }) => ({ name, description })),
    paths,
    security: SECURITY,
    components: { schemas: components, securitySchemes: SECURITY_SCHEMES },
  };
}

function describe(
  operationId: string,
  group: RouteGroup,
  route: Route,
  components: Json,
  example: BodyExample | undefined,
): OpenApiOperation {
  const body = bodyOf(route, components, example);
  const role = neededRole(route);
  return {
    operationId,
    summary: route.summary,
    ...(route.description && { description: route.description }),
    tags: [group.name],
    "x-role": role,
    ...(role === "public" && { security: [] }),
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(body && { requestBody: body }),
    responses: { ...successes(route, components), ...errors(route, components) },
  };
}

function pathParameters(route: Route) {
  return parsePath(route.path).variables.map((variable) => {
    const name = variable.name as keyof typeof PATH_PARAMETERS;
    const { description, ...schema } = plainSchema(PATH_PARAMETERS[name], {});
    return { name, in: "path", required: true, ...textOf(description), schema };
  });
}

function queryParameters(route: Route) {
  return Object.entries(route.query?.shape ?? {}).map(([name, type]) => {
    const { description, ...schema } = plainSchema(type as z.ZodMiniType, {});
    return { name, in: "query", required: false, ...textOf(description), schema };
  });
}

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Sent again with the same key within 24 hours, the request is answered again and not carried out",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

const PREFER = {
  name: "Prefer",
  in: "header",
  required: false,
  description:
    "`wait=N`: if the lab has Linux nodes, the request waits up to N seconds, at most 20, for the end of its run (RFC 7240), and returns " +
    "the run's own response; the header `Preference-Applied` has the time. Without it, the response is 202 at once",
  schema: { type: "string", examples: ["wait=20"] },
};

const headerParameters = ({ idempotent, outlasts }: Route) => [
  ...(idempotent ? [IDEMPOTENCY_KEY] : []),
  ...(outlasts ? [PREFER] : []),
];

const textOf = (description: unknown) => (typeof description === "string" ? { description } : {});

function bodyOf(
  { body }: Route,
  components: Json,
  example: BodyExample | undefined,
): OpenApiOperation["requestBody"] {
  if (body === undefined || body.kind === "ignored") return undefined;
  if (body.kind === "raw") {
    const schema = { type: "string", contentMediaType: body.contentType, maxLength: body.maxBytes };
    const content = { [body.contentType]: { schema, ...exampleOf(example) } };
    return { required: true, ...linkTo(example), content };
  }
  const schema = plainSchema(body.schema, components);
  // An absent body is `{}`.
  const required = !body.schema.safeParse({}).success;
  return { required, content: { "application/json": { schema, ...exampleOf(example) } } };
}

/** Swagger UI offers a file to choose in the place of an example of bytes. */
const linkTo = (example: BodyExample | undefined): { description?: string } =>
  example && "externalValue" in example
    ? { description: `For example [${example.externalValue.split("/").at(-1)}](${example.externalValue})` }
    : {};

function exampleOf(example: BodyExample | undefined): Pick<MediaType, "example" | "examples"> {
  if (example === undefined) return {};
  return "value" in example ? { example: example.value } : { examples: { file: example } };
}

function successes(route: Route, components: Json): OpenApiOperation["responses"] {
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, spec]) => {
      const content = contentOf(spec, components);
      const hasContent = Object.keys(content).length > 0;
      return [status, { description: spec.description, ...headersOf(spec), ...(hasContent && { content }) }];
    }),
  );
}

function headersOf({ headers }: ResponseSpec): Pick<OpenApiOperation["responses"][string], "headers"> {
  if (headers === undefined) return {};
  const entries = Object.entries(headers).map(([name, description]) => [
    name,
    { description, schema: { type: "string" } },
  ]);
  return { headers: Object.fromEntries(entries) };
}

function contentOf(
  { schema, contentType }: ResponseSpec,
  components: Json,
): Record<string, { schema: Json }> {
  return {
    ...(contentType && { [contentType]: { schema: {} } }),
    ...(schema && { "application/json": { schema: plainSchema(schema, components, "output") } }),
  };
}

interface Refusal {
  readonly status: number;
  readonly code: string;
}

/** What the gateway and its authorizer answer before a function is called, in the shape of all errors: infra/gateway-responses.ts. */
const gatewayRefusals = (route: Route): readonly Refusal[] => [
  ...(neededRole(route) === "public"
    ? []
    : [
        { status: 401, code: "access.credentials" },
        { status: 503, code: "gateway.undecided" },
      ]),
  // Public routes as well: the throttle of the stage is for all of them.
  { status: 429, code: "gateway.throttled" },
];

/** One answer for each status, with every code that it may have. */
function errors(route: Route, components: Json): OpenApiOperation["responses"] {
  const declared = [...commonErrors(route), ...route.errors].map((code): Refusal => {
    return { status: ALL_ERRORS[code].status, code };
  });
  const byStatus = Map.groupBy([...declared, ...gatewayRefusals(route)], ({ status }) => status);
  const schema = plainSchema(errorBody, components, "output");
  return Object.fromEntries(
    [...byStatus].map(([status, refusals]) => {
      const codes = refusals.map(({ code }) => code);
      const withCodes = { allOf: [schema], properties: { code: { enum: codes } } };
      return [
        String(status),
        { description: codes.join(", "), content: { "application/json": { schema: withCodes } } },
      ];
    }),
  );
}

/** A schema as JSON Schema; those with a name go to the components and are referred to. */
function plainSchema(type: z.ZodMiniType, components: Json, io: "input" | "output" = "input"): Json {
  const {
    $defs = {},
    $schema: _dialect,
    ...schema
  } = z.toJSONSchema(type, {
    io,
    unrepresentable: "any",
    reused: "inline",
  }) as Json & { $defs?: Json };
  const named = (part: unknown): unknown =>
    JSON.parse(JSON.stringify(part).replaceAll('"#/$defs/', '"#/components/schemas/'));
  for (const [name, definition] of Object.entries($defs))
    components[name] = named(withoutId(definition as Json));
  const { id } = schema as { id?: string };
  if (id === undefined) return named(schema) as Json;
  components[id] = named(withoutId(schema));
  return { $ref: `#/components/schemas/${id}` };
}

const withoutId = ({ id: _id, ...schema }: Json): Json => schema;
