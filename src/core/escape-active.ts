/** JSON with what a terminal would act on, and what nobody sees, as escapes, which leaves its value the same. */
export function escapeActive(json: string): string {
  return json.replace(ACTIVE, (char) =>
    char
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

// Delete and C1 controls, what Unicode shows as nothing or turns around, line and paragraph separators, interlinear marks;
// JSON itself escapes C0 only.
const ACTIVE = /[\u007f-\u009f\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;
