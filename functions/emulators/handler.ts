import { bind } from "../shared/edge/bind.ts";
import * as operations from "./operations.ts";
import { group } from "./routes.ts";

const { changeEmulator, changeLocalEmulator, ...others } = operations;

export const handler = bind(group, {
  ...others,
  postToEmulator: changeEmulator,
  putToEmulator: changeEmulator,
  postToLocalEmulator: changeLocalEmulator,
  putToLocalEmulator: changeLocalEmulator,
});
