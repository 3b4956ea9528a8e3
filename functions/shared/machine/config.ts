/** The engine `ec2` as the stack sets it up: infra/helper.ts. Without `-c helper=...` there is none. */
import { figure, HELPER } from "../edge/figures.ts";
import type { SimVm } from "../schemas/simvm.ts";

export interface HelperConfig {
  /** The value of the tag that the instances have. */
  readonly stack: string;
  /** The launch template; undefined in functions that may not launch. */
  readonly template: string | undefined;
  /** The type of instances that are launched, such as `c8i.xlarge`. */
  readonly type: string;
}

const US_PER_MINUTE = 60_000_000;

/** Returns undefined when the stack has no engine `ec2`. */
export function helperConfig(): HelperConfig | undefined {
  const { HELPER_STACK: stack, HELPER_TEMPLATE: template, HELPER_TYPE: type } = process.env;
  return stack && type ? { stack, template: template || undefined, type } : undefined;
}

export const idleUs = (): number => figure(HELPER, "helper_idle_minutes") * US_PER_MINUTE;

/** The id under which the helper machine is a compute. */
export const VM = "vm";

/** The user name at the machine's server; the stack's secret has the password. */
export const HELPER_USER = "gns3";

/** The machine that the stack launches itself, when the settings name none. */
export const defaultName = ({ stack }: HelperConfig): string => `${stack} helper`;

export const machineName = (config: HelperConfig, { vmname }: Pick<SimVm, "vmname">): string =>
  vmname ?? defaultName(config);

export const isOnEc2 = ({ enable, engine }: SimVm): boolean => enable && engine === "ec2";
