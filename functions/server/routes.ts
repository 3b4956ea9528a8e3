import * as z from "zod/mini";
import { defineGroup } from "../shared/edge/route.ts";
import { appliance, iouLicense, iouLicenseUpdate } from "../shared/schemas/server.ts";

export const group = defineGroup({
  name: "server",
  description: "The server as existing clients know it: appliances, the IOU licence, shutdown and reload",
  routes: {
    listAppliances: {
      method: "GET",
      path: "/appliances",
      summary: "List appliances",
      description: "The list is empty: an appliance needs an image of an emulator that does not run here.",
      responses: { 200: { description: "The appliances", schema: z.array(appliance) } },
      errors: [],
    },
    getIouLicense: {
      method: "GET",
      path: "/iou_license",
      role: "admin",
      summary: "Get the IOU licence",
      responses: { 200: { description: "The licence", schema: iouLicense } },
      errors: [],
    },
    updateIouLicense: {
      method: "PUT",
      path: "/iou_license",
      role: "admin",
      summary: "Change the IOU licence",
      description:
        "Omitted fields keep their values. The licence is stored for clients; IOU nodes do not run here.",
      body: { kind: "json", schema: iouLicenseUpdate },
      responses: { 201: { description: "The licence", schema: iouLicense } },
      errors: [],
    },
    reload: {
      method: "POST",
      path: "/reload",
      body: { kind: "ignored" },
      summary: "Read settings and projects again",
      description: "Has no effect: every request reads them.",
      responses: { 200: { description: "Settings and projects are up to date" } },
      errors: [],
    },
    shutdown: {
      method: "POST",
      path: "/shutdown",
      body: { kind: "ignored" },
      summary: "Stop the server",
      description: "Is refused: clients do not stop a service that others use.",
      responses: {},
      errors: ["server.not-local"],
    },
    debug: {
      method: "POST",
      path: "/debug",
      body: { kind: "ignored" },
      summary: "Write the server's state to files",
      description: "Is refused: the service has no folder of the client's.",
      responses: {},
      errors: ["server.not-local"],
    },
  },
});
