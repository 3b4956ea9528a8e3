/** Plots over the time of a lab: pings, and one link's throughput, loss and packets under way; the same as tables. */
import { useState } from "preact/hooks";
import { Plot } from "./plot.tsx";
import { type RoundTrip, toMs } from "./round-trips.ts";
import type { Timeline, TimelineLink } from "./timeline.ts";

const NS_PER_SECOND = 1e9;
const PERCENT = 100;
/** A table has every bin in which something happened, up to so many. */
const MOST_ROWS = 200;

interface Properties {
  readonly timeline: Timeline;
  /** The chosen time, from 0 to 1. */
  readonly atShare: number;
}

const seconds = (ns: number): string => `${(ns / NS_PER_SECOND).toFixed(3)} s`;
const lossPct = ({ entered, lost }: TimelineLink): number[] =>
  entered.map((count, bin) => (count === 0 ? 0 : (PERCENT * lost[bin]!) / count));

export const PlotsView = ({ timeline, atShare }: Properties) => {
  const { links, pings, endNs, binNs } = timeline;
  const [chosen, setChosen] = useState("");
  const link = links.find(({ name }) => name === chosen) ?? busiest(links);
  const replied = pings.flatMap(({ atNs, rttNs }) => (rttNs === null ? [] : [{ atNs, rttNs }]));
  const lost = pings.length - replied.length;
  const bits = (values: readonly number[]) => values.map((bytes) => (8 * bytes * NS_PER_SECOND) / binNs);
  return (
    <section class="plots" aria-label="Plots">
      {link && (
        <label class="plots-link">
          Link
          <select value={link.name} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
            {links.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <div class="plots-grid">
        {pings.length > 0 && (
          <Plot
            title={`Round trips of ${pings.length} pings${lost > 0 ? `, ${lost} without a reply` : ""}`}
            unit="ms"
            dots={replied.map(({ atNs, rttNs }) => ({ share: atNs / endNs, value: toMs(rttNs) }))}
            atShare={atShare}
          />
        )}
        {link && (
          <>
            <Plot
              title="Throughput"
              unit="bit/s"
              lines={link.directions.map(({ from, to, bytes }) => ({
                name: `${from} → ${to}`,
                values: bits(bytes),
              }))}
              atShare={atShare}
            />
            <Plot
              title="Loss"
              unit="%"
              lines={[{ name: link.name, values: lossPct(link) }]}
              atShare={atShare}
            />
            <Plot
              title="Packets queued or on the wire"
              unit=""
              lines={link.directions.map(({ from, to, underWay }) => ({
                name: `${from} → ${to}`,
                values: underWay,
              }))}
              atShare={atShare}
            />
          </>
        )}
      </div>
      <details>
        <summary>The plots as tables</summary>
        {pings.length > 0 && <PingTable pings={pings} />}
        {link && <LinkTable link={link} binNs={binNs} />}
      </details>
    </section>
  );
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function busiest(links: readonly TimelineLink[]): TimelineLink | undefined {
  return links.toSorted((a, b) => sum(b.bytes) - sum(a.bytes))[0];
}

const PingTable = ({ pings }: { readonly pings: readonly RoundTrip[] }) => (
  <table class="evidence">
    <caption>Pings</caption>
    <thead>
      <tr>
        <th scope="col">Time</th>
        <th scope="col">From</th>
        <th scope="col">To</th>
        <th scope="col">Round trip</th>
      </tr>
    </thead>
    <tbody>
      {pings.slice(0, MOST_ROWS).map(({ atNs, from, to, rttNs }, index) => (
        <tr key={index}>
          <td>{seconds(atNs)}</td>
          <td>{from}</td>
          <td>{to}</td>
          <td>{rttNs === null ? "no reply" : `${toMs(rttNs).toFixed(3)} ms`}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const LinkTable = ({ link, binNs }: { readonly link: TimelineLink; readonly binNs: number }) => {
  const loss = lossPct(link);
  const bins = link.entered
    .map((_, bin) => bin)
    .filter(
      (bin) =>
        link.entered[bin]! > 0 ||
        link.directions.some(({ bytes, underWay }) => bytes[bin]! > 0 || underWay[bin]! > 0),
    );
  return (
    <table class="evidence">
      <caption>
        {link.name}, each {seconds(binNs)} in which something happened
      </caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          {link.directions.map(({ from, to }) => (
            <th key={from} scope="col">
              {from} → {to}: bytes that arrived, packets under way
            </th>
          ))}
          <th scope="col">Loss</th>
        </tr>
      </thead>
      <tbody>
        {bins.slice(0, MOST_ROWS).map((bin) => (
          <tr key={bin}>
            <td>{seconds(bin * binNs)}</td>
            {link.directions.map(({ from, bytes, underWay }) => (
              <td key={from}>
                {bytes[bin]}, {underWay[bin]}
              </td>
            ))}
            <td>{loss[bin]!.toFixed(0)} %</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
