/** The built-in templates. */
import { kindOf } from "@wirelab/engine/devices/find-kind";
import { KINDS, type Kind } from "@wirelab/engine/devices/kinds";
import { DEFAULT_LINUX_IMAGE } from "../shared/schemas/linux-image.ts";
import type { Template, TemplateType } from "../shared/schemas/template.ts";
import { DEFAULTS } from "./defaults.ts";

/** The types that GNS3 has templates of, in its order. */
const FIRST: readonly TemplateType[] = ["cloud", "nat", "vpcs", "ethernet_switch", "ethernet_hub"];

/** Settings that the built-in template has and a new one has not. */
const MORE: Readonly<Partial<Record<string, object>>> = {
  vpcs: { properties: { base_script_file: "vpcs_base_config.txt" } },
  ethernet_switch: { console_type: "none" },
};

function builtin({ type, image, symbol, template }: Kind): Template {
  const { id: template_id, name, category, nameFormat: default_name_format, adapters } = template;
  const container = image !== undefined && {
    ...DEFAULTS.docker,
    image: image + (IMAGE_TAGS[type] ?? ""),
    adapters,
  };
  return {
    ...container,
    default_name_format,
    category,
    symbol,
    ...MORE[type],
    template_id,
    template_type: image === undefined ? (type as TemplateType) : "docker",
    name,
    compute_id: null,
    builtin: true,
  };
}

/** Linux nodes have many images. */
const IMAGE_TAGS: Readonly<Partial<Record<string, string>>> = { linux: `:${DEFAULT_LINUX_IMAGE}` };

export const BUILTIN: readonly Template[] = [
  ...FIRST.flatMap((type) => kindOf(type) ?? []),
  ...KINDS.filter(({ image }) => image !== undefined),
].map(builtin);

export const builtinTemplate = (templateId: string): Template | undefined =>
  BUILTIN.find(({ template_id }) => template_id === templateId);
