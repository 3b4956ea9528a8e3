/** The CDK app. Context: `-c ephemeral=true` makes a stack that takes its data with it when it is destroyed. */
import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { WirelabStack } from "./stack.ts";

const app = new App();
const ephemeral = String(app.node.tryGetContext("ephemeral") ?? "false") === "true";

new WirelabStack(app, "Wirelab", {
  ephemeral,
  description: "Wirelab: a network emulation service without servers",
});
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
