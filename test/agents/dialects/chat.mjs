// OpenAI Chat Completions.
import { sendEvents, sendJson } from "../replies.mjs";
import { asText } from "./texts.mjs";

export const chat = {
  path: /\/chat\/completions$/,
  speak: speakChat,
  countTools: ({ tools = [] }) => tools.length,
  results: ({ messages }) => messages.filter(({ role }) => role === "tool").map(({ content }) => asText(content)),
};

function speakChat(response, body, { n, usage, streams, think, text, call }) {
  const tool = call && {
    id: `call_mock${n}`,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  };
  const finish_reason = call === undefined ? "stop" : "tool_calls";
  const whole = { id: `chatcmpl-mock${n}`, created: 1, model: body.model };
  const counts = {
    prompt_tokens: usage.input + usage.cached,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.cached + usage.output,
  };
  const said = { ...(think !== undefined && { reasoning_content: think }), content: text ?? null };
  if (!streams) {
    const message = { role: "assistant", ...said, ...(tool && { tool_calls: [tool] }) };
    const choices = [{ index: 0, message, finish_reason }];
    return sendJson(response, 200, { ...whole, object: "chat.completion", choices, usage: counts });
  }
  const deltas = [
    { role: "assistant", content: "" },
    ...(think === undefined ? [] : [{ reasoning_content: think }]),
    ...(text === undefined ? [] : [{ content: text }]),
    ...(tool === undefined ? [] : [{ tool_calls: [{ index: 0, ...tool }] }]),
  ];
  const chunk = (choices, rest) => ({ ...whole, object: "chat.completion.chunk", choices, ...rest });
  sendEvents(
    response,
    [
      ...deltas.map((delta) => chunk([{ index: 0, delta, finish_reason: null }])),
      chunk([{ index: 0, delta: {}, finish_reason }]),
      chunk([], { usage: counts }),
    ],
    { last: "data: [DONE]\n\n" },
  );
}
