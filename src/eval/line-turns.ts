/** Which observation a line of a transcript belongs to. */
export class LineTurns {
  readonly #files = new Map<string, { readonly bytes: number[]; readonly observations: string[] }>();

  /** Of a message: the lines from there on. Messages of a file come in order. */
  add(path: string, byte: number, observation: string): void {
    const file = this.#files.get(path) ?? { bytes: [], observations: [] };
    this.#files.set(path, file);
    if (file.observations.at(-1) === observation || byte < (file.bytes.at(-1) ?? 0)) return;
    file.bytes.push(byte);
    file.observations.push(observation);
  }

  at(path: string, byte: number): string | undefined {
    const file = this.#files.get(path);
    if (file === undefined) return undefined;
    let [low, high] = [0, file.bytes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((file.bytes[middle] ?? 0) <= byte) low = middle + 1;
      else high = middle;
    }
    return file.observations[low - 1];
  }
}
