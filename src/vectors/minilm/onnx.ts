import { YoreError } from "../../core/errors.ts";
import { bytes, float, int, join, type Message, message, text } from "./protobuf.ts";
import { readSafetensors, type Tensor } from "./safetensors.ts";

/** What the network takes: whole numbers (64 bits) of the shape [texts, tokens]. A mask is 1 where there is a token. */
export const ONNX_INPUTS = { ids: "input_ids", mask: "attention_mask" } as const;
/** What it gives: a vector of length 1 for each text. */
export const ONNX_OUTPUT = "sentence_embedding";

export interface OnnxOptions {
  /**
   * `int8` takes a quarter of the room and a fifth of the time, and gives vectors that differ a little (the cosine to
   * those of `float` is about 0.99).
   */
  readonly precision: "float" | "int8";
}

/** Numbers that each head looks at. */
const HEAD_WIDTH = 32;
const EPSILON = 1e-12;
/** What ONNX Runtime adds to the operators of the standard. */
const RUNTIME_OPERATORS = "com.microsoft";
const STANDARD_VERSION = 17;

const FLOAT = 1;
const INT8 = 3;
const INT32 = 6;
const INT64 = 7;

/**
 * Makes of the weights of all-MiniLM-L6-v2 a network that ONNX Runtime can run: the encoder of BERT, the mean of its tokens,
 * and length 1. Same weights, same bytes. Throws a YoreError where a tensor is missing or has another shape.
 */
export function buildMiniLmOnnx(safetensors: Uint8Array, { precision }: OnnxOptions): Uint8Array {
  const tensors = readSafetensors(safetensors);
  const [vocabulary = 0, width = 0] = tensors.get(WORDS)?.shape ?? [];
  const layers = [...tensors.keys()].filter((name) => name.endsWith(".attention.self.query.weight")).length;
  const graph = new Graph();
  const weights = (name: string, shape: readonly number[]): Float32Array => floatsOf(tensors, name, shape);
  const vector = (name: string, size = width): string => graph.floats(name, [size], weights(name, [size]));
  const dense = (input: string, names: readonly string[], from: number, to: number): string => {
    const matrix = transposed(
      names.map((name) => weights(`${name}.weight`, [to, from])),
      from,
      to,
    );
    const bias = concatenated(names.map((name) => weights(`${name}.bias`, [to])));
    const columns = to * names.length;
    const called = names.length === 1 ? (names[0] ?? "") : `${names[0]}+`;
    const biasName = graph.floats(`${called}.bias`, [columns], bias);
    if (precision === "float") {
      const product = graph.node("MatMul", [input, graph.floats(`${called}.weight`, [from, columns], matrix)]);
      return graph.node("Add", [product, biasName]);
    }
    const { values, scales } = quantised(matrix, from, columns);
    const matrixName = graph.int8(`${called}.weight`, [from, columns], values);
    const scaleName = graph.floats(`${called}.scale`, [columns], scales);
    return graph.node("DynamicQuantizeMatMul", [input, matrixName, scaleName, "", biasName], [], RUNTIME_OPERATORS);
  };
  const normalised = (input: string, name: string): string =>
    graph.node(
      "LayerNormalization",
      [input, vector(`${name}.weight`), vector(`${name}.bias`)],
      [intAttribute("axis", -1), floatAttribute("epsilon", EPSILON)],
    );

  const positions = positionTable(tensors, width);
  const shape = graph.node("Shape", [ONNX_INPUTS.ids]);
  const one = graph.int64("one", [1]);
  const count = graph.node("Slice", [shape, one, graph.int64("two", [2])]);
  const place = graph.node("Slice", [
    graph.floats("positions", [positions.length / width, width], positions),
    graph.int64("zero", [0]),
    count,
  ]);
  const words = weights(WORDS, [vocabulary, width]);
  let hidden = normalised(graph.node("Add", [lookedUp(graph, words, width, precision), place]), "embeddings.LayerNorm");
  const keyMask = graph.node("Cast", [ONNX_INPUTS.mask], [intAttribute("to", INT32)]);
  for (let layer = 0; layer < layers; layer += 1) {
    const name = `encoder.layer.${layer}`;
    const self = ["query", "key", "value"].map((part) => `${name}.attention.self.${part}`);
    const [query = "", key = "", value = ""] = graph.nodes("Split", [dense(hidden, self, width, width)], 3, [
      intAttribute("axis", -1),
    ]);
    const attended = graph.node(
      "MultiHeadAttention",
      [query, key, value, "", keyMask],
      [intAttribute("num_heads", width / HEAD_WIDTH)],
      RUNTIME_OPERATORS,
    );
    const seen = dense(attended, [`${name}.attention.output.dense`], width, width);
    const between = normalised(graph.node("Add", [seen, hidden]), `${name}.attention.output.LayerNorm`);
    const wide = dense(between, [`${name}.intermediate.dense`], width, width * 4);
    const active = graph.node("Gelu", [wide], [], RUNTIME_OPERATORS);
    const narrow = dense(active, [`${name}.output.dense`], width * 4, width);
    hidden = normalised(graph.node("Add", [narrow, between]), `${name}.output.LayerNorm`);
  }
  const mask = graph.node("Unsqueeze", [
    graph.node("Cast", [ONNX_INPUTS.mask], [intAttribute("to", FLOAT)]),
    graph.int64("last", [-1]),
  ]);
  const sum = graph.node("ReduceSum", [graph.node("Mul", [hidden, mask]), one], [intAttribute("keepdims", 0)]);
  graph.node("LpNormalization", [sum], [intAttribute("axis", -1), intAttribute("p", 2)], "", ONNX_OUTPUT);
  return graph.model();
}

/** The words' vectors are most of the weights; as bytes they have a scale each. */
function lookedUp(graph: Graph, words: Float32Array, width: number, precision: OnnxOptions["precision"]): string {
  const count = words.length / width;
  if (precision === "float") {
    return graph.node("Gather", [graph.floats("words", [count, width], words), ONNX_INPUTS.ids]);
  }
  const values = new Int8Array(words.length);
  const scales = new Float32Array(count);
  for (let row = 0; row < count; row += 1) {
    let top = 0;
    for (let at = row * width; at < (row + 1) * width; at += 1) top = Math.max(top, Math.abs(words[at] ?? 0));
    const scale = top === 0 ? 1 : top / 127;
    scales[row] = scale;
    for (let at = row * width; at < (row + 1) * width; at += 1) values[at] = Math.round((words[at] ?? 0) / scale);
  }
  const numbers = graph.node("Gather", [graph.int8("words", [count, width], values), ONNX_INPUTS.ids]);
  const scale = graph.node("Gather", [graph.floats("words.scale", [count, 1], scales), ONNX_INPUTS.ids]);
  return graph.node("Mul", [graph.node("Cast", [numbers], [intAttribute("to", FLOAT)]), scale]);
}

const WORDS = "embeddings.word_embeddings.weight";

/** What is added to each word's vector by its place. All texts are of the first kind, whose vector goes in here. */
function positionTable(tensors: ReadonlyMap<string, Tensor>, width: number): Float32Array {
  const name = "embeddings.position_embeddings.weight";
  const table = floatsOf(tensors, name, [tensors.get(name)?.shape[0] ?? 0, width]);
  const kind = floatsOf(tensors, "embeddings.token_type_embeddings.weight", [2, width]);
  return table.map((value, at) => value + (kind[at % width] ?? 0));
}

function floatsOf(tensors: ReadonlyMap<string, Tensor>, name: string, shape: readonly number[]): Float32Array {
  const tensor = tensors.get(name);
  const floats = tensor?.shape.join() === shape.join() ? tensor.floats() : undefined;
  if (floats === undefined || floats.length !== shape.reduce((product, size) => product * size, 1)) {
    throw new YoreError(
      "unreadable",
      `The weights of all-MiniLM-L6-v2 were expected; ${name} is missing or has another shape.`,
    );
  }
  return floats;
}

/** Weights are kept as [outputs, inputs], for several matrices one after the other; they are used as [inputs, outputs]. */
function transposed(matrices: readonly Float32Array[], from: number, to: number): Float32Array {
  const columns = to * matrices.length;
  const turned = new Float32Array(from * columns);
  matrices.forEach((matrix, index) => {
    for (let row = 0; row < to; row += 1) {
      for (let at = 0; at < from; at += 1) turned[at * columns + index * to + row] = matrix[row * from + at] ?? 0;
    }
  });
  return turned;
}

function concatenated(parts: readonly Float32Array[]): Float32Array {
  return Float32Array.from(parts.flatMap((part) => [...part]));
}

/** One scale for each column. */
function quantised(matrix: Float32Array, rows: number, columns: number): { values: Int8Array; scales: Float32Array } {
  const scales = new Float32Array(columns);
  for (let at = 0; at < matrix.length; at += 1) {
    const column = at % columns;
    scales[column] = Math.max(scales[column] ?? 0, Math.abs(matrix[at] ?? 0) / MAX_WEIGHT);
  }
  const values = new Int8Array(rows * columns);
  for (let at = 0; at < matrix.length; at += 1)
    values[at] = Math.round((matrix[at] ?? 0) / (scales[at % columns] || 1));
  return { values, scales };
}

/** Processors without instructions for networks add two products in 16 bits, which a larger weight would overflow. */
const MAX_WEIGHT = 63;

class Graph {
  readonly #nodes: Uint8Array[] = [];
  readonly #constants: Uint8Array[] = [];

  node(operator: string, inputs: readonly string[], attributes: Message = [], domain = "", output?: string): string {
    return this.nodes(operator, inputs, 1, attributes, domain, output)[0] ?? "";
  }

  /** An operator of several outputs. They are named after their place among the nodes. */
  nodes(
    operator: string,
    inputs: readonly string[],
    count: number,
    attributes: Message = [],
    domain = "",
    output = `${operator}.${this.#nodes.length}`,
  ): readonly string[] {
    const outputs = count === 1 ? [output] : Array.from({ length: count }, (_, at) => `${output}.${at}`);
    this.#nodes.push(
      message(1, [
        ...inputs.map((input) => text(1, input)),
        ...outputs.map((name) => text(2, name)),
        text(4, operator),
        ...attributes,
        text(7, domain),
      ]),
    );
    return outputs;
  }

  floats(name: string, shape: readonly number[], values: Float32Array): string {
    return this.#constant(name, shape, FLOAT, new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  }

  int8(name: string, shape: readonly number[], values: Int8Array): string {
    return this.#constant(name, shape, INT8, new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  }

  int64(name: string, values: readonly number[]): string {
    const numbers = BigInt64Array.from(values, BigInt);
    return this.#constant(name, [values.length], INT64, new Uint8Array(numbers.buffer));
  }

  model(): Uint8Array {
    const graph = [
      ...this.#nodes,
      text(2, "all-MiniLM-L6-v2"),
      ...this.#constants,
      ...Object.values(ONNX_INPUTS).map((name) => value(11, name, INT64, ["texts", "tokens"])),
      value(12, ONNX_OUTPUT, FLOAT, ["texts", "numbers"]),
    ];
    return join([
      int(1, 8),
      text(2, "yore"),
      message(7, graph),
      message(8, [text(1, ""), int(2, STANDARD_VERSION)]),
      message(8, [text(1, RUNTIME_OPERATORS), int(2, 1)]),
    ]);
  }

  #constant(name: string, shape: readonly number[], type: number, raw: Uint8Array): string {
    this.#constants.push(
      message(5, [...shape.map((size) => int(1, size)), int(2, type), text(8, name), bytes(9, raw)]),
    );
    return name;
  }
}

/** An input or output of the network. Sizes that have a name differ from call to call. */
function value(field: number, name: string, type: number, shape: readonly (string | number)[]): Uint8Array {
  const sizes = shape.map((size) => message(1, [typeof size === "string" ? text(2, size) : int(1, size)]));
  return message(field, [text(1, name), message(2, [message(1, [int(1, type), message(2, sizes)])])]);
}

function intAttribute(name: string, given: number): Uint8Array {
  return message(5, [text(1, name), int(3, given), int(20, 2)]);
}

function floatAttribute(name: string, given: number): Uint8Array {
  return message(5, [text(1, name), float(2, given), int(20, 1)]);
}
