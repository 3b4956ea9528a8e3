/** What a node keeps without power, as the state of its copy. */
import { stateWhenOff } from "@wirelab/engine/devices/make-device";
import { toLabNode } from "../shared/run/lab-items.ts";
import type { NodeItem } from "../shared/store/lab/node.ts";

export function savedFiles({ state }: NodeItem, copy: NodeItem): Pick<NodeItem, "state"> {
  const { spec } = toLabNode(copy);
  const device = spec && stateWhenOff(spec, state?.device);
  return device === undefined ? {} : { state: { device } };
}
