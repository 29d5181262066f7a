import { estimateTokens } from "../../src/core/text.ts";
import type { Briefings, BriefReply } from "../../src/service/briefing-api.ts";

/** Says the same of every project but one whose folder ends in `/empty`, and recalls what is asked with `why`. */
export function fakeBriefings(log: (method: keyof Briefings, request: unknown) => void): Briefings {
  return {
    async brief(request) {
      log("brief", request);
      return request.folder.endsWith("/empty") ? told("") : told(BRIEF);
    },
    async recallForPrompt(request) {
      log("recallForPrompt", request);
      return /\bwhy\b/i.test(request.prompt) ? told(RECALLED) : told("");
    },
    async recallForTool(request) {
      log("recallForTool", request);
      return (request.files ?? []).length > 0 ? told(RECALLED) : told("");
    },
  };
}

const BRIEF =
  "# Earlier work in shop\n\n## Decided and preferred\n\n- Tokens live 15 minutes (decision; 2026-11-20) [aaaaaaaaaaaa]\n";
const RECALLED = "- Tokens live 15 minutes (decision; 2026-11-20) [aaaaaaaaaaaa]\n";

function told(text: string): BriefReply {
  const title = "Tokens live 15 minutes";
  return {
    text,
    tokens: estimateTokens(text),
    items: text === "" ? [] : [{ id: "aaaaaaaaaaaa", kind: "memory", title }],
    trace: {
      filters: [],
      considered: 1,
      candidates: text === "" ? [] : [{ id: "aaaaaaaaaaaa", title, signals: { source: "memory" }, outcome: "shown" }],
    },
  };
}
