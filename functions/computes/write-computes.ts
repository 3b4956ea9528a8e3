import { refuseHost } from "../shared/compute/peer-address.ts";
import { failure, failureOf } from "../shared/edge/errors.ts";
import { newId } from "../shared/edge/idempotency.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { EMULATOR_ERRORS } from "../shared/edge/own-errors/emulator.ts";
import type { ComputeUpdate } from "../shared/schemas/compute.ts";
import {
  type ComputeItem,
  deleteCompute as forgetCompute,
  readService,
  replaceCompute,
  createCompute as storeCompute,
  toCompute,
} from "../shared/store/base/service.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import type { group } from "./routes.ts";
import { allComputes } from "./view.ts";

/** Computes that are not registered and cannot be changed. */
const BUILT_IN = new Set(["local", "vm"]);

export const createCompute: Operation<typeof group.routes.createCompute> = async ({
  body,
  origin,
  receipt,
}) => {
  const compute_id = body.compute_id ?? newId({ receipt }, "compute");
  const compute = await untilFresh(async () => {
    const service = await readService();
    const existing = allComputes(service, origin).find((each) => each.compute_id === compute_id);
    if (existing) return existing;
    const { protocol, host, port } = body;
    const user = body.user ?? undefined;
    const name = body.name ?? defaultName({ protocol, host, port, user });
    refuseHost({ name, host });
    refuseTakenName(service.computes, name, compute_id);
    // The password comes first: a compute that is registered with one can be called at once.
    const has_password = await storePassword(compute_id, body.password);
    const stored = await storeCompute({ compute_id, name, protocol, host, port, user, has_password });
    return stored ? toCompute(stored) : STALE;
  });
  return { status: 201, body: compute };
};

/** Loaded on first use: the client of Secrets Manager is large, and most requests read. */
const passwords = () => import("../shared/store/base/compute-password.ts");

/** Returns whether the compute has a password; undefined when the request does not change it. */
async function storePassword(
  computeId: string,
  password: string | null | undefined,
): Promise<boolean | undefined> {
  if (password === undefined) return undefined;
  if (password === null || password === "") return false;
  await (await passwords()).writeComputePassword(computeId, password);
  return true;
}

/** Longer user names are cut in the names made from them, as clients show them in narrow lists. */
const LONGEST_USER = 14;
const KEPT_OF_USER = 11;

function defaultName({
  protocol,
  host,
  port,
  user,
}: Pick<ComputeItem, "protocol" | "host" | "port" | "user">) {
  if (!user) return `${protocol}://${host}:${port}`;
  const shown = user.length > LONGEST_USER ? `${user.slice(0, KEPT_OF_USER)}...` : user;
  return `${protocol}://${shown}@${host}:${port}`;
}

/** Two concurrent requests can still give two computes the same name, which matters only in lists. */
function refuseTakenName(computes: readonly ComputeItem[], name: string, ownId: string): void {
  if (computes.some((compute) => compute.name === name && compute.compute_id !== ownId)) {
    throw failureOf(EMULATOR_ERRORS, "compute.name-taken", { name });
  }
}

export const updateCompute: Operation<typeof group.routes.updateCompute> = async ({ params, body }) => {
  const { compute_id } = params;
  if (BUILT_IN.has(compute_id)) throw failureOf(EMULATOR_ERRORS, "compute.builtin", { compute_id });
  const compute = await untilFresh(async () => {
    const { computes } = await readService();
    const before = computes.find((each) => each.compute_id === compute_id);
    if (before === undefined) throw failure("compute.not-found", { compute_id });
    const after = { ...before, ...changesIn(body) };
    if (body.host) refuseHost(after);
    refuseTakenName(computes, after.name, compute_id);
    const has_password = (await storePassword(compute_id, body.password)) ?? before.has_password;
    return (await replaceCompute(before, { ...after, has_password })) ? after : STALE;
  });
  if (body.password === null || body.password === "")
    await (await passwords()).deleteComputePassword(compute_id);
  return { status: 200, body: toCompute(compute) };
};

function changesIn({ name, protocol, host, port, user }: ComputeUpdate): Partial<ComputeItem> {
  return {
    ...(name != null && { name }),
    ...(protocol && { protocol }),
    ...(host && { host }),
    ...(port && { port }),
    ...(user !== undefined && { user: user ?? undefined }),
  };
}

export const deleteCompute: Operation<typeof group.routes.deleteCompute> = async ({ params }) => {
  const { compute_id } = params;
  if (BUILT_IN.has(compute_id)) throw failureOf(EMULATOR_ERRORS, "compute.builtin", { compute_id });
  const { computes } = await readService();
  const stored = computes.find((each) => each.compute_id === compute_id);
  if (stored === undefined) throw failure("compute.not-found", { compute_id });
  // The secret goes first: a request that dies after it is repeated, and one that dies before it has changed nothing.
  if (stored.has_password) await (await passwords()).deleteComputePassword(compute_id);
  await forgetCompute(compute_id);
  return { status: 204 };
};
