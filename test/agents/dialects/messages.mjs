// Anthropic Messages.
import { sendEvents, sendJson } from "../replies.mjs";
import { asText } from "./texts.mjs";

export const messages = {
  path: /\/messages$/,
  speak: speakMessages,
  countTools: ({ tools = [] }) => tools.length,
  results: (body) =>
    body.messages
      .flatMap(({ content }) => (Array.isArray(content) ? content : []))
      .filter(({ type }) => type === "tool_result")
      .map(({ content }) => asText(content)),
};

function speakMessages(response, body, { n, usage, streams, think, text, call }) {
  const blocks = [
    ...(think === undefined ? [] : [{ type: "thinking", thinking: think, signature: `mock${n}` }]),
    ...(text === undefined ? [] : [{ type: "text", text }]),
    ...(call === undefined ? [] : [{ type: "tool_use", id: `toolu_mock${n}`, name: call.name, input: call.input }]),
  ];
  const message = { id: `msg_mock${n}`, type: "message", role: "assistant", model: body.model, stop_sequence: null };
  const stop_reason = call === undefined ? "end_turn" : "tool_use";
  const counts = {
    input_tokens: usage.input,
    cache_read_input_tokens: usage.cached,
    cache_creation_input_tokens: 0,
    output_tokens: usage.output,
  };
  if (!streams) return sendJson(response, 200, { ...message, content: blocks, stop_reason, usage: counts });
  const first = { ...message, content: [], stop_reason: null, usage: { ...counts, output_tokens: 1 } };
  sendEvents(
    response,
    [
      { type: "message_start", message: first },
      ...blocks.flatMap(blockEvents),
      { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: counts },
      { type: "message_stop" },
    ],
    { named: true },
  );
}

function blockEvents(block, index) {
  const [empty, ...deltas] = {
    text: () => [
      { ...block, text: "" },
      { type: "text_delta", text: block.text },
    ],
    thinking: () => [
      { ...block, thinking: "", signature: "" },
      { type: "thinking_delta", thinking: block.thinking },
      { type: "signature_delta", signature: block.signature },
    ],
    tool_use: () => [
      { ...block, input: {} },
      { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
    ],
  }[block.type]();
  return [
    { type: "content_block_start", index, content_block: empty },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}
