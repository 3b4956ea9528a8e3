/** The report as JSON of the HTTP interface and of the reporter `json`: the same fields, in snake case, null for what is missing. */
import type { Evidence, LabReport, LinkCount, Verdict } from "./report.ts";

export const toWire = (report: LabReport) => ({
  name: report.name,
  seed: report.seed,
  status: report.status,
  verdicts: report.verdicts.map(verdictToWire),
  boot_seconds: report.bootSeconds,
  lab_seconds: report.labSeconds,
  events: report.events,
  packets: report.packets,
  digest: report.digest,
  fingerprint: report.fingerprint,
  limit: report.limit ?? null,
  ...(report.unsettled !== undefined && { unsettled: report.unsettled }),
  loop: report.loop ? [...report.loop] : null,
  ...(report.failures && { failures: [...report.failures] }),
  transcripts: report.transcripts.map((each) => ({ ...each })),
  links: report.links.map(linkToWire),
});
export type WireReport = ReturnType<typeof toWire>;

const verdictToWire = ({ name, kind, status, expected, got, place, evidence }: Verdict) => ({
  name,
  kind,
  status,
  expected,
  got,
  place: place ? { ...place } : null,
  evidence: evidence ? evidenceToWire(evidence) : null,
});

const evidenceToWire = ({ packets, death }: Evidence) => ({
  packets: packets.map((each) => ({ ...each })),
  death: death ? { ...death } : null,
});

const linkToWire = ({ inFlight, deliveredBytes, ...counts }: LinkCount) => ({
  ...counts,
  in_flight: inFlight,
  delivered_bytes: deliveredBytes,
});

/** Reads the report of a service. */
export const fromWire = (wire: WireReport): LabReport => ({
  name: wire.name,
  seed: wire.seed,
  status: wire.status,
  verdicts: wire.verdicts.map(({ place, evidence, ...verdict }) => ({
    ...verdict,
    place: place ?? undefined,
    evidence: evidence ? { ...evidence, death: evidence.death ?? undefined } : undefined,
  })),
  bootSeconds: wire.boot_seconds,
  labSeconds: wire.lab_seconds,
  events: wire.events,
  packets: wire.packets,
  digest: wire.digest,
  fingerprint: wire.fingerprint,
  limit: wire.limit ?? undefined,
  ...(wire.unsettled !== undefined && { unsettled: wire.unsettled }),
  loop: wire.loop ?? undefined,
  ...(wire.failures && { failures: wire.failures }),
  transcripts: wire.transcripts,
  links: wire.links.map(({ in_flight: inFlight, delivered_bytes: deliveredBytes, ...counts }) => ({
    ...counts,
    inFlight,
    deliveredBytes,
  })),
});
