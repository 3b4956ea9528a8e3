/**
 * The CDK app. With `-c ephemeral=true`, `cdk destroy` also deletes the stack's data; `-c stack_name=...` allows several
 * stacks in one account. settings.ts has all keys.
 */
import { App, Validations } from "aws-cdk-lib";
import { bundleTogether } from "./bundle.ts";
import { settingsFrom } from "./config.ts";
import { contextIn } from "./known-context.ts";
import { ONE_BUILD } from "./one-build.ts";
import { WirelabStack } from "./stack.ts";

const app = new App();
const settings = await settingsFrom(contextIn(app.node));

new WirelabStack(app, "Wirelab", {
  settings,
  stackName: settings.get("stack_name"),
  description: "Wirelab: a network emulation service without servers",
});
if (process.env[ONE_BUILD]) await bundleTogether(app.outdir);
else {
  // Only a stack for AWS is checked: loading the rules takes seconds.
  const { AwsSolutionsChecks } = await import("cdk-nag");
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}
