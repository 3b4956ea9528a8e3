/** A lab of a test: the data of a lab file, played when a matcher asks. */
import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { parseYaml } from "@wirelab/lab/file/parse-yaml";
import type { LabModel } from "@wirelab/lab/model/lab-model";
import { readLab } from "@wirelab/lab/read/read-lab";
import type { LabReport } from "@wirelab/lab/report/report";
import { runLab } from "@wirelab/lab/run-lab";
import { readTopologyFile } from "@wirelab/lab/topology/read-topology";
import { makeGuests } from "../guests.ts";
import type { EventSpec, Lab, LabSpec } from "./types.ts";

interface Origin {
  readonly name: string;
  /** Files that the lab names are relative to it. */
  readonly folder: string;
}

export class TestLab implements Lab {
  readonly #data: LabSpec;
  readonly #origin: Origin;

  constructor(data: LabSpec, origin: Origin) {
    this.#data = data;
    this.#origin = origin;
  }

  run(...events: readonly EventSpec[]): TestLab {
    return new TestLab({ ...this.#data, run: [...(this.#data.run ?? []), ...events] }, this.#origin);
  }

  report(): LabReport {
    return runLab(this.model());
  }

  /** @param expectation instead of those of the file. @throws LabFileError */
  model(expectation?: Readonly<Record<string, unknown>>): LabModel {
    const { name, folder } = this.#origin;
    const load = (file: string): Uint8Array => readFileSync(resolve(folder, file));
    return readLab(expectation ? { ...this.#data, expect: [expectation] } : this.#data, {
      name,
      guests: makeGuests(),
      load,
      loadTopology: (file) => readTopologyFile(file, load(file)),
    });
  }
}

/** @param folder of the test: a file's name is relative to it. @throws LabFileError */
export function openLab(source: LabSpec | string, folder: string): TestLab {
  if (typeof source !== "string") return new TestLab(source, { name: "lab", folder });
  const file = resolve(folder, source);
  const { data } = parseYaml(readFileSync(file, "utf8"), source);
  return new TestLab(data as LabSpec, {
    name: basename(file).replace(/(\.lab)?\.(ya?ml|json)$/, ""),
    folder: dirname(file),
  });
}
