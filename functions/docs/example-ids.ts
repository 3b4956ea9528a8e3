/** Ids that the examples share, so that they describe one lab. */
export const PROJECT = "5f0c7a44-0d1b-4b7e-9f7a-8e3c0a6d0c01";
export const PC1 = "0b4f1a52-6f0e-4f3c-9a57-3f6d3f5c1a01";
export const PC2 = "0b4f1a52-6f0e-4f3c-9a57-3f6d3f5c1a02";
export const LINK = "7d0e2c61-52f4-4c0d-8f39-2f6f9f3b2b01";
export const DRAWING = "c1d7b2f4-88a6-4d0e-9d0c-51b0f3a4e601";
export const TEMPLATE = "19021f99-e36f-394d-b4a1-8aaa902ab9cc";
export const SNAPSHOT = "3f1d9f0e-5a53-4a2b-8a11-7d0f6f2b9a01";
export const DELETION = "9a6d4c1e-3b57-4f0a-8c52-6e1f7a2b4d01";
export const CAPTURE = "58c61252-27a6-4fde-bdc1-2d15a88781dc";
