/**
 * Calls DynamoDB's streams. The records stay as the JSON of the wire, which is what Lambda passes to a function: the SDK would decode each
 * attribute of each item, also of those that no function wants.
 */
import { SignatureV4 } from "@smithy/signature-v4";
import { Sha256 } from "../../functions/shared/store/base/signed-post.ts";
import type { ClientSettings } from "./provision.ts";

export interface StreamRecord {
  readonly eventName?: string;
  readonly dynamodb?: {
    readonly SequenceNumber?: string;
    /** In seconds since 1970, with fractions. */
    readonly ApproximateCreationDateTime?: number;
  };
}

export interface Shard {
  readonly ShardId: string;
  readonly ParentShardId?: string;
}

/** The operations that are used, with their output. */
interface Outputs {
  readonly DescribeStream: {
    readonly StreamDescription?: {
      readonly Shards?: readonly Shard[];
      readonly LastEvaluatedShardId?: string;
    };
  };
  readonly GetShardIterator: { readonly ShardIterator: string };
  readonly GetRecords: { readonly Records?: readonly StreamRecord[]; readonly NextShardIterator?: string };
}

export class StreamsClient {
  readonly #url: URL;
  readonly #signer: SignatureV4;

  constructor({ endpoint, region, credentials }: ClientSettings) {
    this.#url = new URL(endpoint);
    this.#signer = new SignatureV4({
      service: "dynamodb",
      region,
      credentials: { ...credentials },
      sha256: Sha256,
    });
  }

  /** @throws Error with the service's message. */
  async call<Name extends keyof Outputs>(
    name: Name,
    input: object,
    signal: AbortSignal,
  ): Promise<Outputs[Name]> {
    const { protocol, hostname, port, host, pathname } = this.#url;
    const body = JSON.stringify(input);
    const { headers } = await this.#signer.sign({
      method: "POST",
      protocol,
      hostname,
      ...(port && { port: Number(port) }),
      path: pathname,
      query: {},
      headers: {
        host,
        "content-type": "application/x-amz-json-1.0",
        "x-amz-target": `DynamoDBStreams_20120810.${name}`,
      },
      body,
    });
    const response = await fetch(this.#url, { method: "POST", headers, body, signal });
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as Outputs[Name];
    throw new Error(`${name}: ${response.status} ${text.slice(0, 500)}`);
  }
}
