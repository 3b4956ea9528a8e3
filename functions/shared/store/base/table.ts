/**
 * The single table.
 *
 *     pk                              sk                        entity
 *     PROJECT#<project>               META                      project: what decides about requests, counters and clock
 *     PROJECT#<project>               SETTINGS                  its other settings: see stored-settings.ts
 *     PROJECT#<project>               NODE#<node>               node, with the links on its ports
 *     PROJECT#<project>               LINK#<link>               link, with its running capture
 *     PROJECT#<project>               COUNTERS#<number>         what some links have carried: commit/link-counters.ts
 *     PROJECT#<project>               CAPTURE#<link>#<capture>  capture, from its start until it is deleted
 *     PROJECT#<project>               SEGMENTS#<capture>#<no.>  where segments of the capture lie, all but the last few
 *     PROJECT#<project>               PACKETS#<capture>#<no.>   the packets of a small segment of the capture
 *     PROJECT#<project>               DRAWING#<drawing>         drawing
 *     PROJECT#<project>               FILE#<path>               file; its bytes are an object
 *     PROJECT#<project>               SNAPSHOT#<snapshot>       snapshot; its bytes are objects
 *     PROJECT#<project>               DELETED#<deletion>        parts of the lab that can be brought back: deletion/deletion.ts
 *     PROJECT#<project>               TAKEN_SNAPSHOT#<name>     claim of a snapshot's name
 *     PROJECT#<project>               TAKEN#<name>              claim of a node's name
 *     PROJECT#<project>               TAKEN_INDEX#<number>      claim of a PC's or router's number
 *     PROJECT#<project>               TAKEN_CONSOLE#<number>    claim of the number of a node's console
 *     PROJECT#<project>               SERIES#<series>           the lowest free number of a series: of PCs, or of numbered names
 *     PROJECT#<project>               SHARE#<digest of user>    a user with whom the project is shared
 *     PROJECT_NAMES                   <name>                    claim of a project's name; in a namespace, after that and a tab
 *     SYMBOLS                         SYMBOL#<id>               uploaded symbol
 *     TEMPLATES                       TEMPLATE#<id>             template, or a change of a built-in one
 *     TEMPLATES                       USAGE#TEMPLATES           how many templates there are
 *     SYMBOLS                         USAGE#SYMBOLS             how many symbols there are, and their bytes
 *     USAGE#<user>                    PROJECTS                  how many projects the user has
 *     USAGE#<user>                    BYTES                     what the captures in all projects of the user hold
 *     USAGE#<user>                    SYMBOLS                   how many symbols the user has uploaded, and their bytes
 *     PACE#<user>                     MINUTE#<number>           how many runs the user has had in a minute
 *     IDEMPOTENCY#<hash>              REQUEST                   request with an idempotency key, and its answer
 *     USERS                           <name>                    user, with the hash of their password
 *     NAMESPACES                      <name>                    user of a namespace, who expires
 *     TOKEN_KEYS                      CURRENT                   keys that sign the tokens of users
 *     FAILURES#USER#<name>            ANYWHERE                  attempts under a name, from addresses unknown for its user
 *     FAILURES#USER#<name>            NETWORK#<network>         those of them from a network
 *     FAILURES#USER#<name>            SOURCE#<address>          attempts under a name from an address known for its user
 *     FAILURES#SOURCE#<address>       ANYONE                    attempts from an address, under any name
 *     KNOWN_SOURCES#<user>            <address>                 address from which a user has signed in
 *     SERVICE                         SIMVM, COMPUTE#<id>       settings, registered computes
 *     SERVICE                         IOU_NUMBER#<compute>      how many numbers of IOU nodes were given on a compute
 *     CONSOLE#<project>#<node>        <connection>              open console, with what was typed on it
 *     EVENTS#<project>                HEAD, EVENT#, SOURCE#     events of a project, or of the service: see events/event.ts
 *
 * LINK# < META < NODE#: one Query reads links with their project, nodes with their project, or the whole topology.
 * The index `project-keys` lists the keys of projects by creation time, in the partitions PROJECTS and DELETING, and in DOING those of NODE#
 * and LINK# with which a function is doing something on a compute (lab/doing.ts); the index `seen` has the keys
 * of META and SHARE# by the users who may see them, in the partitions USER#<digest of user> and EVERYBODY.
 */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { Table } from "dynamodb-toolbox/table";
import { clientSettings } from "./client-settings.ts";
import { requiredEnv } from "./env.ts";
import { reportFaults } from "./store-faults.ts";
import { withoutLog } from "./without-log.ts";

/** A stack that an earlier release made reads that release's index until the new one is filled: infra/table.ts. */
export const PROJECTS_INDEX = process.env.PROJECTS_INDEX || "project-keys";
export const SEEN_INDEX = "seen";

/** The table responds within milliseconds. */
const TIMEOUT_MS = 3_000;

/** Made once for each execution environment. The SDK's standard variables set the region, credentials and endpoint. */
export const client = withoutLog(reportFaults(new DynamoDBClient(clientSettings(TIMEOUT_MS)), "TableErrors"));

const documentClient = DynamoDBDocumentClient.from(client, {
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
    [SEEN_INDEX]: {
      type: "global",
      partitionKey: { name: "seen_by", type: "string" },
      sortKey: { name: "created_us", type: "number" },
    },
  },
});

const PROJECT = "PROJECT#";
export const projectKey = (projectId: string): string => `${PROJECT}${projectId}`;
export const projectIdOf = (key: string): string => key.slice(PROJECT.length);

/** Microseconds since the epoch: lists are in creation order, and two creations rarely share one. */
export const nowUs = (): number => Math.round((performance.timeOrigin + performance.now()) * 1000);
