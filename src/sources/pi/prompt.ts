/**
 * What a person typed, of a prompt that Pi filled in: `/skill:<name>` in place of the skill's text, `@<path>` in place
 * of each file named on the command line.
 */
export function typedText(prompt: string): string {
  const skill = SKILL.exec(prompt);
  if (skill !== null)
    return [`/skill:${skill[1] ?? ""}`, skill[3]?.trim() ?? ""].filter((part) => part !== "").join(" ");
  const names: string[] = [];
  let rest = prompt;
  for (let file = FILE.exec(rest); file !== null; file = FILE.exec(rest)) {
    names.push(`@${file[1] ?? ""}`);
    rest = rest.slice(file[0].length);
  }
  return [names.join(" "), rest.trim()].filter((part) => part !== "").join("\n");
}

const SKILL = /^<skill name="([^"]+)" location="[^"]*">\n([\s\S]*?)\n<\/skill>(?:\n\n([\s\S]+))?$/;
const FILE = /^<file name="([^"]+)">[\s\S]*?<\/file>\n?/;
