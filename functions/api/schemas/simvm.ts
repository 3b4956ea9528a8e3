/** The helper virtual machine's settings (reference: 5.1). */
import * as z from "zod";

const settings = {
  allocate_vcpus_ram: z.boolean(),
  enable: z.boolean(),
  engine: z.string().max(128),
  headless: z.boolean(),
  port: z.int().min(1).max(65_535),
  ram: z.int().min(1),
  vcpus: z.int().min(1),
  vmname: z.string().max(255).nullable(),
  when_exit: z.enum(["stop", "suspend", "keep"]),
};

export const simvm = z.object(settings).meta({ id: "SimVm" });
export type SimVm = z.output<typeof simvm>;

export const simvmUpdate = z.strictObject(settings).partial().meta({ id: "SimVmUpdate" });

export const SIMVM_DEFAULTS: SimVm = {
  allocate_vcpus_ram: true,
  enable: false,
  engine: "remote",
  headless: false,
  port: 80,
  ram: 2048,
  vcpus: 1,
  vmname: null,
  when_exit: "stop",
};

export const engine = z
  .object({
    engine_id: z.string(),
    name: z.string(),
    description: z.string(),
    support_when_exit: z.boolean(),
    support_headless: z.boolean(),
    support_ram: z.boolean(),
  })
  .meta({ id: "SimVmEngine" });

export const vm = z.object({ vmname: z.string() }).meta({ id: "Vm" });
