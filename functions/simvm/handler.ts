import { bind } from "../shared/edge/bind.ts";
import { listEngines, listVms } from "./engines.ts";
import { group } from "./routes.ts";
import { getSimVm, updateSimVm } from "./settings.ts";

export const handler = bind(group, {
  getSimVm,
  updateSimVm,
  listEngines,
  listVms,
  getGns3Vm: getSimVm,
  updateGns3Vm: updateSimVm,
  listGns3VmEngines: listEngines,
  listGns3VmVms: listVms,
});
