/** Finds the channel of a path. */
import { failure, invalidRequest, type Problem } from "../shared/edge/errors.ts";
import { parsePath } from "../shared/edge/path-template.ts";
import { PATH_PARAMETERS } from "../shared/schemas/ids.ts";
import type { Channel } from "./channel.ts";

interface Match {
  /** The name of the channel in the table. */
  readonly name: string;
  readonly channel: Channel;
  readonly params: Readonly<Record<string, string>>;
}

const PREFIX = "/v2";

/**
 * @param path as the client has it: `/v2/notifications/ws`.
 * @throws ApiError `route.not-found`, or `request.invalid` for ids that are none.
 */
export function findChannel(channels: Readonly<Record<string, Channel>>, path: string): Match {
  const segments = path.split("/");
  for (const [name, channel] of Object.entries(channels)) {
    const template = `${PREFIX}${channel.path}`.split("/");
    const fits =
      template.length === segments.length &&
      template.every((part, index) => part.startsWith("{") || part === segments[index]);
    if (fits) return { name, channel, params: readParams(channel.path, template, segments) };
  }
  throw failure("route.not-found", { method: "GET", path });
}

function readParams(
  path: string,
  template: readonly string[],
  segments: readonly string[],
): Record<string, string> {
  const problems: Problem[] = [];
  const params: Record<string, string> = {};
  for (const { name } of parsePath(path).variables) {
    const schema = PATH_PARAMETERS[name as keyof typeof PATH_PARAMETERS];
    const result = schema.safeParse(segments[template.indexOf(`{${name}}`)]);
    if (result.success) params[name] = result.data;
    else problems.push(...result.error.issues.map(({ message }) => ({ path: name, message })));
  }
  if (problems.length > 0) throw invalidRequest(problems);
  return params;
}
