/** Some packets of a lab that was played. */
import type { ShownPacket } from "@wirelab/lab/report/report";

interface Properties {
  readonly packets: readonly ShownPacket[];
  readonly caption: string;
}

export const PacketTable = ({ packets, caption }: Properties) => (
  <table class="evidence">
    <caption>{caption}</caption>
    <thead>
      <tr>
        <th scope="col">Time</th>
        <th scope="col">Link</th>
        <th scope="col">Packet</th>
        <th scope="col">Fate</th>
      </tr>
    </thead>
    <tbody>
      {packets.map(({ at, link, from, to, summary, fate }, index) => (
        <tr key={index}>
          <td>{at.toFixed(6)} s</td>
          <td>
            {link}: {from} → {to}
          </td>
          <td>{summary}</td>
          <td>{fate}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
