/**
 * The CDK app. Context: `-c ephemeral=true` makes a stack whose data is destroyed with it;
 * `-c stack_name=...` allows several stacks in one account. All keys: known-context.ts.
 */
import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { contextFlag } from "./context-flag.ts";
import { refuseUnknownContext } from "./known-context.ts";
import { WirelabStack } from "./stack.ts";

const app = new App();
refuseUnknownContext(app.node);
const ephemeral = contextFlag(app.node, "ephemeral");

const stackName: unknown = app.node.tryGetContext("stack_name");

new WirelabStack(app, "Wirelab", {
  ephemeral,
  ...(stackName ? { stackName: String(stackName) } : {}),
  description: "Wirelab: a network emulation service without servers",
});
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
