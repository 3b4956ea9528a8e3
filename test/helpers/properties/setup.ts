import { vi } from "vitest";
import { propertyFactor } from "./factor.ts";
import { withMoreRuns } from "./more-runs.ts";

vi.mock("fast-check", async (original) =>
  withMoreRuns(await original<typeof import("fast-check")>(), propertyFactor()),
);
