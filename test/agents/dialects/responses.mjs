// OpenAI Responses.
import { sendEvents, sendJson } from "../replies.mjs";
import { asText } from "./texts.mjs";

export const responses = {
  path: /\/responses$/,
  speak: speakResponses,
  countTools,
  results: ({ input }) => input.filter(({ type }) => /_call_output$/.test(type)).map(({ output }) => asText(output)),
};

/** Tools stand beside the input or, for models that call them from code, in it. */
function countTools({ tools = [], input }) {
  const within = Array.isArray(input) ? input.filter(({ type }) => type === "additional_tools") : [];
  return tools.length + 2 * within.length;
}

function speakResponses(response, body, { n, usage, streams, think, text, call }) {
  const items = [
    ...(think === undefined ? [] : [reasoningItem(n, think)]),
    ...(text === undefined ? [] : [messageItem(n, text)]),
    ...(call === undefined ? [] : [callItem(n, call)]),
  ];
  const counts = {
    input_tokens: usage.input + usage.cached,
    input_tokens_details: { cached_tokens: usage.cached },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.input + usage.cached + usage.output,
  };
  const whole = { id: `resp_mock${n}`, object: "response", created_at: 1, model: body.model, status: "completed" };
  const done = { ...whole, output: items, usage: counts };
  if (!streams) return sendJson(response, 200, done);
  const events = [
    { type: "response.created", response: { ...whole, status: "in_progress", output: [] } },
    ...items.flatMap(itemEvents),
    { type: "response.completed", response: done },
  ];
  sendEvents(
    response,
    events.map((event, sequence_number) => ({ ...event, sequence_number })),
    { named: true },
  );
}

function reasoningItem(n, think) {
  return {
    type: "reasoning",
    id: `rs_mock${n}`,
    summary: [{ type: "summary_text", text: think }],
    encrypted_content: "",
  };
}

function messageItem(n, text) {
  const content = [{ type: "output_text", text, annotations: [] }];
  return { type: "message", id: `msg_mock${n}`, role: "assistant", status: "completed", content };
}

/** An input that is text makes the call of a free-form tool. */
function callItem(n, { name, namespace, input }) {
  const named = { id: `fc_mock${n}`, call_id: `call_mock${n}`, name, status: "completed" };
  if (typeof input === "string") return { type: "custom_tool_call", ...named, input };
  return {
    type: "function_call",
    ...named,
    arguments: JSON.stringify(input),
    ...(namespace !== undefined && { namespace }),
  };
}

function itemEvents(item, output_index) {
  const place = { output_index, item_id: item.id };
  const deltas = {
    message: () => {
      const [part] = item.content;
      return [
        { type: "response.content_part.added", ...place, content_index: 0, part: { ...part, text: "" } },
        { type: "response.output_text.delta", ...place, content_index: 0, delta: part.text },
        { type: "response.output_text.done", ...place, content_index: 0, text: part.text },
        { type: "response.content_part.done", ...place, content_index: 0, part },
      ];
    },
    reasoning: () => {
      const [part] = item.summary;
      return [
        { type: "response.reasoning_summary_part.added", ...place, summary_index: 0, part: { ...part, text: "" } },
        { type: "response.reasoning_summary_text.delta", ...place, summary_index: 0, delta: part.text },
        { type: "response.reasoning_summary_text.done", ...place, summary_index: 0, text: part.text },
        { type: "response.reasoning_summary_part.done", ...place, summary_index: 0, part },
      ];
    },
    function_call: () => [
      { type: "response.function_call_arguments.delta", ...place, delta: item.arguments },
      { type: "response.function_call_arguments.done", ...place, arguments: item.arguments },
    ],
    custom_tool_call: () => [],
  }[item.type]();
  const begun = {
    message: { ...item, status: "in_progress", content: [] },
    reasoning: { ...item, summary: [] },
    function_call: { ...item, status: "in_progress", arguments: "" },
    custom_tool_call: item,
  }[item.type];
  return [
    { type: "response.output_item.added", output_index, item: begun },
    ...deltas,
    { type: "response.output_item.done", output_index, item },
  ];
}
