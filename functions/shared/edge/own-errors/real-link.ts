import { define, type Facts } from "../error-definition.ts";

/** Errors of links between nodes of registered computes. */
export const REAL_LINK_ERRORS = {
  "link.real": define(
    409,
    (f: Facts<"link_id" | "what">) => `Link ${f.link_id} joins nodes of computes: Wirelab cannot ${f.what}`,
  ),
  "link.real-and-virtual": define(
    409,
    (f: Facts<"real" | "simulated">) =>
      `Node ${f.real} runs on a compute, and node ${f.simulated} is simulated: no link can join them`,
  ),
  "capture.no-running-node": define(409, () => "There is no running device on this link"),
} as const;
