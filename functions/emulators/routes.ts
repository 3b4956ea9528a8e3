import * as z from "zod/mini";
import { defineGroup } from "../shared/edge/route.ts";
import {
  capabilities,
  computePorts,
  computeProject,
  computeProjectCreate,
  endpoint,
  idlePcRequest,
  image,
} from "../shared/schemas/emulator.ts";
import { version } from "../shared/schemas/version.ts";

const COMPUTE = "/computes/{compute_id}";
const ACTION = `${COMPUTE}/{emulator}/{action+}` as const;
/** The compute's own side of the interface: clients call it at this address for the built-in compute. */
const LOCAL_ACTION = "/compute/{emulator}/{action+}";

const found = { 200: { description: "The emulator's answer", schema: z.unknown() } };
const ACTIONS =
  "Reads of the built-in compute: `docker/images`, `dynamips/images`, `iou/images`, `qemu/images`, `qemu/binaries`, `qemu/capabilities`, " +
  "`virtualbox/vms`, `vmware/vms`, `network/interfaces`, `network/ports`. A registered compute is asked for the path, with its stored user " +
  "and password, if the path begins with one of docker, dynamips, iou, network, qemu, traceng, virtualbox, vmware, vpcs.";
const REFUSED = "The built-in compute keeps no images, disks or machines, so every such request is refused.";
const CHANGES =
  "Passes the body to a registered compute. An image is uploaded with `images/NAME`; larger ones are uploaded to the address that " +
  `\`GET /computes/endpoint/{compute_id}/{emulator}/images/NAME\` returns. ${REFUSED}`;

/** Base64 makes it 5.6 MB, which fits into a function's payload of 6 MB. */
const UPLOAD_MAX_BYTES = 4 * 1024 * 1024;

const reading = { summary: "Read something of an emulator", description: ACTIONS, responses: found } as const;
const changing = {
  summary: "Change something of an emulator",
  description: CHANGES,
  body: { kind: "raw", maxBytes: UPLOAD_MAX_BYTES, contentType: "application/octet-stream" },
  responses: found,
} as const;
const refusing = {
  summary: "Change something of an emulator of the built-in compute",
  description: REFUSED,
  responses: {},
} as const;
const OF_COMPUTE = [
  "compute.not-found",
  "compute.address-refused",
  "compute.bad-request",
  "compute.forbidden",
  "compute.image-missing",
  "compute.missing",
  "compute.not-gns3",
  "compute.refused",
  "compute.unauthorized",
  "compute.unreachable",
] as const;

export const group = defineGroup({
  name: "emulators",
  description:
    "Emulators of computes: what existing clients ask of them, for the types of nodes that run here",
  routes: {
    getComputePorts: {
      method: "GET",
      path: `${COMPUTE}/ports`,
      summary: "TCP and UDP ports that a compute uses",
      responses: { 200: { description: "The ports", schema: computePorts } },
      errors: OF_COMPUTE,
    },
    proposeIdlePc: {
      method: "POST",
      path: `${COMPUTE}/auto_idlepc`,
      summary: "Find an idle-pc value",
      description: `A compute measures a router that it makes for this time, which takes up to minutes. ${REFUSED}`,
      body: { kind: "json", schema: idlePcRequest },
      responses: found,
      errors: [...OF_COMPUTE, "compute.not-emulated"],
    },
    listImages: {
      method: "GET",
      path: `${COMPUTE}/{emulator}/images`,
      summary: "List the images of an emulator",
      responses: { 200: { description: "The images", schema: z.array(image) } },
      errors: [...OF_COMPUTE, "compute.action-not-found"],
    },
    readEmulator: {
      ...reading,
      method: "GET",
      path: ACTION,
      errors: [...OF_COMPUTE, "compute.action-not-found"],
    },
    postToEmulator: {
      ...changing,
      method: "POST",
      path: ACTION,
      errors: [...OF_COMPUTE, "compute.action-not-found", "compute.not-emulated"],
    },
    putToEmulator: {
      ...changing,
      method: "PUT",
      path: ACTION,
      errors: [...OF_COMPUTE, "compute.action-not-found", "compute.not-emulated"],
    },
    getEndpoint: {
      method: "GET",
      path: `/computes/endpoint/{compute_id}/{emulator}/{action+}`,
      summary: "Address of something of an emulator, at its compute",
      responses: { 200: { description: "The address", schema: endpoint } },
      errors: ["compute.not-found"],
    },
    getLocalVersion: {
      method: "GET",
      path: "/compute/version",
      summary: "Version of the built-in compute",
      responses: { 200: { description: "The version", schema: version } },
      errors: [],
    },
    getLocalCapabilities: {
      method: "GET",
      path: "/compute/capabilities",
      summary: "Capabilities of the built-in compute",
      responses: { 200: { description: "The capabilities", schema: capabilities } },
      errors: [],
    },
    createLocalProject: {
      method: "POST",
      path: "/compute/projects",
      summary: "Announce a project to the built-in compute",
      description:
        "The built-in compute has all projects of the service and keeps nothing else of one, so this stores nothing.",
      body: { kind: "json", schema: computeProjectCreate },
      responses: { 201: { description: "The project", schema: computeProject } },
      errors: [],
    },
    readLocalEmulator: {
      ...reading,
      method: "GET",
      path: LOCAL_ACTION,
      errors: ["compute.action-not-found"],
    },
    postToLocalEmulator: {
      ...refusing,
      method: "POST",
      path: LOCAL_ACTION,
      errors: ["compute.not-emulated"],
    },
    putToLocalEmulator: {
      ...refusing,
      method: "PUT",
      path: LOCAL_ACTION,
      errors: ["compute.not-emulated"],
    },
  },
});
