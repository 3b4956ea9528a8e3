/**
 * The CDK app. With `-c ephemeral=true`, `cdk destroy` also deletes the stack's data; `-c stack_name=...` allows several
 * stacks in one account. known-context.ts has all keys.
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
