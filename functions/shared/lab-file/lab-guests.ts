/** Linux nodes of a lab file, where it is read and they do not run. */
import type { LabModel } from "@wirelab/lab/model/lab-model";
import type { Guests } from "@wirelab/lab/read/guests";

export const ANY_IMAGE: Guests = {
  problemOf: () => undefined,
  makeDevice({ name }) {
    throw new Error(`${name}: Linux nodes run in the function guests`);
  },
};

/** Returns the images of the Linux nodes, one for each node. */
export const imagesOf = ({ nodes }: LabModel): string[] =>
  nodes.flatMap(({ spec }) => (spec?.type === "linux" ? [spec.image] : []));

export const hasGuests = (model: LabModel): boolean => imagesOf(model).length > 0;
