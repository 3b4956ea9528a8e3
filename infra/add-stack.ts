import type { App } from "aws-cdk-lib";
import { settingsFrom } from "./config.ts";
import { contextIn } from "./known-context.ts";
import { WirelabStack } from "./stack.ts";

/** Adds the stack with the settings of the context and of wirelab.config.ts. @throws Error for a setting that the table does not have. */
export async function addStack(app: App): Promise<void> {
  const settings = await settingsFrom(contextIn(app.node));
  new WirelabStack(app, "Wirelab", {
    settings,
    stackName: settings.get("stack_name"),
    description: "Wirelab: a network emulation service without servers",
  });
}
