/**
 * The CDK app. With `-c ephemeral=true`, `cdk destroy` also deletes the stack's data; `-c stack_name=...` allows several
 * stacks in one account. settings.ts has all keys.
 */
import { App, Validations } from "aws-cdk-lib";
import { addStack } from "./add-stack.ts";
import { bundleTogether } from "./bundle.ts";
import { ONE_BUILD } from "./one-build.ts";

const app = new App();
await addStack(app);
if (process.env[ONE_BUILD]) await bundleTogether(app.outdir);
else {
  // Only a stack for AWS is checked: loading the rules takes seconds.
  const { AwsSolutionsChecks } = await import("cdk-nag");
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}
