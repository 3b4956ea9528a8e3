/**
 * A router in the form that existing clients accept: they reject a node whose type they do not know, and take any image of a
 * `docker` node. docs/compatibility.md gives the reasons.
 */

const ROUTER_IMAGE = "wirelab/router";

/** The settings of a container that clients read without a default. They have no effect on a router, and are kept for the client. */
export const CONTAINER_DEFAULTS = {
  console_http_path: "/",
  console_http_port: 80,
  console_resolution: "1024x768",
  environment: "",
  extra_hosts: "",
  extra_volumes: [],
  mac_address: "",
  start_command: "",
  usage: "",
};

/** @param image as a client names it, with or without a tag. */
export const isRouterImage = (image: unknown): boolean =>
  typeof image === "string" && /^wirelab\/router(:[\w.-]{1,128})?$/.test(image);

/** The properties of a router as responses show them: `adapters` is the number of its ports. */
export const asContainer = (
  own: Record<string, unknown>,
  ports: readonly unknown[],
  container: Record<string, unknown> = {},
): Record<string, unknown> => ({
  ...CONTAINER_DEFAULTS,
  ...container,
  image: ROUTER_IMAGE,
  adapters: ports.length,
  ...own,
});
