/**
 * The CDK app. With `-c ephemeral=true`, `cdk destroy` also deletes the stack's data; `-c stack_name=...` allows several
 * stacks in one account. settings.ts has all keys.
 */
import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { refuseUnknownContext } from "./known-context.ts";
import { readFlag, readText } from "./settings.ts";
import { WirelabStack } from "./stack.ts";

const app = new App();
refuseUnknownContext(app.node);
const ephemeral = readFlag(app.node, "ephemeral");

new WirelabStack(app, "Wirelab", {
  ephemeral,
  stackName: readText(app.node, "stack_name"),
  description: "Wirelab: a network emulation service without servers",
});
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
