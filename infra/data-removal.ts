/** The removal policy of buckets and keys. */
import { RemovalPolicy } from "aws-cdk-lib";
import type { Settings } from "./chosen-settings.ts";

/**
 * @returns a policy that keeps the resource, unless the stack is ephemeral or the deployment that creates the resource fails:
 * the resource is then empty, and without its stack it has no use.
 */
export const dataRemoval = (settings: Settings): RemovalPolicy =>
  settings.get("ephemeral") ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
