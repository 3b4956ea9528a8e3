/** Runs requests on the database: those that arrive together in one transaction of SQLite, so that one synchronization of the disk serves all. */
import { Database } from "./database.ts";
import { DynamoDbError } from "./dynamodb-error.ts";
import type { Limits } from "./limits.ts";
import { OPERATIONS } from "./operations.ts";
import { checkParameters } from "./parameters.ts";

export interface Answer {
  readonly status: number;
  /** JSON. */
  readonly body: string;
}

interface Waiting {
  readonly target: string;
  readonly body: string;
  readonly resolve: (answer: Answer) => void;
}

const FAULT: Answer = {
  status: 500,
  body: JSON.stringify({
    __type: "com.amazonaws.dynamodb.v20120810#InternalServerError",
    message: "Internal server error",
  }),
};

export class Requests {
  readonly #database: Database;
  readonly #report: (line: string) => void;
  #waiting: Waiting[] = [];

  constructor(file: string | undefined, limits: Limits, report: (line: string) => void) {
    this.#database = new Database(file, limits);
    this.#report = report;
  }

  run(target: string, body: string): Promise<Answer> {
    return new Promise((resolve) => {
      this.#waiting.push({ target, body, resolve });
      if (this.#waiting.length === 1) setImmediate(() => this.#runAll());
    });
  }

  close(): void {
    this.#database.close();
  }

  #runAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    let answers: readonly Answer[] = [];
    const runEach = () => {
      answers = waiting.map((each) => this.#runOne(each));
    };
    try {
      const isRead = waiting.every(({ target }) => (OPERATIONS.get(target)?.kind ?? "read") === "read");
      if (!isRead) this.#database.commit(runEach);
      else runEach();
    } catch (error) {
      this.#report(`DynamoDB: ${(error as Error).message}`);
      answers = waiting.map(() => FAULT);
    }
    for (const [index, { resolve }] of waiting.entries()) resolve(answers[index]!);
  }

  #runOne({ target, body }: Waiting): Answer {
    const operation = OPERATIONS.get(target);
    if (operation === undefined)
      return {
        status: 400,
        body: JSON.stringify({ __type: "com.amazon.coral.service#UnknownOperationException" }),
      };
    try {
      const request = parse(body) as never;
      checkParameters(operation.name, operation.parameters, request);
      const run = () => operation.run(this.#database, request);
      return {
        status: 200,
        body: JSON.stringify(operation.kind === "table" ? this.#database.attempt(run) : run()),
      };
    } catch (error) {
      if (error instanceof DynamoDbError) return { status: 400, body: JSON.stringify(error.toJson()) };
      // SQLite's errors, such as a full disk, undo all requests of the transaction.
      if ((error as { errcode?: number }).errcode !== undefined) throw error;
      this.#report(`DynamoDB: ${target}: ${(error as Error).stack}`);
      return FAULT;
    }
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body === "" ? "{}" : body);
  } catch {
    throw new DynamoDbError("SerializationException", "The request is no JSON");
  }
}
