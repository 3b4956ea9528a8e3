/**
 * The single table.
 *
 *     pk                              sk                        entity
 *     PROJECT#<project>               META                      project
 *     PROJECT#<project>               NODE#<node>               node, with the links on its ports
 *     PROJECT#<project>               LINK#<link>               link, with its running capture
 *     PROJECT#<project>               CAPTURE#<link>#<capture>  capture, from its start until it is deleted
 *     PROJECT#<project>               TAKEN#<name>              claim of a node's name
 *     PROJECT#<project>               TAKEN_INDEX#<number>      claim of a PC's or router's number
 *     RUN#<project>#<attempt>         CHANGES#<number>          changes of a run too large for one transaction
 *     CAPTURE#<project>#<capture>     SEGMENT#<number>          segment of a capture
 *     PROJECT_NAMES                   <name>                    claim of a project's name
 *     SYMBOLS                         SYMBOL#<id>               uploaded symbol
 *     USAGE#<user>                    PROJECTS                  how many projects the user has
 *     PACE#<user>                     MINUTE#<number>           how many runs the user has had in a minute
 *     IDEMPOTENCY#<hash>              REQUEST                   request with an idempotency key, and its answer
 *     USERS                           <name>                    user, with the hash of their password
 *     FAILURES#USER#<name>            FAILURES                  failures to come in under a name
 *     FAILURES#SOURCE#<address>       FAILURES                  failures to come in from an address
 *     KNOWN_SOURCES#<user>            <address>                 where a user has come in from
 *     SERVICE                         SIMVM, COMPUTE#<id>       settings, registered computes
 *
 * LINK# < META < NODE#: links with their project, nodes with their project, or the whole topology are one Query.
 * The index `projects` lists projects by creation time.
 */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { Table } from "dynamodb-toolbox/table";
import { countErrors } from "./count-errors.ts";
import { requiredEnv } from "./env.ts";

export const PROJECTS_INDEX = "projects";

/** Made once for each execution environment; region, credentials and endpoint are the SDK's standard variables'. */
const documentClient = DynamoDBDocumentClient.from(countErrors(new DynamoDBClient({}), "TableErrors"), {
  marshallOptions: { removeUndefinedValues: true },
});

export const table = new Table({
  documentClient,
  name: () => requiredEnv("TABLE_NAME"),
  partitionKey: { name: "pk", type: "string" },
  sortKey: { name: "sk", type: "string" },
  entityAttributeSavedAs: "entity",
  indexes: {
    [PROJECTS_INDEX]: {
      type: "global",
      partitionKey: { name: "listing", type: "string" },
      sortKey: { name: "created_us", type: "number" },
    },
  },
});

export const projectKey = (projectId: string): string => `PROJECT#${projectId}`;

/** Microseconds since the epoch: lists are in creation order, and two creations rarely share one. */
export const nowUs = (): number => Math.round((performance.timeOrigin + performance.now()) * 1000);
