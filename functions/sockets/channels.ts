import type { Channel } from "./channel.ts";
import { nodeConsole } from "./console/channel.ts";
import { projectNotifications, serviceNotifications } from "./notifications.ts";

/** By name, which the items of connections have. */
export const CHANNELS: Readonly<Record<string, Channel>> = {
  serviceNotifications,
  projectNotifications,
  nodeConsole,
};
