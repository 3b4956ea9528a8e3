/** The operations that run labs, here or in the function `guests`. */
import { load } from "../shared/edge/load.ts";

export const RUNS = {
  ...load(() => import("./console.ts"), ["runConsole"]),
  ...load(() => import("./run.ts"), ["runLab"]),
  ...load(
    () => import("./power.ts"),
    [
      "startNode",
      "stopNode",
      "suspendNode",
      "reloadNode",
      "startAllNodes",
      "stopAllNodes",
      "suspendAllNodes",
      "reloadAllNodes",
    ],
  ),
};
