/** The settings of a new template, by its type; those of a client replace them. */
import { type DeviceType, KINDS, type Kind } from "@wirelab/engine/devices/kinds";
import { serviceTypeOf } from "../shared/node/service-types.ts";
import type { TemplateType } from "../shared/schemas/template.ts";

type Defaults = Readonly<Record<string, unknown>>;

const ADAPTERS = { adapters: 1, custom_adapters: [], usage: "" };
const NUMBERED_COPY = { default_name_format: "{name}-{0}", category: "guest" };
const PORT_NAMES = { first_port_name: "", port_name_format: "Ethernet{0}", port_segment_size: 0 };
const MACHINE = {
  ...ADAPTERS,
  ...NUMBERED_COPY,
  ...PORT_NAMES,
  console_auto_start: false,
  console_type: "none",
  headless: false,
  linked_clone: false,
  on_close: "power_off",
  use_any_adapter: false,
};

/** Nodes of a type have the type's console, and clients open a console that commands can be typed at. */
const defaultsOf = ({ type, symbol, console, template: { category, nameFormat } }: Kind): Defaults => ({
  category,
  default_name_format: nameFormat,
  symbol,
  ...(console && { console_type: console }),
  ...(console === "telnet" && { console_auto_start: false }),
  ...serviceTypeOf(type).template,
});

const OF_COMPUTES: Readonly<Record<Exclude<TemplateType, DeviceType>, Defaults>> = {
  docker: {
    ...ADAPTERS,
    ...NUMBERED_COPY,
    console_auto_start: false,
    console_http_path: "/",
    console_http_port: 80,
    console_resolution: "1024x768",
    console_type: "telnet",
    environment: "",
    extra_hosts: "",
    extra_volumes: [],
    mac_address: "",
    start_command: "",
    symbol: ":/symbols/docker_guest.svg",
  },
  qemu: {
    ...ADAPTERS,
    ...NUMBERED_COPY,
    ...PORT_NAMES,
    adapter_type: "e1000",
    bios_image: "",
    boot_priority: "c",
    cdrom_image: "",
    console_auto_start: false,
    console_type: "telnet",
    cpu_throttling: 0,
    cpus: 1,
    create_config_disk: false,
    hda_disk_image: "",
    hda_disk_interface: "none",
    hdb_disk_image: "",
    hdb_disk_interface: "none",
    hdc_disk_image: "",
    hdc_disk_interface: "none",
    hdd_disk_image: "",
    hdd_disk_interface: "none",
    initrd: "",
    kernel_command_line: "",
    kernel_image: "",
    legacy_networking: false,
    linked_clone: true,
    mac_address: "",
    on_close: "power_off",
    options: "",
    platform: "",
    process_priority: "normal",
    qemu_path: "",
    ram: 256,
    replicate_network_connection_state: true,
    symbol: ":/symbols/qemu_guest.svg",
    tpm: false,
    uefi: false,
  },
  dynamips: {
    auto_delete_disks: false,
    category: "router",
    console_auto_start: false,
    console_type: "telnet",
    default_name_format: "R{0}",
    disk0: 0,
    disk1: 0,
    exec_area: 64,
    idlemax: 500,
    idlepc: "",
    idlesleep: 30,
    mac_addr: "",
    mmap: true,
    private_config: "",
    startup_config: "ios_base_startup-config.txt",
    symbol: ":/symbols/router.svg",
    system_id: "FTX0945W0MY",
    usage: "",
  },
  iou: {
    category: "router",
    console_auto_start: false,
    console_type: "telnet",
    default_name_format: "IOU{0}",
    ethernet_adapters: 2,
    l1_keepalives: false,
    nvram: 256,
    private_config: "",
    ram: 1024,
    serial_adapters: 2,
    startup_config: "iou_l3_base_startup-config.txt",
    symbol: ":/symbols/multilayer_switch.svg",
    usage: "",
    use_default_iou_values: false,
  },
  traceng: {
    category: "guest",
    console_auto_start: false,
    console_type: "none",
    default_name_format: "TraceNG{0}",
    ip_address: "",
    symbol: ":/symbols/traceng.svg",
  },
  virtualbox: { ...MACHINE, ram: 0, symbol: ":/symbols/vbox_guest.svg" },
  vmware: { ...MACHINE, symbol: ":/symbols/vmware_guest.svg" },
};

export const DEFAULTS: Readonly<Partial<Record<string, Defaults>>> = {
  ...OF_COMPUTES,
  ...Object.fromEntries(KINDS.filter(({ image }) => !image).map((kind) => [kind.type, defaultsOf(kind)])),
};

/** Memory of a Dynamips router in MB, by its platform, and what a c7200 has besides. */
const RAM_MB: Readonly<Record<string, number>> = {
  c1700: 160,
  c2600: 160,
  c2691: 192,
  c3600: 192,
  c3725: 128,
  c3745: 256,
};
const C7200 = { midplane: "vxr", npe: "npe-400", nvram: 512, ram: 512, sparsemem: true };

export function platformDefaults(platform: unknown): Defaults {
  if (platform === "c7200") return C7200;
  const ram = typeof platform === "string" ? RAM_MB[platform] : undefined;
  return ram === undefined ? {} : { ram };
}

/** Settings without which a template of the type is of no use. */
export const REQUIRED: Readonly<Partial<Record<TemplateType, readonly string[]>>> = {
  docker: ["image"],
  dynamips: ["platform", "image"],
  iou: ["path"],
  virtualbox: ["vmname"],
  vmware: ["vmx_path"],
};
