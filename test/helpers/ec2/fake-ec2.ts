/** A fake of EC2's Query API: README.md. */
import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export const FAKE_CREDENTIALS = { AWS_ACCESS_KEY_ID: "AKIDFAKE", AWS_SECRET_ACCESS_KEY: "fake-secret" };
export const FAKE_REGION = "eu-test-1";

export interface FakeInstance {
  readonly id: string;
  state: string;
  type: string;
  readonly address: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly hibernates: boolean;
  reason?: string;
  /** What the last StopInstances asked for. */
  hibernated?: boolean;
  readonly token?: string | undefined;
}

export interface FakeCall {
  readonly action: string;
  readonly form: Readonly<Record<string, string>>;
}

/** What becomes of a call: an EC2 error, a connection that ends before the action, or after it. */
export type Fate =
  | "pass"
  | "lost-request"
  | "lost-response"
  | { readonly code: string; readonly status?: number };

/** Sizes from AWS's list of instance types. */
const TYPES: readonly (readonly [name: string, vcpus: number, mb: number])[] = [
  ["c8i.2xlarge", 8, 16_384],
  ["c8i.large", 2, 4_096],
  ["c8i.xlarge", 4, 8_192],
  ["m8i.large", 2, 8_192],
];

export class FakeEc2 {
  readonly instances: FakeInstance[] = [];
  calls: FakeCall[] = [];
  /** The fate of each call, by its number since `calls` was emptied. */
  decide: (call: FakeCall, index: number) => Fate = () => "pass";
  #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  static async start(): Promise<FakeEc2> {
    const fake = new FakeEc2();
    await new Promise<void>((resolve) => fake.#server.listen(0, "127.0.0.1", resolve));
    return fake;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  reset(): void {
    this.instances.length = 0;
    this.calls = [];
    this.decide = () => "pass";
  }

  add(instance: Partial<FakeInstance> & Pick<FakeInstance, "tags">): FakeInstance {
    const number = this.instances.length + 1;
    const added: FakeInstance = {
      id: `i-${String(number).padStart(17, "0")}`,
      state: "stopped",
      type: "c8i.xlarge",
      address: "127.0.0.1",
      hibernates: false,
      ...instance,
    };
    this.instances.push(added);
    return added;
  }

  /** Ends all changes of state that are in progress. */
  settle(): void {
    for (const instance of this.instances) {
      if (instance.state === "pending") instance.state = "running";
      if (instance.state === "stopping") instance.state = "stopped";
      if (instance.state === "shutting-down") instance.state = "terminated";
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const form = Object.fromEntries(new URLSearchParams(body));
    const call: FakeCall = { action: form.Action ?? "", form };
    const fate = this.decide(call, this.calls.push(call) - 1);
    if (fate === "lost-request") return void request.socket.destroy();
    const [status, xml] = isSigned(request, body)
      ? typeof fate === "object"
        ? refusal(fate.code, fate.status)
        : this.#perform(call)
      : refusal("SignatureDoesNotMatch", 403);
    if (fate === "lost-response") return void request.socket.destroy();
    response.writeHead(status, { "content-type": "text/xml;charset=UTF-8" }).end(xml);
  }

  #perform({ action, form }: FakeCall): readonly [number, string] {
    if (form.Version !== "2016-11-15") return refusal("InvalidAction");
    switch (action) {
      case "DescribeInstances":
        return this.#describe(form);
      case "DescribeInstanceTypes":
        return describeTypes(form);
      case "RunInstances":
        return this.#run(form);
      case "StartInstances":
        return this.#change(form, "StartInstances", (one) => {
          if (one.state === "stopping") return refusal("IncorrectInstanceState");
          if (one.state === "stopped") one.state = "pending";
          return undefined;
        });
      case "StopInstances":
        return this.#change(form, "StopInstances", (one) => {
          const hibernated = form.Hibernate === "true";
          if (hibernated && !one.hibernates) return refusal("UnsupportedHibernationConfiguration");
          if (one.state === "running") Object.assign(one, { state: "stopping", hibernated });
          return undefined;
        });
      case "ModifyInstanceAttribute": {
        const one = this.instances.find(({ id }) => id === form.InstanceId);
        if (one === undefined) return refusal("InvalidInstanceID.NotFound");
        if (one.state !== "stopped") return refusal("IncorrectInstanceState");
        one.type = form["InstanceType.Value"]!;
        return [
          200,
          "<ModifyInstanceAttributeResponse><return>true</return></ModifyInstanceAttributeResponse>",
        ];
      }
      default:
        return refusal("InvalidAction");
    }
  }

  #describe(form: FakeCall["form"]): readonly [number, string] {
    const filters = filtersOf(form);
    const matching = this.instances.filter((one) =>
      filters.every(({ name, values }) =>
        values.includes(
          name === "instance-state-name" ? one.state : (one.tags[name.replace("tag:", "")] ?? ""),
        ),
      ),
    );
    const sets = matching.map(
      (one) => `<item><reservationId>r-1</reservationId><instancesSet>${itemOf(one)}</instancesSet></item>`,
    );
    return [
      200,
      `<?xml version="1.0" encoding="UTF-8"?>\n<DescribeInstancesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>1</requestId>` +
        `<reservationSet>${sets.join("")}</reservationSet></DescribeInstancesResponse>`,
    ];
  }

  /** One instance for a client token, however often it is asked for. */
  #run(form: FakeCall["form"]): readonly [number, string] {
    const token = form.ClientToken;
    const tags = tagsOf(form, "TagSpecification.1.Tag");
    const type = form.InstanceType ?? "c8i.xlarge";
    const one =
      this.instances.find((each) => each.token === token) ??
      this.add({ tags, type, token, state: "pending" });
    return [200, `<RunInstancesResponse><instancesSet>${itemOf(one)}</instancesSet></RunInstancesResponse>`];
  }

  #change(
    form: FakeCall["form"],
    action: string,
    change: (one: FakeInstance) => readonly [number, string] | undefined,
  ): readonly [number, string] {
    const one = this.instances.find(({ id }) => id === form["InstanceId.1"]);
    if (one === undefined) return refusal("InvalidInstanceID.NotFound");
    return change(one) ?? [200, `<${action}Response><instancesSet/></${action}Response>`];
  }
}

const itemOf = ({ id, state, type, address, tags, hibernates, reason }: FakeInstance): string =>
  `<item><instanceId>${id}</instanceId><instanceState><code>0</code><name>${state}</name></instanceState>` +
  `<instanceType>${type}</instanceType><privateIpAddress>${address}</privateIpAddress>` +
  `<tagSet>${Object.entries(tags)
    .map(([key, value]) => `<item><key>${key}</key><value>${value}</value></item>`)
    .join("")}</tagSet>` +
  `<hibernationOptions><configured>${hibernates}</configured></hibernationOptions>` +
  `${reason ? `<stateReason><code>Server.X</code><message>${reason}</message></stateReason>` : ""}</item>`;

function describeTypes(form: FakeCall["form"]): readonly [number, string] {
  const [pattern = ""] = filtersOf(form).find(({ name }) => name === "instance-type")?.values ?? [];
  const items = TYPES.filter(([name]) => name.startsWith(pattern.replace("*", ""))).map(
    ([name, vcpus, mb]) =>
      `<item><instanceType>${name}</instanceType><vCpuInfo><defaultVCpus>${vcpus}</defaultVCpus></vCpuInfo>` +
      `<memoryInfo><sizeInMiB>${mb}</sizeInMiB></memoryInfo></item>`,
  );
  return [
    200,
    `<DescribeInstanceTypesResponse><instanceTypeSet>${items.join("")}</instanceTypeSet></DescribeInstanceTypesResponse>`,
  ];
}

/** Groups `Filter.1.Name`, `Filter.1.Value.1` and so on. */
function filtersOf(form: FakeCall["form"]): { name: string; values: string[] }[] {
  const names = Object.keys(form).filter((key) => /^Filter\.\d+\.Name$/.test(key));
  return names.map((key) => ({
    name: form[key]!,
    values: Object.entries(form)
      .filter(([other]) => other.startsWith(key.replace("Name", "Value.")))
      .map(([, value]) => value),
  }));
}

const tagsOf = (form: FakeCall["form"], prefix: string): Record<string, string> =>
  Object.fromEntries(
    Object.keys(form)
      .filter((key) => key.startsWith(`${prefix}.`) && key.endsWith(".Key"))
      .map((key) => [form[key]!, form[key.replace(/Key$/, "Value")]!]),
  );

const refusal = (code: string, status = 400): readonly [number, string] => [
  status,
  `<?xml version="1.0" encoding="UTF-8"?>\n<Response><Errors><Error><Code>${code}</Code><Message>planned</Message></Error></Errors>` +
    "<RequestID>1</RequestID></Response>",
];

const sha256 = (data: string): string => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string): Buffer => createHmac("sha256", key).update(data).digest();

/** Signature Version 4, computed anew: "Create a signed AWS API request" in AWS's IAM user guide. */
function isSigned({ headers }: IncomingMessage, body: string): boolean {
  const [, scope = "", names = "", signature] =
    /Credential=AKIDFAKE\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)$/.exec(
      headers.authorization ?? "",
    ) ?? [];
  const [day = "", region = "", service = ""] = scope.split("/");
  const canonical = [
    "POST",
    "/",
    "",
    ...names.split(";").map((name) => `${name}:${headers[name]}`),
    "",
    names,
    sha256(body),
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, sha256(canonical)].join("\n");
  const key = [region, service, "aws4_request"].reduce<Buffer>(
    (one, part) => hmac(one, part),
    hmac(`AWS4${FAKE_CREDENTIALS.AWS_SECRET_ACCESS_KEY}`, day),
  );
  return service === "ec2" && region === FAKE_REGION && hmac(key, toSign).toString("hex") === signature;
}
