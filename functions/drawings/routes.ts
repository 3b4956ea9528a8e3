import * as z from "zod/mini";
import type { ErrorCode } from "../shared/edge/errors.ts";
import { defineGroup } from "../shared/edge/route.ts";
import { drawing, drawingCreate, drawingUpdate } from "../shared/schemas/drawing.ts";

const DRAWINGS = "/projects/{project_id}/drawings";
const DRAWING = `${DRAWINGS}/{drawing_id}` as const;

const inProject = ["project.not-found", "project.not-opened"] as const satisfies ErrorCode[];
const onDrawing = [...inProject, "drawing.not-found"] as const satisfies ErrorCode[];

export const group = defineGroup({
  name: "drawings",
  description: "Drawings on the canvas of a project: text, shapes and pictures",
  routes: {
    listDrawings: {
      method: "GET",
      path: DRAWINGS,
      summary: "List the drawings of a project",
      responses: { 200: { description: "The drawings, oldest first", schema: z.array(drawing) } },
      errors: ["project.not-found"],
    },
    createDrawing: {
      method: "POST",
      path: DRAWINGS,
      idempotent: true,
      summary: "Create a drawing",
      description: "If a drawing with this id exists, returns it unchanged.",
      body: { kind: "json", schema: drawingCreate },
      responses: { 201: { description: "The drawing", schema: drawing } },
      errors: [...inProject, "quota.drawings"],
    },
    getDrawing: {
      method: "GET",
      path: DRAWING,
      summary: "Get a drawing",
      responses: { 200: { description: "The drawing", schema: drawing } },
      errors: onDrawing,
    },
    updateDrawing: {
      method: "PUT",
      path: DRAWING,
      summary: "Change a drawing",
      description: "Omitted fields keep their values.",
      body: { kind: "json", schema: drawingUpdate },
      responses: { 201: { description: "The drawing", schema: drawing } },
      errors: onDrawing,
    },
    deleteDrawing: {
      method: "DELETE",
      path: DRAWING,
      summary: "Delete a drawing",
      responses: { 204: { description: "Deleted" } },
      errors: [...onDrawing, "drawing.locked"],
    },
  },
});
