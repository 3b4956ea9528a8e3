import { bind } from "../shared/edge/bind.ts";
import { requestLedger } from "../shared/store/idempotency/idempotency.ts";
import { createDrawing } from "./create-drawing.ts";
import { getDrawing, listDrawings } from "./read-drawing.ts";
import { group } from "./routes.ts";
import { deleteDrawing, updateDrawing } from "./write-drawing.ts";

export const handler = bind(
  group,
  { listDrawings, createDrawing, getDrawing, updateDrawing, deleteDrawing },
  { ledger: requestLedger },
);
