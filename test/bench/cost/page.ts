/** Renders docs/cost.md. */
import { ACCESS } from "../../../infra/access.ts";
import type { Standing } from "../standing.ts";
import {
  type Bill,
  billOf,
  connectingOf,
  costOf,
  edgeOf,
  HOURS_PER_MONTH,
  METRIC_HOUR,
  PRICES,
  sendingOf,
  sum,
  times,
  type Usage,
} from "./bill.ts";
import { BUSY_DAY, busyDay } from "./busy-day.ts";
import type { LabUsage } from "./large-labs.ts";
import type { LogBytes } from "./meter.ts";

export interface Figures {
  /** Monthly cost without requests: by default, and with alarms and the dashboard. */
  readonly idle: Bill;
  readonly standing: { readonly plain: Standing; readonly watched: Standing };
  readonly consoles: { readonly usage: Usage; readonly log: LogBytes; readonly metrics: number };
  /** By the number of PCs. */
  readonly labs: readonly LabUsage[];
  readonly demo: { readonly usage: Usage; readonly metrics: number };
  /** Usage of one authorizer call. */
  readonly signIn: Usage;
  readonly signInSeconds: number;
  /** Usage of one authorizer call with a token. */
  readonly tokenCheck: Usage;
  /** Usage of an hour in which a client follows one idle capture. */
  readonly followed: Usage;
  readonly followSeconds: number;
  /** Usage of one call of the publisher: with a change that is an event, with and without a follower, and with one that is none. */
  readonly published: { readonly followed: Usage; readonly unfollowed: Usage; readonly quiet: Usage };
  /** An hour of one follower of events. */
  readonly following: { readonly socket: Bill; readonly stream: Bill };
  readonly downloads: { readonly bucket: Bill; readonly streamed: Bill };
  readonly operations: number;
  readonly serviceMetrics: number;
}

/** Working hours in a month, in which a project's CI jobs run. */
const WORKING_HOURS = 176;
const HOUR_SECONDS = 3_600;

export const dollars = (value: number): string =>
  `$${value.toFixed(value === 0 ? 2 : value < 0.01 ? 6 : value < 0.1 ? 4 : 2)}`;

const table = (bill: Bill): string =>
  [
    "| | |",
    "| --- | ---: |",
    ...Object.entries(bill).map(([name, value]) => `| ${name} | ${dollars(value)} |`),
    `| **together** | **${dollars(sum(bill))}** |`,
  ].join("\n");

const withoutZeros = (bill: Bill): Bill =>
  Object.fromEntries(Object.entries(bill).filter(([, value]) => value > 0));

const usageText = ({ requests, gbSeconds, readUnits, writeUnits, puts, gets }: Usage): string =>
  `${requests.toFixed(0)} requests, ${gbSeconds.toFixed(1)} GB-s of functions, ${readUnits.toFixed(0)} read and ${writeUnits.toFixed(0)} write units, ` +
  `${puts.toFixed(0)} objects written and ${gets.toFixed(0)} read`;

/** Lambda calls the publisher with so many changes at most: infra/table.ts. */
const CHANGES_A_CALL = 100;

/** Returns what a call costs with the publisher's calls after it. */
function costWithPublisher(usage: Usage, { quiet, unfollowed }: Figures["published"]): number {
  const calls = Math.max(1, usage.writeUnits / CHANGES_A_CALL);
  return costOf(usage) + costOf(unfollowed) + (calls - 1) * costOf(quiet);
}

/** A million of such calls, without sign-in and metrics, which do not grow with them. */
function labRows(labs: readonly LabUsage[], published: Figures["published"]): string {
  const row = (pcs: number, name: string, usage: Usage) => {
    const { writeUnits, readUnits, puts, gets, gbSeconds } = usage;
    const figures = [
      writeUnits.toFixed(1),
      readUnits.toFixed(1),
      `${puts.toFixed(1)} / ${gets.toFixed(1)}`,
      gbSeconds.toFixed(2),
    ];
    const million = dollars(1e6 * costWithPublisher(usage, published));
    return `| ${pcs.toLocaleString("en-US")} | ${name} | ${figures.join(" | ")} | ${million} |`;
  };
  return [
    "| PCs | call | write units | read units | objects written / read | GB-s | 1,000,000 calls |",
    "| ---: | --- | ---: | ---: | ---: | ---: | ---: |",
    ...labs.flatMap(({ pcs, start, broadcast, ping }) => [
      row(pcs, "start of all", start),
      row(pcs, "ping that all hear", broadcast),
      row(pcs, "ping", ping),
    ]),
  ].join("\n");
}

/** Adds an hour's other costs to those of its requests: metrics, and authorizer calls, whose decisions are cached. */
const billOfAnHour = (usage: Usage, metrics: number, signIns: number, signIn: Usage): Bill => ({
  ...billOf(usage),
  [`sign-in, ${signIns === 1 ? "once" : `${signIns} times`}`]: signIns * costOf(signIn),
  [`metrics, ${metrics} for an hour`]: metrics * METRIC_HOUR,
});

/** Describes the account's free tiers, unused by anything else in the account. */
function freeTiers({ watched }: Figures["standing"]): string {
  const { cloudwatch_free: free } = PRICES;
  const isSmall = watched.dashboardMetrics <= free.metrics_of_a_dashboard * watched.dashboards;
  const alarms = Math.min(watched.alarms, free.alarms) * PRICES.cloudwatch_alarm_month;
  const dashboards = isSmall
    ? Math.min(watched.dashboards, free.dashboards) * PRICES.cloudwatch_dashboard_month
    : 0;
  return `The free tiers of an account take off ${dollars(alarms)} for alarms (${free.alarms} are free) and ${dollars(dashboards)} for the dashboard
(${free.dashboards}, of up to ${free.metrics_of_a_dashboard} metrics each; this one has ${watched.dashboardMetrics}), where nothing else in the account has used them up.`;
}

/** The disk and the memory of the stack's defaults: infra/helper and infra/access.ts. */
const HELPER_DISK_GB = 40;
const WATCHER_GB = 0.25;
const SECONDS_PER_HOUR = 3_600;

const options = ({ alarms, dashboards }: Standing): Bill => ({
  [`\`-c alarms=true\`: ${alarms} alarms`]: alarms * PRICES.cloudwatch_alarm_month,
  [`\`-c dashboard=true\`: ${dashboards} dashboard`]: dashboards * PRICES.cloudwatch_dashboard_month,
  [`\`-c helper=c8i.xlarge\`, while the machine is off: a secret and ${HELPER_DISK_GB} GB of disk`]:
    PRICES.secret_month + HELPER_DISK_GB * PRICES.always_on.disk_gb_month,
});

/** An hour in which clients follow registered computes over WebSockets, however many they are. */
const watching = (): Bill => ({
  "Lambda, functions/watcher": WATCHER_GB * SECONDS_PER_HOUR * PRICES.lambda_gb_second_arm64,
});

const logRows = ({ functions, platform, gateway }: LogBytes): Bill =>
  Object.fromEntries(
    Object.entries({
      "lines of the functions": functions,
      "lines of Lambda": platform,
      "access log": gateway,
    }).map(([name, bytes]) => [
      `${name}, ${(bytes / 1e6).toFixed(2)} MB`,
      (bytes / 1e9) * PRICES.cloudwatch_logs_gb,
    ]),
  );

/** From docs/benchmarks.md: 465 failures of 30 links take 5.8 s on two processors. */
const SWEEP = { cases: 465, seconds: 2 * 5.8, batches: 19 };

/** The function has 1,769 MB; Express workflows are charged for 64 MB each. */
const sweeping = (): Bill => ({
  Lambda:
    SWEEP.batches * PRICES.lambda_request + (SWEEP.seconds * 1769 * PRICES.lambda_gb_second_arm64) / 1024,
  "Step Functions":
    2 * PRICES.step_functions_transition +
    SWEEP.batches * PRICES.step_functions_express_request +
    (SWEEP.seconds * 64 * PRICES.step_functions_express_gb_second) / 1024,
  S3: (SWEEP.batches + 1) * PRICES.s3_put + SWEEP.batches * PRICES.s3_get,
});

/** From docs/benchmarks.md: two BIRDs find a way by OSPF in 60 s of the lab. A state of a guest has a few megabytes. */
const GUEST_RUN = { seconds: 23, guests: 2, polls: 100 };

const runningGuests = (): Bill => ({
  Lambda:
    2 * PRICES.lambda_request +
    (GUEST_RUN.seconds * (ACCESS.guests!.memoryMb + ACCESS.runs!.memoryMb) * PRICES.lambda_gb_second_arm64) /
      1024,
  "Step Functions": 2 * PRICES.step_functions_transition,
  S3:
    (GUEST_RUN.guests + GUEST_RUN.seconds / 2 + 2) * PRICES.s3_put +
    (GUEST_RUN.polls + GUEST_RUN.guests + 4) * PRICES.s3_get,
});

/** A line of a console whose lab has such guests: the function prints and looks for Ctrl-C twice a second, and no request waits for it. */
const GUEST_LINE = { seconds: 5, messages: 4 };

const guestLine = (): Bill => ({
  Lambda:
    2 * PRICES.lambda_request +
    (GUEST_LINE.seconds * ACCESS.guests!.memoryMb * PRICES.lambda_gb_second_arm64) / 1024,
  "Step Functions": 2 * PRICES.step_functions_transition,
  S3:
    (GUEST_RUN.guests + GUEST_LINE.seconds / 2 + 3) * PRICES.s3_put + (GUEST_RUN.guests + 2) * PRICES.s3_get,
  "API Gateway": GUEST_LINE.messages * PRICES.websocket_message,
  DynamoDB: 2 * GUEST_LINE.seconds * PRICES.dynamodb_read_unit + 3 * PRICES.dynamodb_write_unit,
});

const { always_on: machine } = PRICES;
const ALWAYS_ON: Bill = {
  [machine.instance]: machine.hour * HOURS_PER_MONTH,
  [machine.disk]: machine.disk_gb * machine.disk_gb_month,
};

/** @returns how many demo runs a month of that machine pays for, if they are spread over so many hours of the month. */
function runsForTheMachine({ idle, demo, signIn, published }: Figures, hours: number): string {
  const hourly = demo.metrics * METRIC_HOUR + costOf(signIn);
  const left = sum(ALWAYS_ON) - sum(idle) - hours * hourly;
  const run = costOf(demo.usage) + costOf(times(published.unfollowed, demo.usage.requests));
  return Math.max(0, Math.floor(left / run)).toLocaleString("en-US");
}

/** @param usage of 1,000 console calls. */
export function renderBusyDay(
  usage: Usage,
  { published, signIn, tokenCheck }: Pick<Figures, "published" | "signIn" | "tokenCheck">,
): string {
  const { memoryMb, timeoutSeconds } = ACCESS.notifications!;
  const { now, before } = busyDay({
    run: times(usage, 1 / 1_000),
    published: published.followed,
    signIn,
    tokenCheck,
    memoryGb: memoryMb / 1024,
    timeoutSeconds,
  });
  const { users, runs, hoursOpen, activeMinutes } = BUSY_DAY;
  return `## A busy day

${users.toLocaleString("en-US")} users, each with a tab that is open for ${hoursOpen} hours, requests in ${activeMinutes} of its minutes, and ${runs} runs as above. The page uses
[tokens](security.md#tokens-of-this-service) and [WebSockets](page.md#events):

${table(now)}

Clients that send the password with each request, and follow events as streams over HTTP, would make that ${dollars(sum(before))}:

${table(before)}

The check of a token takes 0.25 ms of a processor, that of a password 299 ms (2026-11-27, AMD EPYC, Node 24); the table counts ${((tokenCheck.gbSeconds * 1_024_000) / ACCESS.authorizer!.memoryMb).toFixed(0)} ms of
function and ${tokenCheck.readUnits.toFixed(0)} read unit for each check of a token.`;
}

export function renderPage(figures: Figures, signInsAnHour: number): string {
  const { idle, standing, consoles, demo, signIn, followed, downloads, operations, serviceMetrics } = figures;
  const { published, following } = figures;
  return `# What it costs

Made by \`npm run cost\` from requests to the local stack with \`auth=basic\`, and the prices of test/bench/cost/prices.json
(${PRICES.region}, ${PRICES.date}, ${PRICES.source}).
Times of functions are those of the machine that measured.

## A month without requests

The stack as it is deployed without settings costs **$${sum(idle).toFixed(2)}**:

${table(idle)}

Options add to that, each month:

${table(options(standing.watched)).split("\n").slice(0, -1).join("\n")}

${freeTiers(standing)}

## Events, WebSockets and CloudFront

1,000 changes that clients see, such as the counters of links after 1,000 runs, one at a time:

${table(withoutZeros(billOf(times(published.followed, 1000))))}

The same changes while no client follows the project:

${table(withoutZeros(billOf(times(published.unfollowed, 1000))))}

1,000 changes that make no event, such as the changes of 1,000 runs that send nothing:

${table(withoutZeros(billOf(times(published.quiet, 1000))))}

1,000 events, one at a time, to one follower over a WebSocket:

${table(sendingOf(1000))}

1,000 followers who come and go:

${table(connectingOf(1000))}

An hour of one follower, without events: over a WebSocket, and as a stream over HTTP.

${table(following.socket)}

${table(following.stream)}

An hour in which followers over WebSockets follow registered computes, for all followers together:

${table(watching())}

What \`-c edge=true\` adds to 1,000 requests with responses of 1 MB together:

${table(edgeOf(1000, 1_000_000))}

An account has 1 TB, 10 million requests and 2 million calls of functions free each month.

## 1,000 console calls in an hour

A ping of five packets between two PCs, with a capture that runs: ${usageText(consoles.usage)}.

${table({
  ...billOfAnHour(consoles.usage, consoles.metrics, signInsAnHour, signIn),
  "publisher, after each call": costOf(times(published.unfollowed, consoles.usage.requests)),
})}

API Gateway caches who a caller is for ${HOUR_SECONDS / signInsAnHour} s. A call of the authorizer takes ${figures.signInSeconds.toFixed(2)} s.

## Labs of more PCs

The same ping in larger labs, with thirty PCs on a switch, and the switches on a core switch. A ping to an unknown address begins with an ARP request,
which all PCs hear. The prices have the publisher's calls, but not sign-in and metrics.

${labRows(figures.labs, published)}

${renderBusyDay(consoles.usage, figures)}

## Logs, of these 1,000 requests

${table(logRows(consoles.log))}

A stack with \`-c gateway_log=none\` has no access log.

## One run of the demo, as a CI job would do it, alone in its hour

Two subnets, four PCs, two captures: ${usageText(demo.usage)}.

${table({
  ...billOfAnHour(demo.usage, demo.metrics, 1, signIn),
  "publisher, after each request": costOf(times(published.unfollowed, demo.usage.requests)),
})}

## A GB of packets, downloaded

The bucket sends a stopped capture:

${table(downloads.bucket)}

A function sends captures of several links in one file, and running captures, in [responses of 200 MB](limits.md#captures):

${table(downloads.streamed)}

An account has ${PRICES.egress_free_gb_month} GB of egress a month free, all services together.

## An hour of following a capture

One follower of a capture that gets no packets (measured for ${figures.followSeconds} s):
${usageText(followed)}.

${table(billOf(followed))}

## Metrics, in a month in which every route is called in every hour

CloudWatch charges for a metric by the hour in which a function writes it, ${dollars(METRIC_HOUR)} each.
At most, without metrics of faults:

${table({
  [`requests by route: ${operations} metrics`]: operations * PRICES.cloudwatch_metric_month,
  [`the whole service: ${serviceMetrics} metrics`]: serviceMetrics * PRICES.cloudwatch_metric_month,
})}

## A sweep

The ${SWEEP.cases} single and double failures of a lab with 30 links, in ${SWEEP.batches} batches that take the time of [the benchmark](benchmarks.md#tests-of-labs):

${table(sweeping())}

## A run with Linux nodes

Two guests that find a way by OSPF in 60 s of the lab, which takes ${GUEST_RUN.seconds} s ([the benchmark](benchmarks.md#linux-guests)), and the request that waits for it:

${table(runningGuests())}

A line of a console whose run takes ${GUEST_LINE.seconds} s; no request waits for it:

${table(guestLine())}

## Beside it: the smallest machine that is always on

What a GNS3 server needs at least, a month of ${HOURS_PER_MONTH} hours:

${table(ALWAYS_ON)}

For the price of that machine, the demo runs ${runsForTheMachine(figures, WORKING_HOURS)} times a month when its runs are in ${WORKING_HOURS} working hours, and
${runsForTheMachine(figures, HOURS_PER_MONTH)} times when they are spread over every hour: then its ${demo.metrics} metrics are most of the price.
`;
}
