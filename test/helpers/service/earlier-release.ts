/** Stores a project as earlier releases did, with its settings in its own item. */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";

interface Stores {
  readonly dynamodbEndpoint: string;
  readonly tableName: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

// biome-ignore lint/suspicious/noExplicitAny: items as they are stored
type Item = Record<string, any>;

export class ProjectItems {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #pk: string;

  constructor({ dynamodbEndpoint: endpoint, region, credentials, tableName }: Stores, projectId: string) {
    this.#client = DynamoDBDocumentClient.from(
      new DynamoDBClient({ endpoint, region, credentials: { ...credentials } }),
    );
    this.#table = tableName;
    this.#pk = `PROJECT#${projectId}`;
  }

  async read(sk: "META" | "SETTINGS"): Promise<Item | undefined> {
    const Key = { pk: this.#pk, sk };
    return (await this.#client.send(new GetCommand({ TableName: this.#table, Key, ConsistentRead: true })))
      .Item;
  }

  async write(item: Item): Promise<void> {
    await this.#client.send(new PutCommand({ TableName: this.#table, Item: item }));
  }

  async storeAsEarlierRelease(): Promise<void> {
    const [meta, settings] = [await this.read("META"), await this.read("SETTINGS")];
    const { settings_revision: _1, shares: _2, expires_at: _3, seed: _4, pinned_clock: _5, ...rest } = meta!;
    await this.write({ ...rest, settings: settings!.document });
    const Key = { pk: this.#pk, sk: "SETTINGS" };
    await this.#client.send(new DeleteCommand({ TableName: this.#table, Key }));
  }

  close(): void {
    this.#client.destroy();
  }
}
