/** The stack's monitoring. */
import { readFileSync } from "node:fs";
import { Match, type Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { METRICS } from "../../../functions/shared/edge/metrics.ts";
import { GATEWAY_RESPONSES } from "../../../infra/api/document.ts";
import { GATEWAY_METRICS } from "../../../infra/metrics.ts";
import { bodyOf } from "../../helpers/stack/api-body.ts";
import { templateOf as synthesize } from "../../helpers/stack/stack.ts";

const RUNBOOK = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");

/** With the resources that cost money each month. */
let template: Template;
/** The default deployment, without context. */
let plain: Template;
let asked: Template;
beforeAll(() => {
  template = synthesize({ alarms: "true", dashboard: "true" });
  plain = synthesize();
  asked = synthesize({
    alarm_email: "ops@example.org",
    tracing: "true",
    abandoned_capture_days: "7",
    stack_name: "Other",
  });
});

interface Alarm {
  readonly AlarmDescription: string;
  readonly Namespace: string;
  readonly MetricName: string;
  readonly AlarmActions?: unknown[];
  readonly Metrics?: unknown[];
}

const propertiesOf = <T>(of: Template, type: string): T[] =>
  Object.values(of.findResources(type)).map(({ Properties }) => Properties as T);
const alarmsOf = (of: Template) => propertiesOf<Alarm>(of, "AWS::CloudWatch::Alarm");

describe("alarms and the dashboard", () => {
  const countsOf = (of: Template): number[] =>
    ["AWS::CloudWatch::Alarm", "AWS::CloudWatch::Dashboard"].map(
      (type) => Object.keys(of.findResources(type)).length,
    );

  test("are options, because they cost money without requests", () => {
    expect(countsOf(plain)).toEqual([0, 0]);
    expect(countsOf(synthesize({ alarms: "true" }))).toEqual([13, 0]);
    expect(countsOf(template)).toEqual([13, 1]);
    expect(Object.keys(plain.findOutputs("DashboardUrl"))).toEqual([]);
    expect(Object.keys(template.findOutputs("DashboardUrl"))).toEqual(["DashboardUrl"]);
  });

  test("are independent: a dashboard without alarms shows no states of alarms", () => {
    const alone = synthesize({ dashboard: "true" });
    expect(countsOf(alone)).toEqual([0, 1]);
    expect(JSON.stringify(alone.toJSON())).not.toContain('\\"title\\":\\"Alarms\\"');
    expect(JSON.stringify(template.toJSON())).toContain('\\"title\\":\\"Alarms\\"');
  });

  test("alarm_email creates alarms, unless alarms=false keeps it for the budget", () => {
    const alarm_email = "ops@example.org";
    expect(countsOf(synthesize({ alarm_email }))).toEqual([13, 0]);
    const budget = synthesize({ alarm_email, budget_usd: "20", alarms: "false" });
    expect(countsOf(budget)).toEqual([0, 0]);
    budget.resourceCountIs("AWS::Budgets::Budget", 1);
  });

  test("are refused as anything but true or false", () => {
    expect(() => synthesize({ alarms: "yes" })).toThrow("The context key alarms is yes");
    expect(() => synthesize({ dashboard: "1" })).toThrow("The context key dashboard is 1");
  });
});

/** The metrics of AWS that alarms watch, and their namespaces. */
const AWS_METRICS: Readonly<Record<string, string>> = {
  "5XXError": "AWS/ApiGateway",
  IteratorAge: "AWS/Lambda",
  ApproximateNumberOfMessagesVisible: "AWS/SQS",
  ExecutionsFailed: "AWS/States",
};

describe("the alarms", () => {
  test("watch the lateness of the publisher, its failures, what is given up, and failed executions of both state machines", () => {
    const watched = (MetricName: string) =>
      Object.values(template.findResources("AWS::CloudWatch::Alarm"))
        .filter(({ Properties }) => Properties.MetricName === MetricName)
        .map(({ Properties: { Dimensions, Threshold } }) => [
          Dimensions?.map(({ Value }: { Value: object }) =>
            JSON.stringify(Value).replace(/[0-9A-F]{8}"/, '"'),
          ),
          Threshold,
        ])
        .toSorted();
    expect(watched("IteratorAge")).toEqual([[['{"Ref":"publisherFunction"}'], 60_000]]);
    expect(watched("ChangeFailures")).toEqual([[undefined, 3]]);
    expect(watched("ApproximateNumberOfMessagesVisible")).toEqual([
      [['{"Fn::GetAtt":["Failures","QueueName"]}'], 1],
    ]);
    expect(watched("ExecutionsFailed")).toEqual([
      [['{"Ref":"guestsMachine"}'], 1],
      [['{"Ref":"labcasesMachine"}'], 1],
    ]);
  });

  test("each watch one metric, which AWS, the functions or the filters of the logs make", () => {
    const filters = propertiesOf<{ MetricTransformations: { MetricName: string }[] }>(
      template,
      "AWS::Logs::MetricFilter",
    ).flatMap(({ MetricTransformations }) => MetricTransformations.map(({ MetricName }) => MetricName));
    const own = new Set([...Object.keys(METRICS), ...filters]);
    for (const { Namespace, MetricName, Metrics } of alarmsOf(template)) {
      expect(Metrics).toBeUndefined();
      expect(Namespace === "Wirelab" ? own.has(MetricName) : AWS_METRICS[MetricName], MetricName).toBe(
        Namespace === "Wirelab" ? true : Namespace,
      );
    }
  });

  test("each have a section of the runbook, and name it", () => {
    const named = alarmsOf(template).map(
      ({ AlarmDescription }) => AlarmDescription.match(/operations\.md, (\w+)$/)?.[1],
    );
    expect(named).toHaveLength(13);
    for (const name of named) expect(RUNBOOK).toContain(`\n### ${name}\n`);
  });

  test("notify only a configured address, when they begin and end", () => {
    template.resourceCountIs("AWS::SNS::Topic", 0);
    asked.hasResourceProperties("AWS::SNS::Subscription", { Protocol: "email", Endpoint: "ops@example.org" });
    for (const alarm of alarmsOf(asked)) expect(alarm).toMatchObject({ AlarmActions: [{}], OKActions: [{}] });
    asked.hasResourceProperties("AWS::SNS::TopicPolicy", {
      PolicyDocument: Match.objectLike({
        Statement: Match.arrayWith([
          Match.objectLike({ Principal: { Service: "cloudwatch.amazonaws.com" }, Action: "sns:Publish" }),
        ]),
      }),
    });
  });

  test("reject an invalid address", () => {
    expect(() => synthesize({ alarm_email: "nobody" })).toThrow(/alarm_email/);
  });
});

describe("metrics", () => {
  test("are kept apart by the stack's name, in the functions as in alarms and filters", () => {
    for (const { Namespace, MetricName } of alarmsOf(asked)) {
      if (AWS_METRICS[MetricName] === undefined) expect(Namespace).toBe("Other");
    }
    type Variables = { Environment?: { Variables?: { METRICS_NAMESPACE?: string } }; Description?: string };
    for (const { Environment, Description } of propertiesOf<Variables>(asked, "AWS::Lambda::Function")) {
      if (Description?.startsWith("Wirelab: "))
        expect(Environment?.Variables?.METRICS_NAMESPACE).toBe("Other");
    }
  });

  test("of the gateway are made from its access log, by fields that it has", () => {
    template.hasResourceProperties("AWS::ApiGateway::Stage", {
      AccessLogSetting: Match.objectLike({
        Format: Match.stringLikeRegexp('"error":"\\$context.error.responseType"'),
      }),
    });
    for (const [MetricName, types] of Object.entries(GATEWAY_METRICS)) {
      template.hasResourceProperties("AWS::Logs::MetricFilter", {
        FilterPattern: Match.stringLikeRegexp(`\\$\\.error = "${types[0]}"`),
        MetricTransformations: [Match.objectLike({ MetricName, MetricNamespace: "Wirelab" })],
      });
    }
  });

  test("are all described in the runbook", () => {
    for (const name of Object.keys(METRICS)) expect(RUNBOOK).toMatch(new RegExp(`\\| \`${name}\` \\|`));
  });
});

describe("the dashboard", () => {
  test("is one, and shows every metric of the functions", () => {
    const [{ DashboardBody }] = propertiesOf<{ DashboardBody: unknown }>(
      template,
      "AWS::CloudWatch::Dashboard",
    ) as [{ DashboardBody: unknown }];
    const body = JSON.stringify(DashboardBody);
    for (const name of Object.keys(METRICS)) if (name !== "SweptBytes") expect(body).toContain(name);
  });
});

describe("the sweeper", () => {
  test("is called every hour, with the age of abandoned captures as a setting", () => {
    template.hasResourceProperties("AWS::Events::Rule", { ScheduleExpression: "rate(1 hour)" });
    asked.hasResourceProperties("AWS::Lambda::Function", {
      Environment: { Variables: Match.objectLike({ ABANDONED_CAPTURE_DAYS: "7" }) },
    });
    expect(() => synthesize({ abandoned_capture_days: "soon" })).toThrow(/abandoned_capture_days/);
  });

  test("is not run again when a run fails or could not begin within the hour: the next run does the work", () => {
    template.hasResourceProperties("AWS::Lambda::EventInvokeConfig", {
      FunctionName: { Ref: Match.stringLikeRegexp("^sweeperFunction") },
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 3_600,
    });
    template.hasResourceProperties("AWS::Events::Rule", {
      Targets: [Match.objectLike({ RetryPolicy: { MaximumRetryAttempts: 0 } })],
    });
  });
});

describe("tracing", () => {
  test("is off by default, and can be enabled for the gateway and all functions", () => {
    const traced = (of: Template) =>
      propertiesOf<{ TracingConfig?: unknown; Description?: string }>(of, "AWS::Lambda::Function")
        .filter(({ Description }) => Description?.startsWith("Wirelab: "))
        .map(({ TracingConfig }) => TracingConfig);
    expect(new Set(traced(template))).toEqual(new Set([undefined]));
    for (const config of traced(asked)) expect(config).toEqual({ Mode: "Active" });
    asked.hasResourceProperties("AWS::ApiGateway::Stage", { TracingEnabled: true });
  });
});

describe("the gateway's own responses", () => {
  test("contain the request's id", () => {
    for (const { responseParameters } of Object.values(bodyOf(template)[GATEWAY_RESPONSES])) {
      expect(responseParameters["gatewayresponse.header.X-Request-Id"]).toBe("context.requestId");
    }
  });
});
