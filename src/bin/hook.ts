/** `yore hook`: never throws. */
export function runHook(argv: readonly string[]): void {
  void argv;
}
