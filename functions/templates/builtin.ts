/** The built-in templates. Those of GNS3 have the ids that it gives them, which clients keep. */
import type { Template, TemplateType } from "../shared/schemas/template.ts";
import { DEFAULTS } from "./defaults.ts";

const builtin = (
  template_id: string,
  template_type: TemplateType,
  name: string,
  settings: Readonly<Record<string, unknown>> = {},
): Template => {
  const { default_name_format, category, symbol } = DEFAULTS[template_type] as unknown as Template;
  const shown = { default_name_format, category, symbol, ...settings };
  return { template_id, template_type, name, compute_id: null, builtin: true, ...shown };
};

export const BUILTIN: readonly Template[] = [
  builtin("39e257dc-8412-3174-b6b3-0ee3ed6a43e9", "cloud", "Cloud"),
  builtin("df8f4ea9-33b7-3e96-86a2-c39bc9bb649c", "nat", "NAT"),
  builtin("19021f99-e36f-394d-b4a1-8aaa902ab9cc", "vpcs", "VPCS", {
    properties: { base_script_file: "vpcs_base_config.txt" },
  }),
  builtin("1966b864-93e7-32d5-965f-001384eec461", "ethernet_switch", "Ethernet switch", {
    console_type: "none",
  }),
  builtin("b4503ea9-d6b6-3695-9fe4-1db3b39290b0", "ethernet_hub", "Ethernet hub"),
  // Made like those above: version 3 of RFC 9562 in the namespace of DNS, from the names "wirelab/router", "wirelab/server", "wirelab/linux".
  builtin("ab58dfff-bba1-32df-a9c8-c7320e71f706", "docker", "Router", {
    ...DEFAULTS.docker,
    adapters: 4,
    category: "router",
    default_name_format: "R{0}",
    image: "wirelab/router",
    symbol: ":/symbols/router.svg",
  }),
  builtin("45b4efe9-ad20-34f7-8516-68ba76af022f", "docker", "Server", {
    ...DEFAULTS.docker,
    adapters: 1,
    category: "guest",
    default_name_format: "Server{0}",
    image: "wirelab/server",
    symbol: ":/symbols/server.svg",
  }),
  builtin("5d763b81-f5ae-3719-9a92-c430d1b612fc", "docker", "Linux", {
    ...DEFAULTS.docker,
    adapters: 4,
    default_name_format: "Linux{0}",
    image: "wirelab/linux:debian",
  }),
];

export const builtinTemplate = (templateId: string): Template | undefined =>
  BUILTIN.find(({ template_id }) => template_id === templateId);
