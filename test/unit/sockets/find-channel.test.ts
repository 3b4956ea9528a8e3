import { describe, expect, test } from "vitest";
import type { Channel } from "../../../functions/sockets/channel.ts";
import { findChannel } from "../../../functions/sockets/find-channel.ts";

const channel = (path: string): Channel => ({
  path,
  role: "viewer",
  admit: async () => {},
  open: async () => {},
  keepAlive: async () => true,
  message: async () => {},
  close: async () => {},
});
const CHANNELS = {
  service: channel("/notifications/ws"),
  console: channel("/projects/{project_id}/nodes/{node_id}/console/ws"),
};
const PROJECT = "11111111-2222-3333-4444-555555555555";
const NODE = "AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE";

describe("the channel of a path", () => {
  test("has the values of the path's variables, in lower case", () => {
    expect(findChannel(CHANNELS, "/v2/notifications/ws")).toMatchObject({ name: "service", params: {} });
    expect(findChannel(CHANNELS, `/v2/projects/${PROJECT}/nodes/${NODE}/console/ws`)).toMatchObject({
      name: "console",
      params: { project_id: PROJECT, node_id: NODE.toLowerCase() },
    });
  });

  test.each([
    "",
    "/notifications/ws",
    "/v2/notifications",
    "/v2/notifications/ws/",
    `/v2/projects/${PROJECT}/nodes/${NODE}/ws`,
  ])("does not exist: %j", (path) => {
    expect(() => findChannel(CHANNELS, path)).toThrow(`No such route: GET ${path}`);
  });

  test("names all ids that are none", () => {
    expect(() => findChannel(CHANNELS, "/v2/projects/x/nodes//console/ws")).toThrow(
      "project_id: is not a UUID; node_id: is not a UUID",
    );
  });
});
