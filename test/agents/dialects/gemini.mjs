// Gemini generateContent.
import { sendEvents, sendJson } from "../replies.mjs";
import { asText } from "./texts.mjs";

export const gemini = {
  path: /enerateContent$/,
  speak: speakGemini,
  countTools: ({ tools = [] }) => tools.flatMap((tool) => tool.functionDeclarations ?? []).length,
  results: ({ contents }) =>
    contents.flatMap(({ parts }) => parts.flatMap((part) => part.functionResponse ?? [])).map(asText),
  streams: (path) => path.includes(":stream"),
};

function speakGemini(response, _, { n, usage, streams, think, text, call }) {
  const parts = [
    ...(think === undefined ? [] : [{ text: `**Lamp**\n${think}`, thought: true }]),
    ...(text === undefined ? [] : [{ text }]),
    ...(call === undefined ? [] : [{ functionCall: { id: `call_mock${n}`, name: call.name, args: call.input } }]),
  ];
  const usageMetadata = {
    promptTokenCount: usage.input + usage.cached,
    cachedContentTokenCount: usage.cached,
    candidatesTokenCount: usage.output,
    totalTokenCount: usage.input + usage.cached + usage.output,
  };
  const reply = {
    candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
    usageMetadata,
    modelVersion: "mock",
    responseId: `mock${n}`,
  };
  if (streams) sendEvents(response, [reply]);
  else sendJson(response, 200, reply);
}
