/** An AWS account on the loopback interface: the calls of the janitor, answered from plain data, and what was deleted. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll } from "vitest";

export interface FakeStack {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly description: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly created: string;
  readonly deleted?: string;
  readonly template?: string;
  /** Type and physical id. */
  readonly resources?: readonly (readonly [string, string])[];
}

export interface FakeContent {
  readonly stacks?: readonly FakeStack[];
  readonly logGroups?: readonly string[];
  /** Name, and time of creation in seconds since 1970. */
  readonly secrets?: readonly (readonly [string, number])[];
  /** Key, and time of the last change. */
  readonly objects?: readonly (readonly [string, string])[];
  /** Deletions that are refused. */
  readonly refuses?: readonly string[];
}

const CLOUDFORMATION = "http://cloudformation.amazonaws.com/doc/2010-05-15/";

const escapeXml = (value: string): string =>
  value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const element = (name: string, value: string | undefined): string =>
  value === undefined ? "" : `<${name}>${escapeXml(value)}</${name}>`;
const members = (parts: readonly string[]): string =>
  parts.map((part) => `<member>${part}</member>`).join("");

export class FakeAccount {
  readonly deleted: string[] = [];
  readonly #content: FakeContent;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  url = "";

  constructor(content: FakeContent) {
    this.#content = content;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    afterAll(() => this.#server.close());
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const target = request.headers["x-amz-target"];
    const answer =
      typeof target === "string"
        ? this.#json(target.split(".")[1]!, JSON.parse(body))
        : request.method === "POST"
          ? this.#stacks(new URLSearchParams(body))
          : this.#objects(request.method!, decodeURIComponent(request.url!));
    const isJson = typeof target === "string";
    if (answer === undefined) {
      const refusal = isJson
        ? '{"__type":"AccessDeniedException","message":"not allowed"}'
        : "<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>not allowed</Message></Error></ErrorResponse>";
      response.writeHead(isJson ? 400 : 403, {
        "content-type": isJson ? "application/x-amz-json-1.1" : "text/xml",
      });
      response.end(refusal);
      return;
    }
    response.writeHead(200, { "content-type": isJson ? "application/x-amz-json-1.1" : "text/xml" });
    response.end(answer);
  }

  /** @returns false for a refusal. */
  #delete(what: string): boolean {
    if (this.#content.refuses?.includes(what)) return false;
    this.deleted.push(what);
    return true;
  }

  #stacks(form: URLSearchParams): string | undefined {
    const action = form.get("Action")!;
    const named = form.get("StackName");
    const all = this.#content.stacks ?? [];
    const result = (content: string): string =>
      `<${action}Response xmlns="${CLOUDFORMATION}"><${action}Result>${content}</${action}Result></${action}Response>`;
    const find = () => all.find(({ id, name }) => id === named || name === named);
    switch (action) {
      case "DescribeStacks": {
        const shown = named ? all.filter(({ id }) => id === named) : all.filter(({ deleted }) => !deleted);
        return result(`<Stacks>${members(shown.map(described))}</Stacks>`);
      }
      case "ListStacks": {
        const shown = all.filter(({ deleted }) => deleted);
        return result(`<StackSummaries>${members(shown.map(summary))}</StackSummaries>`);
      }
      case "ListStackResources": {
        const resources = (find()?.resources ?? []).map(
          ([type, id]) =>
            `<LogicalResourceId>X</LogicalResourceId>${element("ResourceType", type)}${element("PhysicalResourceId", id)}<ResourceStatus>DELETE_COMPLETE</ResourceStatus>`,
        );
        return result(`<StackResourceSummaries>${members(resources)}</StackResourceSummaries>`);
      }
      case "GetTemplate":
        return result(element("TemplateBody", find()?.template ?? "{}"));
      case "DeleteStack":
        return this.#delete(`stack ${named}`)
          ? `<DeleteStackResponse xmlns="${CLOUDFORMATION}"/>`
          : undefined;
      default:
        throw new Error(`a call that the janitor is not to make: ${action}`);
    }
  }

  #json(action: string, input: Record<string, string>): string | undefined {
    const { logGroups = [], secrets = [] } = this.#content;
    switch (action) {
      case "DescribeLogGroups":
        return JSON.stringify({
          logGroups: logGroups
            .filter((name) => name.startsWith(input.logGroupNamePrefix!))
            .map((logGroupName) => ({ logGroupName, creationTime: 1 })),
        });
      case "DeleteLogGroup":
        return this.#delete(`log group ${input.logGroupName}`) ? "{}" : undefined;
      case "ListSecrets":
        return JSON.stringify({
          SecretList: secrets.map(([Name, CreatedDate]) => ({ ARN: `arn:${Name}`, Name, CreatedDate })),
        });
      case "DeleteSecret":
        return this.#delete(`secret ${input.SecretId} for ${input.RecoveryWindowInDays} days`)
          ? "{}"
          : undefined;
      default:
        throw new Error(`a call that the janitor is not to make: ${action}`);
    }
  }

  #objects(method: string, url: string): string | undefined {
    const { pathname } = new URL(url, "http://s3");
    if (method === "DELETE") return this.#delete(`object ${pathname}`) ? "" : undefined;
    const contents = (this.#content.objects ?? [])
      .map(([key, time]) => `<Contents>${element("Key", key)}${element("LastModified", time)}</Contents>`)
      .join("");
    return `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>false</IsTruncated>${contents}</ListBucketResult>`;
  }
}

const summary = ({ id, name, status, description, created, deleted }: FakeStack): string =>
  [
    element("StackId", id),
    element("StackName", name),
    element("TemplateDescription", description),
    element("StackStatus", status),
    element("CreationTime", created),
    element("DeletionTime", deleted),
  ].join("");

const described = ({ tags = {}, ...stack }: FakeStack): string => {
  const list = Object.entries(tags).map(([key, value]) => `${element("Key", key)}${element("Value", value)}`);
  return `${summary(stack)}${element("Description", stack.description)}<Tags>${members(list)}</Tags>`;
};
