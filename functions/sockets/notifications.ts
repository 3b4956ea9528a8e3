/** Sends the events of a project, or of the whole service, to the clients that follow them. */

import { existingProject, getProject } from "../shared/store/project/project.ts";
import { send } from "../shared/store/sockets/send.ts";
import type { Channel } from "./channel.ts";

/** The first message of every connection; later ones show the client, and the proxies on the way, that the connection lives. */
const PING = JSON.stringify({ action: "ping", event: { cpu_usage_percent: 0, memory_usage_percent: 0 } });

const notifications = {
  role: "viewer",
  async open({ connection_id }) {
    await send(connection_id, PING);
  },
  // The reference reads what a client sends, and ignores it.
  message: async () => {},
  close: async () => {},
} as const satisfies Partial<Channel>;

export const serviceNotifications: Channel = {
  ...notifications,
  path: "/notifications/ws",
  admit: async () => {},
};

export const projectNotifications: Channel = {
  ...notifications,
  path: "/projects/{project_id}/notifications/ws",
  async admit({ params: { project_id = "" } }) {
    existingProject(await getProject(project_id), project_id);
  },
};
