/** Prepares an expectation. */
import type { Claim, Expectation } from "../model/expectation.ts";
import type { LabModel } from "../model/lab-model.ts";
import { adjacency } from "./adjacency.ts";
import { best } from "./best.ts";
import type { Check, MakeCheck } from "./check.ts";
import { consoleOutput } from "./console.ts";
import { budget, digest, filter, loop } from "./counters.ts";
import { count, seen } from "./packets.ts";
import { path } from "./path.ts";
import { ping } from "./ping.ts";
import { reach } from "./reach.ts";
import { rib } from "./rib.ts";
import { arp, lease, mac, route } from "./tables.ts";
import { throughput } from "./throughput.ts";

const MAKERS: { readonly [K in Claim["kind"]]: MakeCheck<K> } = {
  reach,
  ping,
  path,
  seen,
  count,
  mac,
  arp,
  route,
  adjacency,
  rib,
  best,
  lease,
  console: consoleOutput,
  throughput,
  filter,
  loop,
  digest,
  budget,
};

export const makeCheck = (expectation: Expectation, model: LabModel): Check =>
  MAKERS[expectation.claim.kind](expectation.claim as never, expectation, model);
