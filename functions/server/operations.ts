import { failureOf } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { SERVER_ERRORS } from "../shared/edge/own-errors/server.ts";
import { readIouLicense, writeIouLicense } from "../shared/store/base/iou-license.ts";
import { STALE, untilFresh } from "../shared/store/base/transact.ts";
import type { group } from "./routes.ts";

type Routes = typeof group.routes;

export const listAppliances: Operation<Routes["listAppliances"]> = async () => ({ status: 200, body: [] });

export const getIouLicense: Operation<Routes["getIouLicense"]> = async () => ({
  status: 200,
  body: (await readIouLicense()).license,
});

export const updateIouLicense: Operation<Routes["updateIouLicense"]> = async ({ body }) => {
  const license = await untilFresh(async () => {
    const stored = await readIouLicense();
    const merged = { ...stored.license, ...body };
    if (JSON.stringify(merged) === JSON.stringify(stored.license)) return merged;
    return (await writeIouLicense(merged, stored.revision)) ? merged : STALE;
  });
  return { status: 201, body: license };
};

export const reload: Operation<Routes["reload"]> = async () => ({ status: 200 });

export const shutdown: Operation<Routes["shutdown"]> = async () => {
  throw failureOf(SERVER_ERRORS, "server.not-local", { what: "be stopped by clients" });
};

export const debug: Operation<Routes["debug"]> = async () => {
  throw failureOf(SERVER_ERRORS, "server.not-local", { what: "write files for clients" });
};
