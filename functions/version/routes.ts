import { defineGroup, NOT_MODIFIED } from "../shared/edge/route.ts";
import { sameVersion, version, versionCheck } from "../shared/schemas/version.ts";

export const group = defineGroup({
  name: "version",
  description: "The version of the service",
  routes: {
    getVersion: {
      method: "GET",
      path: "/version",
      role: "public",
      summary: "Version of the interface and of the service",
      cacheSeconds: 300,
      responses: { 200: { description: "The version", schema: version }, 304: NOT_MODIFIED },
      errors: [],
    },
    checkVersion: {
      method: "POST",
      path: "/version",
      role: "viewer",
      summary: "Check that the client has the version of the interface",
      body: { kind: "json", schema: versionCheck },
      responses: { 200: { description: "The versions are the same", schema: sameVersion } },
      errors: ["version.mismatch"],
    },
  },
});
