/** The helper virtual machine's settings (docs/interface.md, section 7.1). */
import * as z from "zod/mini";
import { optionalFields } from "./common.ts";

const settings = {
  allocate_vcpus_ram: z.boolean(),
  enable: z.boolean(),
  engine: z.string().check(z.maxLength(128)),
  headless: z.boolean(),
  port: z.int().check(z.minimum(1), z.maximum(65_535)),
  ram: z.int().check(z.minimum(1)),
  vcpus: z.int().check(z.minimum(1)),
  vmname: z.nullable(z.string().check(z.maxLength(255))),
  when_exit: z.enum(["stop", "suspend", "keep"]),
};

export const simvm = z.object(settings).check(z.meta({ id: "SimVm" }));
export type SimVm = z.output<typeof simvm>;

export const simvmUpdate = z.strictObject(optionalFields(settings)).check(z.meta({ id: "SimVmUpdate" }));

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
  .check(z.meta({ id: "SimVmEngine" }));

export const vm = z.object({ vmname: z.string() }).check(z.meta({ id: "Vm" }));
