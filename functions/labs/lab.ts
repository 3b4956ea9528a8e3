/** Code that is loaded with the first lab. */
export { checkGuests } from "../shared/lab-file/check-guests.ts";
export { ANY_IMAGE, hasGuests } from "../shared/lab-file/lab-guests.ts";
export { playCases } from "../shared/lab-file/play-cases.ts";
export { playLabFile } from "../shared/lab-file/play-lab-file.ts";
export { readModel } from "../shared/lab-file/read-model.ts";
export { casesOfBatch, countCases } from "../shared/lab-file/sweep-cases.ts";
