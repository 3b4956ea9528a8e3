/**
 * The resources of the interface. Their types are those of the schemas from which the service validates requests and makes its OpenAPI
 * document; types alone are imported, so the page contains nothing of the service.
 */
export type { Drawing } from "../../../functions/shared/schemas/drawing.ts";
export type { Link, LinkCounters, LinkImpairments } from "../../../functions/shared/schemas/link.ts";
export type { Node, Port } from "../../../functions/shared/schemas/node.ts";
export type { Project } from "../../../functions/shared/schemas/project.ts";
export type { LabRunState } from "../../../functions/shared/schemas/run.ts";
export type { Symbol as ServiceSymbol } from "../../../functions/shared/schemas/symbol.ts";
export type { Template } from "../../../functions/shared/schemas/template.ts";

/** The impairments of a link, as the service stores them. */
export type Impairments = Readonly<Record<string, unknown>>;
