import { bind } from "../shared/edge/bind.ts";
import * as operations from "./operations.ts";
import { group } from "./routes.ts";

const { changeLocalEmulator, ...others } = operations;

export const handler = bind(group, {
  ...others,
  postToLocalEmulator: changeLocalEmulator,
  putToLocalEmulator: changeLocalEmulator,
});
