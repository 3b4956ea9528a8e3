/** The template resource: the settings that new nodes of one kind have. */
import * as z from "zod/mini";
import { name } from "./common.ts";
import { computeId, uuid } from "./ids.ts";
import { type NodeType, node, nodeType, type ShownType } from "./node.ts";

/** GNS3 has no templates of these types. */
const WITHOUT = ["frame_relay_switch", "atm_switch"] as const;
export type TemplateType = Exclude<ShownType, (typeof WITHOUT)[number]>;
const isWithout = (type: NodeType): boolean => WITHOUT.some((each) => each === type);
const shownType = z.enum(
  node.shape.node_type.options.filter((type): type is TemplateType => !isWithout(type)),
);
/** The template of NAT nodes is built in, and there is no other. */
const createdType = z.enum(nodeType.options.filter((type) => type !== "nat" && !isWithout(type)));

export const CATEGORIES = ["router", "switch", "guest", "firewall"] as const;
const category = z.enum(CATEGORIES);
/** Older clients send the place of the category in the list. */
const givenCategory = z.union([category, z.int().check(z.minimum(0), z.maximum(CATEGORIES.length - 1))]);

const nameFormat = z.string().check(z.minLength(1), z.maxLength(255));
const symbol = z.string().check(z.minLength(1), z.maxLength(255));

export const template = z
  .looseObject({
    template_id: uuid,
    template_type: shownType,
    name: z.string(),
    compute_id: z.nullable(computeId),
    builtin: z.boolean().check(z.describe("Part of the service: it can be changed and not deleted")),
    category,
    default_name_format: z
      .string()
      .check(
        z.describe(
          "Name of a new node: `{name}` is the template's name, `{0}` the lowest free number from 1",
        ),
      ),
    symbol: z.string(),
  })
  .check(z.meta({ id: "Template" }));
export type Template = z.output<typeof template>;

const settings = {
  default_name_format: z.optional(nameFormat),
  symbol: z.optional(symbol),
  category: z.optional(givenCategory),
  builtin: z.optional(z.unknown()),
};

export const templateCreate = z
  .looseObject({
    ...settings,
    name,
    template_type: createdType,
    compute_id: z.nullable(computeId),
    template_id: z.optional(uuid),
  })
  .check(z.meta({ id: "TemplateCreate" }));
export type TemplateCreate = z.output<typeof templateCreate>;

/** The fields that identify a template are ignored, because clients send back the whole object. */
export const templateUpdate = z
  .looseObject({
    ...settings,
    name: z.optional(name),
    template_type: z.optional(z.unknown()),
    compute_id: z.optional(z.unknown()),
    template_id: z.optional(z.unknown()),
  })
  .check(z.meta({ id: "TemplateUpdate" }));

export const templateUse = z
  .strictObject({
    x: z.int(),
    y: z.int(),
    name: z.optional(z.nullable(name)),
    compute_id: z.optional(z.nullable(computeId)),
  })
  .check(z.meta({ id: "TemplateUse" }));
