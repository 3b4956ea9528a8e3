/** The largest packet of the network card. The guest's kernel reads it when it boots, and makes its buffers for it. */
export const CARD_MTU_BYTES = 9_216;
