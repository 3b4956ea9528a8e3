/** The helper machine's item, the settings and the projects in memory, with the conditions of the table's writes. */
import type { ProjectStore } from "../../../functions/shared/machine/advance.ts";
import { SIMVM_DEFAULTS, type SimVm } from "../../../functions/shared/schemas/simvm.ts";
import { HELPER_OFF, type Helper, type VmCompute } from "../../../functions/shared/store/helper/helper.ts";

export class MemoryStore implements ProjectStore {
  helper: Helper = HELPER_OFF;
  simvm: SimVm = { ...SIMVM_DEFAULTS, engine: "ec2" };
  readonly opened = new Set<string>();
  /** Compute `vm`, while it is registered. */
  vm: VmCompute | undefined;
  /** Called before each write; a throw is a function that dies. */
  beforeWrite: () => void = () => {};
  afterWrite: () => void = () => {};

  read = async (): Promise<Helper> => structuredClone(this.helper);
  settings = async (): Promise<SimVm> => this.simvm;
  openOf = async (ids: readonly string[]): Promise<string[]> => ids.filter((id) => this.opened.has(id));

  write = async (before: Helper, changes: Partial<Helper>, vm?: VmCompute): Promise<Helper | undefined> => {
    this.beforeWrite();
    if (before.revision !== this.helper.revision) return undefined;
    const wasReady = this.helper.state === "ready";
    const moved = changes.state !== undefined && changes.state !== before.state;
    const now = Math.round((performance.timeOrigin + performance.now()) * 1000);
    this.helper = { ...before, ...(moved && { since_us: now }), ...changes, revision: before.revision + 1 };
    if (this.helper.state === "ready" && vm) this.vm = vm;
    else if (wasReady && this.helper.state !== "ready") this.vm = undefined;
    this.afterWrite();
    return structuredClone(this.helper);
  };
}
