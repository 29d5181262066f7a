/** `12,034`. Written out because building an Intl formatter takes longer than a search. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 session`, `12,034 sessions`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

/** `950`, `12.3 k`, `1.2 M`. */
export function rounded(count: number): string {
  return scaled(count, 1000, ["", " k", " M", " G"]);
}

/** `512 B`, `3.2 MB`. */
export function bytes(count: number): string {
  return scaled(count, 1000, [" B", " kB", " MB", " GB", " TB"]);
}

/** `0.42 s`, `3.1 s`, `75 s`. */
export function seconds(count: number): string {
  return `${count.toFixed(count < 1 ? 2 : count < 10 ? 1 : 0)} s`;
}

function scaled(count: number, step: number, units: readonly string[]): string {
  let value = count;
  let unit = 0;
  // 999.95 would be shown as 1000.0.
  while (value >= step - 0.05 && unit < units.length - 1) {
    value /= step;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)}${units[unit] ?? ""}`;
}
