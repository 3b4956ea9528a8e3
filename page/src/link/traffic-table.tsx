/** What a link has carried since it was made, for each direction. */
import type { LinkTraffic } from "../lab/traffic.ts";
import { byteWords, isIdle, lossWords, packetWords } from "../lab/traffic.ts";

interface TrafficTableProps {
  readonly traffic: LinkTraffic | undefined;
  /** The names of the devices at its first and second end. */
  readonly ends: readonly [string, string];
}

export const TrafficTable = ({ traffic, ends: [a, b] }: TrafficTableProps) => {
  if (traffic === undefined) return null;
  const { a_to_b, b_to_a } = traffic.counters;
  if (isIdle(traffic.counters)) return <p class="facts counts">No packets yet</p>;
  const directions = [a_to_b, b_to_a];
  return (
    <table class="traffic">
      <caption class="hidden">Packets since the link was made</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">
            {a} → {b}
          </th>
          <th scope="col">
            {b} → {a}
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">Sent</th>
          {directions.map(({ in: sent }, index) => (
            <Cell key={index} first={packetWords(sent.packets)} second={byteWords(sent.bytes)} />
          ))}
        </tr>
        <tr>
          <th scope="row">Delivered</th>
          {directions.map(({ delivered }, index) => (
            <Cell key={index} first={packetWords(delivered.packets)} second={byteWords(delivered.bytes)} />
          ))}
        </tr>
        <tr>
          <th scope="row">Lost</th>
          {directions.map((carried, index) => (
            <Cell
              key={index}
              first={packetWords(carried.dropped.packets)}
              second={lossWords(carried)}
              isLoss={carried.dropped.packets > 0}
            />
          ))}
        </tr>
      </tbody>
    </table>
  );
};

interface CellProps {
  readonly first: string;
  readonly second: string;
  readonly isLoss?: boolean;
}

const Cell = ({ first, second, isLoss = false }: CellProps) => (
  <td class={isLoss ? "lost" : ""}>
    {first}
    <span class="hidden">, </span>
    <br />
    {second}
  </td>
);
