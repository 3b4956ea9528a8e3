import * as z from "zod/mini";
import { COMPUTE_ERRORS } from "../shared/edge/compute-errors.ts";
import { defineGroup, NOT_MODIFIED } from "../shared/edge/route.ts";
import { node } from "../shared/schemas/node.ts";
import { template, templateCreate, templateUpdate, templateUse } from "../shared/schemas/template.ts";

const TEMPLATES = "/templates";
const TEMPLATE = `${TEMPLATES}/{template_id}` as const;

const one = { 200: { description: "The template", schema: template } } as const;

export const group = defineGroup({
  name: "templates",
  description: "Templates: settings from which clients make nodes, built in or common to all users",
  routes: {
    listTemplates: {
      method: "GET",
      path: TEMPLATES,
      summary: "List the templates",
      responses: {
        200: {
          description: "The built-in templates, then the others, oldest first",
          schema: z.array(template),
        },
      },
      errors: [],
    },
    createTemplate: {
      method: "POST",
      path: TEMPLATES,
      idempotent: true,
      summary: "Create a template",
      description:
        "Settings that are not sent have the defaults of the type. A template of a type that does not run here is stored, and its " +
        "use is 409.",
      body: { kind: "json", schema: templateCreate },
      responses: { 201: { description: "The template", schema: template } },
      errors: ["template.id-taken", "quota.templates"],
    },
    getTemplate: {
      method: "GET",
      path: TEMPLATE,
      summary: "Get a template",
      description: "Honours `If-None-Match`.",
      responses: { ...one, 304: NOT_MODIFIED },
      errors: ["template.not-found"],
    },
    updateTemplate: {
      method: "PUT",
      path: TEMPLATE,
      summary: "Change a template",
      description:
        "Changes the settings that are sent; its id, its type, its compute and whether it is built in do not change. Nodes that were " +
        "made of it stay as they are.",
      body: { kind: "json", schema: templateUpdate },
      responses: one,
      errors: ["template.not-found"],
    },
    deleteTemplate: {
      method: "DELETE",
      path: TEMPLATE,
      role: "admin",
      summary: "Delete a template",
      responses: { 204: { description: "Deleted" } },
      errors: ["template.not-found", "template.builtin"],
    },
    duplicateTemplate: {
      method: "POST",
      path: `${TEMPLATE}/duplicate`,
      idempotent: true,
      summary: "Duplicate a template",
      body: { kind: "ignored" },
      responses: { 201: { description: "The copy, with an id of its own", schema: template } },
      errors: ["template.not-found", "template.builtin", "quota.templates"],
    },
    createNodeFromTemplate: {
      method: "POST",
      path: "/projects/{project_id}/templates/{template_id}",
      idempotent: true,
      summary: "Create a node from a template",
      description:
        "Without a name, the node has one of the template's name format. A built-in template takes the request's `compute_id`, " +
        "another one has its own.",
      body: { kind: "json", schema: templateUse },
      responses: { 201: { description: "The node", schema: node } },
      errors: [
        "project.not-found",
        "project.not-opened",
        "template.not-found",
        ...COMPUTE_ERRORS,
        "node.type-not-runnable",
        "quota.nodes",
      ],
    },
  },
});
