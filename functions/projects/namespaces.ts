/** Makes, shows and ends namespaces. Admins alone may: the routes declare it. */
import { emptyNamespace } from "../shared/compute/empty-namespace.ts";
import { failureOf, invalidRequest } from "../shared/edge/errors.ts";
import { namespaceUser } from "../shared/edge/namespace.ts";
import type { Operation, Origin } from "../shared/edge/operation.ts";
import { NAMESPACE_ERRORS } from "../shared/edge/own-errors/namespace.ts";
import {
  endNamespace,
  hasEnded,
  type Namespace,
  getNamespace as readNamespace,
  putNamespace as storeNamespace,
} from "../shared/store/user/namespace.ts";
import type { group } from "./routes.ts";

type Routes = typeof group.routes;

const DAY_MS = 86_400_000;
const USUAL_DAYS = 7;
const MOST_DAYS = 90;

export const putNamespace: Operation<Routes["putNamespace"]> = async ({ access, body, origin, params }) => {
  // A stack that checks no passwords admits no user of a namespace.
  if (access.caller.session === undefined) throw failureOf(NAMESPACE_ERRORS, "namespace.no-passwords");
  const expiresAt = readEnd(body.expires_at, Date.now());
  const { namespace, password } = await storeNamespace(params.namespace, expiresAt);
  return { status: 200, body: { ...show(namespace, origin), password } };
};

export const getNamespace: Operation<Routes["getNamespace"]> = async ({ params, origin }) => {
  const { namespace: name } = params;
  const namespace = await readNamespace(name);
  if (namespace === undefined || hasEnded(namespace, Date.now())) throw notFound(name);
  return { status: 200, body: show(namespace, origin) };
};

export const deleteNamespace: Operation<Routes["deleteNamespace"]> = async ({ params }) => {
  const { namespace: name } = params;
  const nowMs = Date.now();
  if (!(await endNamespace(name, new Date(nowMs).toISOString()))) throw notFound(name);
  await emptyNamespace(name, nowMs);
  return { status: 204 };
};

const notFound = (name: string) => failureOf(NAMESPACE_ERRORS, "namespace.not-found", { name });

/** @returns the end in UTC. @throws ApiError `request.invalid` */
function readEnd(given: string | undefined, nowMs: number): string {
  const endMs = given === undefined ? nowMs + USUAL_DAYS * DAY_MS : Date.parse(given);
  const message =
    endMs <= nowMs
      ? "is not in the future"
      : endMs > nowMs + MOST_DAYS * DAY_MS
        ? `is more than ${MOST_DAYS} days from now`
        : undefined;
  if (message !== undefined) throw invalidRequest([{ path: "body.expires_at", message }]);
  return new Date(endMs).toISOString();
}

function show({ name, created_at, expires_at }: Namespace, { protocol, host, port }: Origin) {
  const isUsual = port === (protocol === "http" ? 80 : 443);
  const url = `${protocol}://${host}${isUsual ? "" : `:${port}`}/v2`;
  return { name, url, user: namespaceUser(name), created_at, expires_at };
}
