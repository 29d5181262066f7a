/** Whether eight characters of a secret in a row still stand in a text, other than what stood around it anyway. */
export function isReadable(secret: string, text: string, before: string, after: string): boolean {
  const rest = text.replace(/\[redacted:[^\]]*\]/g, "\0");
  const length = Math.min(8, secret.length);
  for (let at = 0; at + length <= secret.length; at += 1) {
    const part = secret.slice(at, at + length);
    if (rest.includes(part) && !`${before}\0${after}`.includes(part)) return true;
  }
  return false;
}
