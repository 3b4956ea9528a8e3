/** What the steps of the helper machine read and write; tests put a store in memory in its place. */
import type { SimVm } from "../schemas/simvm.ts";
import { readService } from "../store/base/service.ts";
import { type Helper, readHelper, type VmCompute, writeHelper } from "../store/helper/helper.ts";

export interface HelperStore {
  readonly read: () => Promise<Helper>;
  /** Returns undefined when another request has changed the item since it was read. */
  readonly write: (before: Helper, changes: Partial<Helper>, vm?: VmCompute) => Promise<Helper | undefined>;
  readonly settings: () => Promise<SimVm>;
}

export const STORE: HelperStore = {
  read: readHelper,
  write: writeHelper,
  settings: async () => (await readService()).simvm,
};
