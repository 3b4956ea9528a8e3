/** What controllers know of the node types of computes. */

interface ComputeType {
  /** Its nodes run from their creation, and computes have no route that reloads them. */
  readonly isAlwaysOn?: true;
  /** Its computes filter packets, with uBridge. */
  readonly filters?: true;
  /** The NIOs of its nodes cannot be changed. */
  readonly hasFixedNios?: true;
  /** Requests have no `console_type`. */
  readonly hasNoConsoleType?: true;
  /** Computes have no route that duplicates its nodes. */
  readonly isSingle?: true;
  /** Properties that a compute takes only when it creates the node. */
  readonly atCreation?: readonly string[];
}

const CONFIGS = ["startup_config_content", "private_config_content"];

const TYPES: Readonly<Partial<Record<string, ComputeType>>> = {
  cloud: { isAlwaysOn: true, filters: true, hasNoConsoleType: true, isSingle: true },
  nat: { isAlwaysOn: true, filters: true, hasNoConsoleType: true, isSingle: true },
  ethernet_switch: { isAlwaysOn: true, hasFixedNios: true },
  ethernet_hub: { isAlwaysOn: true, hasFixedNios: true, hasNoConsoleType: true },
  frame_relay_switch: { isAlwaysOn: true, hasNoConsoleType: true },
  atm_switch: { isAlwaysOn: true, hasNoConsoleType: true },
  docker: { filters: true },
  dynamips: { filters: true, atCreation: CONFIGS },
  iou: { filters: true, atCreation: CONFIGS },
  qemu: { filters: true },
  traceng: { filters: true },
  virtualbox: { filters: true, isSingle: true },
  vmware: { filters: true, isSingle: true },
  vpcs: { filters: true, atCreation: ["startup_script"] },
};

export const computeTypeOf = (type: string): ComputeType => TYPES[type] ?? {};
