/** What the script that builds the token table reaches inside for; `build.mjs` bundles it. */
export { buildMiniLmOnnx } from "../../src/vectors/minilm/onnx.ts";
export { writeTokenTable } from "../../src/vectors/token-table.ts";
export { createVocabulary, layOutVocabulary } from "../../src/vectors/vocabulary.ts";
export { createWordPieces } from "../../src/vectors/wordpiece.ts";
