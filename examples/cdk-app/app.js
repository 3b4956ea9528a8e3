// @ts-check
/** Two services in one app: README.md. */
import { App, CfnOutput, Stack } from "aws-cdk-lib";
import { AccountPrincipal, Role } from "aws-cdk-lib/aws-iam";
import { Auth, Wirelab } from "wirelab-construct";

const app = new App();

const school = new Stack(app, "School");
const labs = new Wirelab(school, "Labs", {
  auth: Auth.iam("editor"),
  quotas: { nodes: 200, projects: 20 },
  alarmEmail: "ops@example.org",
});
labs.grantInvoke(new Role(school, "Student", { assumedBy: new AccountPrincipal(school.account) }));
new CfnOutput(school, "Address", { value: labs.api.url });

new Wirelab(new Stack(app, "PullRequest"), "Labs", { ephemeral: true });

app.synth();
