/**
 * Where a cloud of vectors lies and in which directions it is widest, the widest first: what it takes to say each vector in
 * fewer numbers. Vectors lie one after the other.
 *
 * @param {Float32Array} vectors
 * @param {number} dims Numbers of a vector.
 * @param {number} count How many directions.
 * @returns {{ mean: Float64Array, axes: Float64Array[], shares: number[] }} `shares` of the whole spread, for each direction.
 */
export function principalComponents(vectors, dims, count) {
  const rows = vectors.length / dims;
  const mean = new Float64Array(dims);
  for (let at = 0; at < vectors.length; at += 1) mean[at % dims] += vectors[at] / rows;
  const { values, axes } = eigen(covariance(vectors, mean, dims), dims);
  const order = Array.from(values.keys()).sort((one, other) => values[other] - values[one] || one - other);
  const whole = values.reduce((sum, value) => sum + value, 0);
  const chosen = order.slice(0, count);
  return {
    mean,
    axes: chosen.map((column) => upright(Float64Array.from({ length: dims }, (_, row) => axes[row * dims + column]))),
    shares: chosen.map((column) => values[column] / whole),
  };
}

/** Each vector, from the mean, by its places along the axes. */
export function project(vectors, dims, { mean, axes }) {
  const rows = vectors.length / dims;
  const projected = new Float32Array(rows * axes.length);
  const centred = new Float64Array(dims);
  for (let row = 0; row < rows; row += 1) {
    for (let dim = 0; dim < dims; dim += 1) centred[dim] = vectors[row * dims + dim] - mean[dim];
    axes.forEach((axis, index) => {
      let sum = 0;
      for (let dim = 0; dim < dims; dim += 1) sum += centred[dim] * axis[dim];
      projected[row * axes.length + index] = sum;
    });
  }
  return projected;
}

function covariance(vectors, mean, dims) {
  const rows = vectors.length / dims;
  const matrix = new Float64Array(dims * dims);
  const centred = new Float64Array(dims);
  for (let row = 0; row < rows; row += 1) {
    for (let dim = 0; dim < dims; dim += 1) centred[dim] = vectors[row * dims + dim] - mean[dim];
    for (let one = 0; one < dims; one += 1) {
      const factor = centred[one] / rows;
      for (let other = one; other < dims; other += 1) matrix[one * dims + other] += factor * centred[other];
    }
  }
  for (let one = 0; one < dims; one += 1) {
    for (let other = 0; other < one; other += 1) matrix[one * dims + other] = matrix[other * dims + one];
  }
  return matrix;
}

const SWEEPS = 20;

/** Jacobi's method: turns a symmetric matrix, two of its axes at a time, until nothing is left beside the diagonal. */
function eigen(matrix, dims) {
  const axes = new Float64Array(dims * dims);
  for (let dim = 0; dim < dims; dim += 1) axes[dim * dims + dim] = 1;
  let whole = 0;
  for (const value of matrix) whole += value * value;
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    let beside = 0;
    for (let one = 0; one < dims; one += 1) {
      for (let other = one + 1; other < dims; other += 1) beside += 2 * matrix[one * dims + other] ** 2;
    }
    if (beside < whole * 1e-20) break;
    for (let one = 0; one < dims; one += 1) {
      for (let other = one + 1; other < dims; other += 1) turn(matrix, axes, dims, one, other);
    }
  }
  return { values: Array.from({ length: dims }, (_, dim) => matrix[dim * dims + dim]), axes };
}

function turn(matrix, axes, dims, one, other) {
  const between = matrix[one * dims + other];
  if (between === 0) return;
  const ratio = (matrix[other * dims + other] - matrix[one * dims + one]) / (2 * between);
  const tangent = Math.sign(ratio || 1) / (Math.abs(ratio) + Math.sqrt(ratio * ratio + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  for (let dim = 0; dim < dims; dim += 1) {
    const left = matrix[dim * dims + one];
    const right = matrix[dim * dims + other];
    matrix[dim * dims + one] = cosine * left - sine * right;
    matrix[dim * dims + other] = sine * left + cosine * right;
  }
  for (let dim = 0; dim < dims; dim += 1) {
    const left = matrix[one * dims + dim];
    const right = matrix[other * dims + dim];
    matrix[one * dims + dim] = cosine * left - sine * right;
    matrix[other * dims + dim] = sine * left + cosine * right;
  }
  for (let dim = 0; dim < dims; dim += 1) {
    const left = axes[dim * dims + one];
    const right = axes[dim * dims + other];
    axes[dim * dims + one] = cosine * left - sine * right;
    axes[dim * dims + other] = sine * left + cosine * right;
  }
}

/** An axis and its opposite are the same; the one whose largest number is above zero is taken. */
function upright(axis) {
  const largest = axis.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
  return largest < 0 ? axis.map((value) => -value) : axis;
}
