/** The instance type that has the vcpus and the ram of the settings. */
import { failureOf } from "../edge/errors.ts";
import { SIMVM_ERRORS } from "../edge/own-errors/simvm.ts";
import type { SimVm } from "../schemas/simvm.ts";
import { listTypes } from "../store/ec2/instances.ts";

/**
 * Returns the type that an instance has, if it is large enough, and else the smallest of its family that is.
 * @throws ApiError `simvm.refused`, and those of EC2.
 */
export async function chooseType(
  type: string,
  { allocate_vcpus_ram, vcpus, ram }: Pick<SimVm, "allocate_vcpus_ram" | "vcpus" | "ram">,
): Promise<string> {
  if (!allocate_vcpus_ram) return type;
  const [family = type] = type.split(".");
  const types = await listTypes(family);
  const isLarge = (one: { vcpus: number; ramMb: number }): boolean => one.vcpus >= vcpus && one.ramMb >= ram;
  const own = types.find(({ name }) => name === type);
  if (own !== undefined && isLarge(own)) return type;
  const chosen = types.find(isLarge);
  if (chosen !== undefined) return chosen.name;
  const words =
    `No instance type of the family ${family} has ${vcpus} vcpus and ${ram} MB of ram; lower them, or deploy with a larger type ` +
    "(-c helper=...)";
  throw failureOf(SIMVM_ERRORS, "simvm.refused", { words });
}
