import { defineGroup } from "../shared/edge/route.ts";
import { eventsQuery } from "../shared/schemas/event.ts";

const STREAM =
  "Each line is a JSON object with `action`, `event` and `seq`. The first is a `ping`; others follow after 5 s of silence. The stream ends " +
  "after 5 minutes, and if its user follows more streams than the limit (10 by default): the oldest one ends first. A new request with " +
  "`since` continues without a gap for an hour; after that it returns 410, and the client reads anew what it shows.";

const responses = { 200: { description: "Lines of JSON", contentType: "application/json" } } as const;

export const group = defineGroup({
  name: "notifications",
  description: "Streams of events",
  routes: {
    followService: {
      method: "GET",
      path: "/notifications",
      summary: "Follow the events of the service",
      description: `Events of projects that the caller may see, of templates and of computes. ${STREAM}`,
      query: eventsQuery,
      responses,
      errors: ["events.expired"],
    },
    followProject: {
      method: "GET",
      path: "/projects/{project_id}/notifications",
      summary: "Follow the events of a project",
      description: `Events of nodes, links, drawings and snapshots, also while the project is closed. ${STREAM}`,
      query: eventsQuery,
      responses,
      errors: ["project.not-found", "events.expired"],
    },
  },
});
