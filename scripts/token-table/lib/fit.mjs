/**
 * Moves the vectors of pieces so that the weighted sum of a text's pieces comes as near as it can to the text's own vector.
 *
 * That is a least-squares problem, which conjugate gradients solve: no rate of learning, no order of texts, the same result
 * each time. Pieces that are seldom met stay where they were, as far as the ridge holds them. Sums are taken by the length
 * that they have at first, so that a long text counts as much as a short one.
 *
 * @param {object} given
 * @param {readonly Int32Array[]} given.texts The pieces of each.
 * @param {Float32Array} given.targets Vectors of length 1, one after the other.
 * @param {Float32Array} given.start Where the pieces' vectors are at first.
 * @param {Float32Array} given.weights How much each piece counts.
 * @param {number} given.dims
 * @param {number} given.ridge How firmly pieces are held, in texts that each would have alone.
 * @param {number} given.steps
 * @param {(error: number) => void} [given.onStep] Told how far the gradient is from nothing, at first 1.
 * @returns {Float32Array} The pieces' vectors.
 */
export function fitVectors({ texts, targets, start, weights, dims, ridge, steps, onStep = () => {} }) {
  const vectors = Float32Array.from(start);
  const sum = new Float64Array(dims);
  const scales = texts.map((pieces) => 1 / (lengthOf(addUp(pieces, vectors, weights, dims, sum)) || 1));
  const hold = heldness(texts, weights, scales, vectors.length / dims, ridge);
  // What is left of each text's own vector, given to its pieces.
  const rest = new Float32Array(vectors.length);
  texts.forEach((pieces, index) => {
    addUp(pieces, vectors, weights, dims, sum);
    const scale = scales[index];
    for (let dim = 0; dim < dims; dim += 1) sum[dim] = targets[index * dims + dim] - sum[dim] * scale;
    giveBack(pieces, rest, weights, dims, sum, scale);
  });
  solve({ texts, weights, scales, dims, hold, rest, vectors, steps, onStep });
  return vectors;
}

function solve({ texts, weights, scales, dims, hold, rest, vectors, steps, onStep }) {
  const size = rest.length;
  const sum = new Float64Array(dims);
  const way = new Float32Array(size);
  const pull = new Float32Array(size);
  divide(way, rest, hold.diagonal, dims);
  let error = columns(rest, way, dims);
  const first = error.reduce((all, value) => all + value, 0);
  for (let step = 0; step < steps; step += 1) {
    for (let at = 0; at < size; at += 1) pull[at] = hold.ridge * way[at];
    texts.forEach((pieces, index) => {
      addUp(pieces, way, weights, dims, sum);
      for (let dim = 0; dim < dims; dim += 1) sum[dim] *= scales[index];
      giveBack(pieces, pull, weights, dims, sum, scales[index]);
    });
    const along = columns(way, pull, dims);
    const far = error.map((value, dim) => (along[dim] > 0 ? value / along[dim] : 0));
    for (let row = 0; row < size; row += dims) {
      for (let dim = 0; dim < dims; dim += 1) {
        vectors[row + dim] += far[dim] * way[row + dim];
        rest[row + dim] -= far[dim] * pull[row + dim];
      }
    }
    divide(pull, rest, hold.diagonal, dims);
    const next = columns(rest, pull, dims);
    const turn = next.map((value, dim) => (error[dim] > 0 ? value / error[dim] : 0));
    for (let row = 0; row < size; row += dims) {
      for (let dim = 0; dim < dims; dim += 1) way[row + dim] = pull[row + dim] + turn[dim] * way[row + dim];
    }
    error = next;
    onStep(error.reduce((all, value) => all + value, 0) / first);
  }
}

/** How much the texts say of each piece, and how much it is held. */
function heldness(texts, weights, scales, count, ridge) {
  const diagonal = new Float64Array(count);
  let [own, uses] = [0, 0];
  texts.forEach((pieces, index) => {
    for (const piece of pieces) {
      const share = (weights[piece] * scales[index]) ** 2;
      diagonal[piece] += share;
      own += share;
      uses += 1;
    }
  });
  const held = (ridge * own) / uses;
  return { ridge: held, diagonal: diagonal.map((value) => value + held) };
}

/** Writes each vector of `of`, less as its piece is met more, into `into`. */
function divide(into, of, diagonal, dims) {
  for (let piece = 0; piece < diagonal.length; piece += 1) {
    const share = 1 / diagonal[piece];
    for (let at = piece * dims; at < (piece + 1) * dims; at += 1) into[at] = of[at] * share;
  }
}

function addUp(pieces, vectors, weights, dims, sum) {
  sum.fill(0);
  for (const piece of pieces) {
    const weight = weights[piece];
    if (weight === 0) continue;
    const row = piece * dims;
    for (let dim = 0; dim < dims; dim += 1) sum[dim] += weight * vectors[row + dim];
  }
  return sum;
}

function giveBack(pieces, vectors, weights, dims, sum, scale) {
  for (const piece of pieces) {
    const weight = weights[piece] * scale;
    if (weight === 0) continue;
    const row = piece * dims;
    for (let dim = 0; dim < dims; dim += 1) vectors[row + dim] += weight * sum[dim];
  }
}

/** The product of two lists of vectors, for each place in a vector. */
function columns(one, other, dims) {
  const sums = new Float64Array(dims);
  for (let row = 0; row < one.length; row += dims) {
    for (let dim = 0; dim < dims; dim += 1) sums[dim] += one[row + dim] * other[row + dim];
  }
  return sums;
}

function lengthOf(vector) {
  let square = 0;
  for (const value of vector) square += value * value;
  return Math.sqrt(square);
}
