/** Routes are declared once: the template, the document and the errors agree with the declarations, in both directions. */
import { describe, expect, test } from "vitest";
import { EXAMPLES } from "../../functions/docs/examples.ts";
import { GROUPS } from "../../functions/routes.ts";
import { ALL_ERRORS } from "../../functions/shared/edge/all-errors.ts";
import type { ErrorCode } from "../../functions/shared/edge/errors.ts";
import { makeOpenApi } from "../../functions/shared/edge/openapi.ts";
import { parsePath } from "../../functions/shared/edge/path-template.ts";
import { neededRole, type Route, verbsOf } from "../../functions/shared/edge/route.ts";
import { client } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

const ROUTES = GROUPS.flatMap((group) => Object.values(group.routes).map((route) => ({ group, route })));

/** The table of the interface: every route that must exist. */
const REQUIRED = `
GET /version
POST /version
POST /tokens
GET /projects
POST /projects
GET /projects/{project_id}
PUT /projects/{project_id}
DELETE /projects/{project_id}
PUT /namespaces/{namespace}
GET /namespaces/{namespace}
DELETE /namespaces/{namespace}
POST /projects/{project_id}/open
POST /projects/{project_id}/close
GET /projects/{project_id}/stats
GET /projects/{project_id}/nodes
POST /projects/{project_id}/nodes
GET /projects/{project_id}/nodes/{node_id}
PUT /projects/{project_id}/nodes/{node_id}
DELETE /projects/{project_id}/nodes/{node_id}
POST /projects/{project_id}/nodes/{node_id}/start
POST /projects/{project_id}/nodes/{node_id}/stop
POST /projects/{project_id}/nodes/{node_id}/suspend
POST /projects/{project_id}/nodes/{node_id}/reload
POST /projects/{project_id}/nodes/start
POST /projects/{project_id}/nodes/stop
POST /projects/{project_id}/nodes/suspend
POST /projects/{project_id}/nodes/reload
POST /projects/{project_id}/nodes/{node_id}/console
POST /projects/{project_id}/run
GET /projects/{project_id}/runs/{run_id}
GET /projects/{project_id}/nodes/{node_id}/mac_table
GET /projects/{project_id}/nodes/{node_id}/state
GET /projects/{project_id}/nodes/{node_id}/startup
GET /projects/{project_id}/nodes/{node_id}/links
GET /projects/{project_id}/links
POST /projects/{project_id}/links
GET /projects/{project_id}/links/counters
GET /projects/{project_id}/links/impairments
GET /projects/{project_id}/links/{link_id}
PUT /projects/{project_id}/links/{link_id}
DELETE /projects/{project_id}/links/{link_id}
GET /projects/{project_id}/links/{link_id}/available_filters
GET /projects/{project_id}/links/{link_id}/impairments
PUT /projects/{project_id}/links/{link_id}/impairments
DELETE /projects/{project_id}/links/{link_id}/impairments
POST /projects/{project_id}/links/{link_id}/start_capture
POST /projects/{project_id}/links/{link_id}/stop_capture
GET /projects/{project_id}/links/{link_id}/pcap
POST /projects/{project_id}/links/{link_id}/replay
GET /projects/{project_id}/links/{link_id}/captures
GET /projects/{project_id}/links/{link_id}/captures/{capture_id}
DELETE /projects/{project_id}/links/{link_id}/captures/{capture_id}
GET /projects/{project_id}/links/{link_id}/captures/{capture_id}/pcap
GET /projects/{project_id}/links/{link_id}/captures/{capture_id}/packets
GET /projects/{project_id}/drawings
POST /projects/{project_id}/drawings
GET /projects/{project_id}/drawings/{drawing_id}
PUT /projects/{project_id}/drawings/{drawing_id}
DELETE /projects/{project_id}/drawings/{drawing_id}
GET /templates
POST /templates
GET /templates/{template_id}
PUT /templates/{template_id}
DELETE /templates/{template_id}
POST /templates/{template_id}/duplicate
POST /projects/{project_id}/templates/{template_id}
POST /projects/{project_id}/nodes/{node_id}/duplicate
POST /projects/{project_id}/nodes/{node_id}/console/reset
POST /projects/{project_id}/nodes/console/reset
GET /projects/{project_id}/nodes/{node_id}/dynamips/auto_idlepc
GET /projects/{project_id}/nodes/{node_id}/dynamips/idlepc_proposals
POST /projects/{project_id}/nodes/{node_id}/resize_disk
GET /projects/{project_id}/snapshots
POST /projects/{project_id}/snapshots
DELETE /projects/{project_id}/snapshots/{snapshot_id}
POST /projects/{project_id}/snapshots/{snapshot_id}/restore
GET /projects/{project_id}/deletions
POST /projects/{project_id}/deletions
POST /projects/{project_id}/deletions/{deletion_id}/undo
POST /projects/{project_id}/duplicate
POST /projects/load
GET /projects/{project_id}/pcapng
GET /projects/{project_id}/export
POST /projects/{project_id}/import
GET /projects/{project_id}/files/{file_path}
POST /projects/{project_id}/files/{file_path}
GET /projects/{project_id}/nodes/{node_id}/files/{file_path}
POST /projects/{project_id}/nodes/{node_id}/files/{file_path}
GET /symbols
GET /default_symbols
GET /symbols/{symbol_id}/raw
POST /symbols/{symbol_id}/raw
DELETE /symbols/{symbol_id}/raw
GET /symbols/{symbol_id}/dimensions
GET /simvm
PUT /simvm
GET /simvm/engines
GET /simvm/engines/{engine}/vms
GET /gns3vm
PUT /gns3vm
GET /gns3vm/engines
GET /gns3vm/engines/{engine}/vms
GET /computes
POST /computes
GET /computes/{compute_id}
PUT /computes/{compute_id}
DELETE /computes/{compute_id}
GET /computes/{compute_id}/ports
POST /computes/{compute_id}/auto_idlepc
GET /computes/{compute_id}/{emulator}/images
GET /computes/{compute_id}/{emulator}/{action}
POST /computes/{compute_id}/{emulator}/{action}
PUT /computes/{compute_id}/{emulator}/{action}
GET /computes/endpoint/{compute_id}/{emulator}/{action}
GET /compute/version
GET /compute/capabilities
POST /compute/projects
GET /compute/{emulator}/{action}
POST /compute/{emulator}/{action}
PUT /compute/{emulator}/{action}
GET /appliances
POST /labs/run
POST /labs/sweep
GET /labs/run
GET /labs/sweep/{sweep_id}
DELETE /labs/sweep/{sweep_id}
GET /iou_license
PUT /iou_license
POST /reload
POST /shutdown
POST /debug
GET /statistics
GET /usage
GET /notifications
GET /projects/{project_id}/notifications
GET /notifications/ws
GET /projects/{project_id}/notifications/ws
GET /projects/{project_id}/nodes/{node_id}/console/ws
GET /openapi.json
GET /docs
GET /docs/{file}
GET /page
GET /page/{file}`
  .trim()
  .split("\n");

test("public routes are those whose response is the same for every caller", () => {
  for (const { route } of ROUTES) {
    const { cacheSeconds = 0, responses }: Route = route;
    expect(cacheSeconds > 0, route.path).toBe(neededRole(route) === "public");
    if (cacheSeconds > 0) expect(Object.keys(responses)).toEqual(["200", "304"]);
  }
});

test("the declared routes are exactly those of the interface", () => {
  const declared = ROUTES.map(({ route }) => `${route.method} ${route.path.replace("+}", "}")}`);
  expect(declared.toSorted()).toEqual(REQUIRED.toSorted());
});

describe("the served document", () => {
  test("has exactly the declared routes", async () => {
    const { json } = await client.get("/openapi.json");
    expect(json).toEqual(JSON.parse(JSON.stringify(makeOpenApi(GROUPS, EXAMPLES))));
    const described = Object.entries(json.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.toSorted()).toEqual(REQUIRED.toSorted());
  });

  test("refers only to schemas in it, and uses each of them", async () => {
    const { bytes, json } = await client.get("/openapi.json");
    const referred = new Set(
      [...bytes.toString().matchAll(/#\/components\/schemas\/(\w+)/g)].map((match) => match[1]),
    );
    expect([...referred].toSorted()).toEqual(Object.keys(json.components.schemas).toSorted());
  });

  test("names every operation once", async () => {
    const ids = [...(await client.get("/openapi.json")).bytes.toString().matchAll(/"operationId":"(\w+)"/g)];
    expect(new Set(ids.map((match) => match[1])).size).toBe(REQUIRED.length);
  });
});

describe("errors", () => {
  test("every declared code is in the table, and every code of the table is declared or belongs to the edge", () => {
    const declared = new Set(ROUTES.flatMap(({ route }) => route.errors));
    const edge = Object.keys(ALL_ERRORS).filter((code) =>
      /^(access|idempotency|request|route|store)\./.test(code),
    ) as ErrorCode[];
    const known = new Set([...declared, ...edge]);
    expect([...known].toSorted()).toEqual(Object.keys(ALL_ERRORS).toSorted());
  });

  test("every message can be formatted", () => {
    const facts = new Proxy({}, { get: (_, name) => `<${String(name)}>` });
    for (const [code, { message }] of Object.entries(ALL_ERRORS)) {
      expect((message as (facts: unknown) => string)(facts), code).toMatch(/^[^a-z]?\S.*[^.]$/);
    }
  });
});

describe("the template", () => {
  test("has a catch-all on each declared path and one for other paths, the methods of public routes, the redirect of the root, and no other", () => {
    const declared = ROUTES.flatMap(({ route }) => {
      const path = parsePath(route.path).gatewayPath;
      const isPublic = neededRole(route) === "public";
      return [`ANY ${path}`, ...(isPublic ? verbsOf(route).map((verb) => `${verb} ${path}`) : [])];
    });
    const expected = [...declared, "GET /", "ANY /", "ANY /{proxy+}"];
    expect(localStack().methods.toSorted()).toEqual([...new Set(expected)].toSorted());
  });
});
