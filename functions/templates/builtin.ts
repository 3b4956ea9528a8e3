/** The built-in templates. */
import { kindOf } from "@wirelab/engine/devices/find-kind";
import { KINDS, type Kind } from "@wirelab/engine/devices/kinds";
import { serviceTypeOf } from "../shared/node/service-types.ts";
import type { Template, TemplateType } from "../shared/schemas/template.ts";
import { DEFAULTS } from "./defaults.ts";

/** The types that GNS3 has templates of, in its order. */
const FIRST = ["cloud", "nat", "vpcs", "ethernet_switch", "ethernet_hub"];

function builtin({ type, image, symbol, template }: Kind): Template {
  const { id: template_id, name, category, nameFormat: default_name_format, adapters } = template;
  return {
    ...(image !== undefined && { ...DEFAULTS.docker, image, adapters }),
    default_name_format,
    category,
    symbol,
    ...serviceTypeOf(type).builtin,
    template_id,
    template_type: image === undefined ? (type as TemplateType) : "docker",
    name,
    compute_id: null,
    builtin: true,
  };
}

export const BUILTIN: readonly Template[] = [
  ...FIRST.flatMap((type) => kindOf(type) ?? []),
  ...KINDS.filter(({ type }) => !FIRST.includes(type)),
].map(builtin);

export const builtinTemplate = (templateId: string): Template | undefined =>
  BUILTIN.find(({ template_id }) => template_id === templateId);
