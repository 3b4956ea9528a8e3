/** A choice of one of the ports of a device. */
import type { Port } from "../api/types.ts";

interface PortSelectProps {
  readonly name: string;
  readonly label: string;
  readonly ports: readonly Port[];
}

export const PortSelect = ({ name, label, ports }: PortSelectProps) => (
  <label>
    {label}
    <select name={name}>
      {ports.map((port) => (
        <option key={port.name} value={`${port.adapter_number}/${port.port_number}`}>
          {port.name}
        </option>
      ))}
    </select>
  </label>
);

/** The port that is chosen in a form. */
export const readPort = (text: unknown) => {
  const [adapter_number, port_number] = String(text).split("/").map(Number);
  return { adapter_number: adapter_number!, port_number: port_number! };
};
