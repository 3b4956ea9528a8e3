import { bind } from "../shared/edge/bind.ts";
import { requestLedger } from "../shared/store/idempotency/idempotency.ts";
import { getCompute, listComputes } from "./read-computes.ts";
import { group } from "./routes.ts";
import { createCompute, deleteCompute, updateCompute } from "./write-computes.ts";

export const handler = bind(
  group,
  { listComputes, createCompute, getCompute, updateCompute, deleteCompute },
  { ledger: requestLedger },
);
